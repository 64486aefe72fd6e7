package journal

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"strings"
	"testing"
)

// testKey signs the seals of tests.
var testKey = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))

func openSealed(t testing.TB, path string) *Journal {
	t.Helper()
	j, err := Open(path, Options{Program: "sabotd test", Key: testKey})
	must(t, err)
	return j
}

// seals reads all seals as somebody with a SQLite shell would.
func seals(t testing.TB, r *Reader) []Seal {
	t.Helper()
	rows, err := r.db.Query(`SELECT seq, hash, at, key, signature FROM seal ORDER BY seq`)
	must(t, err)
	defer rows.Close()
	var all []Seal
	for rows.Next() {
		var s Seal
		var hash, key []byte
		must(t, rows.Scan(&s.Seq, &hash, &s.At, &key, &s.Signature))
		s.Hash, s.Key = [32]byte(hash), key
		all = append(all, s)
	}
	must(t, rows.Err())
	return all
}

// TestSeals: what ends a round or sets the table up is sealed in the same
// transaction, the end when the journal is closed; all by the key, under the
// record's hash.
func TestSeals(t *testing.T) {
	path := newPath(t)
	j := openSealed(t, path)
	mustAppend(t, j, evening[0])
	mustAppend(t, j, evening[1:3]...)
	mustAppend(t, j, evening[3:6]...)
	mustAppend(t, j, evening[6])
	if got := len(seals(t, j.Reader)); got != 2 {
		t.Errorf("%d seals while the journal is open, want 2", got)
	}
	mustClose(t, j)

	j = openSealed(t, path)
	all := seals(t, j.Reader)
	var at []uint64
	for _, s := range all {
		at = append(at, s.Seq)
		if !s.Valid(j.ID()) || !bytes.Equal(s.Key, testKey.Public().(ed25519.PublicKey)) || s.At == 0 {
			t.Errorf("the seal %+v is not valid", s)
		}
		if rec := records(t, j.Reader, s.Seq)[0]; rec.Hash != s.Hash {
			t.Errorf("the seal behind record %d is under another hash", s.Seq)
		}
	}
	if len(at) != 3 || at[0] != 1 || at[1] != 6 || at[2] != 7 {
		t.Errorf("seals stand behind the records %v, want 1, 6 and 7", at)
	}
	mustClose(t, j)
	j = openSealed(t, path)
	defer mustClose(t, j)
	if got := len(seals(t, j.Reader)); got != 3 {
		t.Errorf("opening and closing alone made %d seals of 3", got)
	}
}

// TestSealIsUnderEverything: a seal is valid in its journal, for its record, hash
// and time alone.
func TestSealIsUnderEverything(t *testing.T) {
	const id = "00112233445566778899aabbccddeeff"
	good := Seal{Seq: 7, Hash: [32]byte{1}, At: 5, Key: testKey.Public().(ed25519.PublicKey)}
	good.Signature = ed25519.Sign(testKey, SealText(id, good.Seq, good.Hash, good.At))
	if !good.Valid(id) {
		t.Fatal("a good seal is not valid")
	}
	for name, change := range map[string]func(s *Seal){
		"record":        func(s *Seal) { s.Seq++ },
		"hash":          func(s *Seal) { s.Hash[31]++ },
		"time":          func(s *Seal) { s.At-- },
		"other key":     func(s *Seal) { s.Key = bytes.Clone(s.Key); s.Key[0]++ },
		"half a key":    func(s *Seal) { s.Key = s.Key[:16] },
		"signature":     func(s *Seal) { s.Signature = bytes.Clone(s.Signature); s.Signature[3]++ },
		"no signature":  func(s *Seal) { s.Signature = nil },
		"earlier, same": func(s *Seal) { s.Seq, s.At = 75, 0 },
	} {
		bad := good
		change(&bad)
		if bad.Valid(id) {
			t.Errorf("%s: the seal is still valid", name)
		}
	}
	if good.Valid(strings.Replace(id, "0", "1", 1)) {
		t.Error("the seal is valid in another journal")
	}
}

// TestSealText pins README.md's example.
func TestSealText(t *testing.T) {
	const want = "sabot journal seal\n00112233445566778899aabbccddeeff\n1\n" +
		"0100000000000000000000000000000000000000000000000000000000000000\n1760000000000000000\n"
	if got := string(SealText("00112233445566778899aabbccddeeff", 1, [32]byte{1}, 1_760_000_000_000_000_000)); got != want {
		t.Errorf("what is signed is %q", got)
	}
}

func TestWithoutAKeyNothingIsSealed(t *testing.T) {
	j := mustOpen(t, newPath(t))
	mustAppend(t, j, evening...)
	if got := len(seals(t, j.Reader)); got != 0 {
		t.Errorf("%d seals without a key", got)
	}
	if _, err := Open(newPath(t), Options{Key: ed25519.PrivateKey("short")}); !errors.Is(err, errKey) {
		t.Errorf("half a key: %v", err)
	}
}

// TestSealWithItsRecord: what cannot be sealed is not appended either.
func TestSealWithItsRecord(t *testing.T) {
	path := newPath(t)
	j := openSealed(t, path)
	mustAppend(t, j, evening[:4]...)
	must(t, shell(t, path, `ALTER TABLE seal RENAME TO elsewhere`))
	if err := j.Append(evening[4:5]); err == nil {
		t.Error("the end of a round was recorded without its seal")
	}
	mustAppend(t, j, evening[3])
	must(t, shell(t, path, `ALTER TABLE elsewhere RENAME TO seal`))
	mustAppend(t, j, evening[4])
	mustClose(t, j)
	r, err := OpenReadOnly(path)
	must(t, err)
	defer mustClose(t, r)
	must(t, r.Verify(t.Context(), nil))
	if got := len(records(t, r, 1)); got != 6 {
		t.Errorf("%d records, want 6", got)
	}
}

// TestCutBehindASeal: a seal that stands behind the last record shows that the end
// was cut off.
func TestCutBehindASeal(t *testing.T) {
	path := newPath(t)
	j := openSealed(t, path)
	mustAppend(t, j, evening...)
	mustClose(t, j)
	tamper(t, path, `DELETE FROM record WHERE seq > 5`)
	_, err := Open(path, Options{})
	wantBroken(t, err, 6)
	if err == nil || !strings.Contains(err.Error(), "a seal stands behind record 7") {
		t.Errorf("error is %v", err)
	}
}
