package journal

import (
	"context"
	"crypto/ed25519"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Seal is a signature under the chain's hash behind a record: who holds the key
// says that all records up to there are as they are. The chain can be computed anew
// by anybody who changes a record, a seal only with the key.
type Seal struct {
	// Seq is the record behind which the seal stands, and Hash that record's.
	Seq  uint64
	Hash [32]byte
	// At is when it was signed, in Unix nanoseconds, by the clock of the host.
	At int64
	// Key is the public half of the key that signed.
	Key ed25519.PublicKey
	// Signature is under what SealText gives.
	Signature []byte
}

// SealText is what is signed: README.md defines it. id is the journal's.
func SealText(id string, seq uint64, hash [32]byte, at int64) []byte {
	b := append([]byte("sabot journal seal\n"), id...)
	b = append(b, '\n')
	b = strconv.AppendUint(b, seq, 10)
	b = append(b, '\n')
	b = hex.AppendEncode(b, hash[:])
	b = append(b, '\n')
	b = strconv.AppendInt(b, at, 10)
	return append(b, '\n')
}

// Valid says whether the seal was signed by the key that it names, in the journal
// with the given id. Whether that key can be trusted is for the caller to say.
func (s *Seal) Valid(id string) bool {
	return len(s.Key) == ed25519.PublicKeySize && ed25519.Verify(s.Key, SealText(id, s.Seq, s.Hash, s.At), s.Signature)
}

// seal puts a seal behind the last record into the open transaction.
func (j *Journal) seal(tail *chain) error {
	at := time.Now().UnixNano()
	signature := ed25519.Sign(j.key, SealText(j.id, tail.seq, tail.hash, at))
	_, err := j.writer.seal.Exec(int64(tail.seq), tail.hash[:], at, []byte(j.key.Public().(ed25519.PublicKey)), signature)
	return err
}

// sealEnds seals what ends a round or sets the table up, within the transaction
// that writes it.
func (j *Journal) sealEnds(tail *chain, entries []Entry) (sealed uint64, err error) {
	if j.key == nil || !anyCarry(entries) {
		return j.sealed, nil
	}
	return tail.seq, j.seal(tail)
}

func anyCarry(entries []Entry) bool {
	for i := range entries {
		if len(entries[i].Carry) > 0 {
			return true
		}
	}
	return false
}

// sealEnd seals the end of the journal when it is closed in the middle of a round.
func (j *Journal) sealEnd() error {
	if j.key == nil || j.writer == nil || j.tail.seq == j.sealed {
		return nil
	}
	if err := j.writer.transaction(func() error { return j.seal(&j.tail) }); err != nil {
		return fmt.Errorf("sealing record %d: %w", j.tail.seq, err)
	}
	j.sealed = j.tail.seq
	return nil
}

// lastSeal is the record behind which the last seal stands, 0 for none.
func (r *Reader) lastSeal() (seq uint64, err error) {
	err = r.db.QueryRow(`SELECT coalesce(max(seq), 0) FROM seal`).Scan(&seq)
	return seq, err
}

// SealFrom is the first seal behind the record seq or a later one, and false where there
// is none.
func (r *Reader) SealFrom(ctx context.Context, seq uint64) (s Seal, found bool, err error) {
	s, err = scanSeal(r.db.QueryRowContext(ctx, `SELECT `+sealColumns+` FROM seal WHERE seq >= ? ORDER BY seq LIMIT 1`, int64(seq)))
	if errors.Is(err, sql.ErrNoRows) {
		return s, false, nil
	}
	return s, err == nil, r.fault("read a seal", err)
}

func scanSeal(row *sql.Row) (s Seal, err error) {
	var hash []byte
	if err := row.Scan(&s.Seq, &hash, &s.At, &s.Key, &s.Signature); err != nil {
		return s, err
	}
	copy(s.Hash[:], hash)
	return s, nil
}

// errKey is a key that cannot sign.
var errKey = errors.New("the key to seal the journal with is no Ed25519 key")

func checkKey(key ed25519.PrivateKey) error {
	if key != nil && len(key) != ed25519.PrivateKeySize {
		return errKey
	}
	return nil
}
