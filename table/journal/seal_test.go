package journal

import (
	"bytes"
	"crypto/ed25519"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
)

// allSeals reads all seals, and the hash that they are under.
func allSeals(t testing.TB, r *Reader) (all []Seal) {
	t.Helper()
	must(t, r.Walk(t.Context(), func(s *Step) error {
		if s.Seal != nil {
			all = append(all, *s.Seal)
		}
		return s.Fault
	}))
	return all
}

// TestSeals: what ends a round or sets the table up is sealed in the same write, and so are
// the beginning of a part and the end.
func TestSeals(t *testing.T) {
	d := disktest.New(1)
	o := Options{Key: testKey}
	j := openOn(t, d, o)
	mustAppend(t, j, evening[0])
	mustAppend(t, j, evening[1:3]...)
	mustAppend(t, j, evening[3:6]...)
	mustAppend(t, j, evening[6])
	wantSeals(t, j, 0, 1, 6)
	mustClose(t, j)

	j = openOn(t, d, o)
	wantSeals(t, j, 0, 1, 6, 7, 7)
	mustClose(t, j)
	j = openOn(t, d, o)
	must(t, j.SetCursor("mqtt", 3))
	mustClose(t, j)
	wantSeals(t, openOn(t, d, o), 0, 1, 6, 7, 7, 7, 7, 7)
}

func wantSeals(t *testing.T, j *Journal, want ...uint64) {
	t.Helper()
	all := allSeals(t, j.Reader)
	if len(all) != len(want) {
		t.Fatalf("%d seals, want %d", len(all), len(want))
	}
	for i, s := range all {
		if s.Seq != want[i] || !s.Valid(j.ID()) || !bytes.Equal(s.Key, testKey.Public().(ed25519.PublicKey)) ||
			s.At == 0 {
			t.Errorf("seal %d is %+v, want one after record %d", i+1, s, want[i])
		}
	}
}

// TestSealOver: the seal that confirms a record is found, and is valid, also at the beginning of
// a part; a record after the last seal has none, and neither has a journal without a key.
func TestSealOver(t *testing.T) {
	d := disktest.New(1)
	j := openOn(t, d, Options{Key: testKey})
	mustAppend(t, j, evening[0])
	mustAppend(t, j, evening[1:3]...)
	for seq, want := range map[uint64]uint64{1: 1, 2: 0, 3: 0} {
		wantSealOver(t, j, seq, want)
	}
	mustAppend(t, j, evening[3:6]...)
	mustAppend(t, j, evening[6])
	mustClose(t, j)
	j = openOn(t, d, Options{Key: testKey})
	for seq, want := range map[uint64]uint64{1: 1, 2: 6, 6: 6, 7: 7, 8: 0} {
		wantSealOver(t, j, seq, want)
	}
	bare := openOn(t, disktest.New(1), Options{})
	mustAppend(t, bare, evening[0])
	wantSealOver(t, bare, 1, 0)
}

func wantSealOver(t *testing.T, j *Journal, seq, want uint64) {
	t.Helper()
	seal, err := j.SealOver(seq)
	switch {
	case err != nil:
		t.Errorf("record %d: %v", seq, err)
	case want == 0 && seal != nil:
		t.Errorf("record %d is under the seal of record %d, and should be under none", seq, seal.Seq)
	case want != 0 && (seal == nil || seal.Seq != want || !seal.Valid(j.ID())):
		t.Errorf("record %d is under %+v, and should be under the seal of record %d", seq, seal, want)
	}
}

// TestSealIsUnderEverything: a seal is valid only in its journal, for its record, hash and
// time.
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
	if got := string(SealText("00112233445566778899aabbccddeeff", 1, [32]byte{1},
		1_760_000_000_000_000_000)); got != want {
		t.Errorf("what is signed is %q", got)
	}
}

func TestWithoutAKeyNothingIsSealed(t *testing.T) {
	j := openOn(t, disktest.New(1), Options{})
	mustAppend(t, j, evening...)
	wantSeals(t, j)
}
