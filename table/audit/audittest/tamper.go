package audittest

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"slices"
	"testing"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/sabot-table/sabot/table/journal"
)

// Row is a record as it stands in the file.
type Row struct {
	Seq, Boot, At, Round, ShoeBoot, ShoeSeq, FirstEvent, Setup, Shoe, Checkpoint int64
	Rules                                                                        []byte
	Input, Outputs                                                               string
	Carry, Hash                                                                  []byte
}

// Seals says what a tamperer does with the seals.
type Seals int

// The ways with the seals.
const (
	// Leave them as they are.
	Leave Seals = iota
	// Sign them anew with the table's key: the thief of the key, or a program that
	// recorded the wrong thing itself.
	Sign
	// Fit them to the new hashes, with the signatures as they are: who has no key.
	Fit
	// Forge them with another key.
	Forge
	// Drop those behind the first change.
	Drop
)

// File is a journal that somebody tampers with. The guards are down while it is open.
type File struct {
	Rows []Row

	tb testing.TB
	db *sql.DB
	id string
}

// Open takes a journal's records out of its file.
func Open(tb testing.TB, path string) *File {
	tb.Helper()
	db, err := sql.Open("sqlite", path)
	must(tb, err)
	db.SetMaxOpenConns(1)
	f := &File{tb: tb, db: db}
	must(tb, db.QueryRow(`SELECT value FROM meta WHERE key = 'id'`).Scan(&f.id))
	rows, err := db.Query(`SELECT * FROM record ORDER BY seq`)
	must(tb, err)
	defer rows.Close()
	for rows.Next() {
		var r Row
		must(tb, rows.Scan(&r.Seq, &r.Boot, &r.At, &r.Round, &r.ShoeBoot, &r.ShoeSeq, &r.FirstEvent, &r.Setup, &r.Shoe, &r.Checkpoint,
			&r.Rules, &r.Input, &r.Outputs, &r.Carry, &r.Hash))
		f.Rows = append(f.Rows, r)
	}
	must(tb, rows.Err())
	return f
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// Row finds a record by its number.
func (f *File) Row(seq int64) *Row {
	f.tb.Helper()
	for i := range f.Rows {
		if f.Rows[i].Seq == seq {
			return &f.Rows[i]
		}
	}
	f.tb.Fatalf("there is no record %d", seq)
	return nil
}

// Rechain numbers the records anew and computes everything that hangs on that, as a
// tamperer would. It goes by the journal's README, not by its code.
func (f *File) Rechain() {
	hash := sha256.Sum256([]byte("sabot journal " + f.id))
	var setup, shoe, checkpoint int64
	event := int64(1)
	for i := range f.Rows {
		r := &f.Rows[i]
		r.Seq, r.FirstEvent = int64(i+1), event
		if r.ShoeBoot != 0 || r.ShoeSeq != 0 {
			shoe = r.Seq
		}
		if len(r.Carry) > 0 {
			checkpoint = r.Seq
			if bytes.Contains([]byte(r.Input), []byte(`"in":"setup"`)) {
				setup = r.Seq
			}
		}
		r.Setup, r.Shoe, r.Checkpoint = setup, shoe, checkpoint
		hash = r.sum(hash)
		r.Hash = bytes.Clone(hash[:])
		event += int64(bytes.Count([]byte(r.Outputs), []byte("\n")))
	}
}

// sum is the hash behind a record.
func (r *Row) sum(before [32]byte) [32]byte {
	b := before[:]
	for _, n := range []int64{r.Seq, r.Boot, r.At, r.Round, r.ShoeBoot, r.ShoeSeq, r.FirstEvent, r.Setup, r.Shoe, r.Checkpoint} {
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	for _, part := range [][]byte{r.Rules, []byte(r.Input), []byte(r.Outputs), r.Carry} {
		b = binary.BigEndian.AppendUint64(b, uint64(len(part)))
		b = append(b, part...)
	}
	return sha256.Sum256(b)
}

// Save puts the records back, does with the seals what is said, and puts the guards up
// again.
func (f *File) Save(seals Seals) {
	f.tb.Helper()
	guards := f.guards()
	for name := range guards {
		f.exec(`DROP TRIGGER ` + name)
	}
	f.exec(`DELETE FROM record`)
	for i := range f.Rows {
		r := &f.Rows[i]
		carry := any(r.Carry)
		if len(r.Carry) == 0 {
			carry = nil
		}
		if r.Rules == nil {
			r.Rules = []byte{}
		}
		f.exec(`INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, r.Seq, r.Boot, r.At, r.Round, r.ShoeBoot,
			r.ShoeSeq, r.FirstEvent, r.Setup, r.Shoe, r.Checkpoint, r.Rules, r.Input, r.Outputs, carry, r.Hash)
	}
	f.seals(seals)
	for _, guard := range guards {
		f.exec(guard)
	}
	must(f.tb, f.db.Close())
}

// Exec runs SQL on the file.
func (f *File) Exec(statement string) { f.exec(statement) }

func (f *File) exec(statement string, args ...any) {
	f.tb.Helper()
	if _, err := f.db.Exec(statement, args...); err != nil {
		f.tb.Fatalf("%s: %v", statement, err)
	}
}

// guards are the triggers, and how they were made.
func (f *File) guards() map[string]string {
	rows, err := f.db.Query(`SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'`)
	must(f.tb, err)
	defer rows.Close()
	guards := map[string]string{}
	for rows.Next() {
		var name, made string
		must(f.tb, rows.Scan(&name, &made))
		guards[name] = made
	}
	must(f.tb, rows.Err())
	return guards
}

func (f *File) seals(what Seals) {
	if what != Leave {
		f.exec(`DELETE FROM seal WHERE seq > ?`, len(f.Rows))
	}
	switch what {
	case Fit:
		f.exec(`UPDATE seal SET hash = (SELECT hash FROM record WHERE record.seq = seal.seq)`)
	case Sign:
		f.sign(Key)
	case Forge:
		f.sign(ed25519.NewKeyFromSeed([]byte("somebody who has no key at all!!")))
	case Drop:
		f.exec(`DELETE FROM seal WHERE hash <> (SELECT hash FROM record WHERE record.seq = seal.seq)`)
	}
}

// sign seals every end of a round with a key, and the last record.
func (f *File) sign(key ed25519.PrivateKey) {
	f.exec(`DELETE FROM seal`)
	for i := range f.Rows {
		r := &f.Rows[i]
		if len(r.Carry) == 0 && i < len(f.Rows)-1 {
			continue
		}
		signature := ed25519.Sign(key, journal.SealText(f.id, uint64(r.Seq), [32]byte(r.Hash), r.At))
		f.exec(`INSERT INTO seal VALUES (?, ?, ?, ?, ?)`, r.Seq, r.Hash, r.At, []byte(key.Public().(ed25519.PublicKey)), signature)
	}
}

// Close ends the work on the file without putting records back.
func (f *File) Close() {
	f.tb.Helper()
	must(f.tb, f.db.Close())
}

// Drop takes the records from one number to another out.
func (f *File) Drop(from, to int64) {
	f.Rows = slices.DeleteFunc(f.Rows, func(r Row) bool { return r.Seq >= from && r.Seq <= to })
}

// Copy puts a record in a second time, behind itself and under another number.
func (f *File) Copy(seq, as int64) {
	at := slices.IndexFunc(f.Rows, func(r Row) bool { return r.Seq == seq })
	f.Rows = slices.Insert(f.Rows, at+1, f.Rows[at])
	f.Rows[at+1].Seq = as
}

// Renumber gives the shoe's events numbers without holes.
func (f *File) Renumber() {
	n := int64(0)
	for i := range f.Rows {
		if f.Rows[i].ShoeSeq != 0 {
			n++
			f.Rows[i].ShoeSeq = n
		}
	}
}
