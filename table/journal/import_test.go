package journal

import (
	"crypto/ed25519"
	"path/filepath"
	"testing"
)

// TestImport takes over two openings, and goes on with them as with a journal that was
// always of this format.
func TestImport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	former := Former{Journal: "0123456789abcdef0123456789abcdef", Record: 3, Event: 9, Why: "taken over from another format"}
	i, err := NewImport(path, former, Options{Key: someKey})
	must(t, err)
	must(t, i.Boot(1, "sabotd 1"))
	seal := Seal{Seq: 2, At: 5, Key: someKey.Public().(ed25519.PublicKey), Signature: make([]byte, 64)}
	must(t, i.Append([]Entry{cardEntry(1), carrying(cardEntry(2), `{"round":1}`)}, []Seal{seal}))
	must(t, i.Boot(2, "sabotd 2"))
	must(t, i.Append([]Entry{cardEntry(3)}, nil))
	must(t, i.Cursor("mqtt", 4))
	must(t, i.Close())

	j, err := Open(path, Options{Program: "sabotd 3", Key: someKey, Heard: Heard{ID: former.Journal, Record: 3, Event: 9}})
	must(t, err)
	t.Cleanup(func() { must(t, j.Close()) })
	if o := j.Opening(); o.New || o.Former != nil || o.Behind != "" {
		t.Fatalf("the import does not fit: %+v", o)
	}
	seq, event := j.Next()
	cursor, err := j.Cursor("mqtt")
	if seq != 4 || event != 10 || j.Boot() != 3 || cursor != 4 || err != nil {
		t.Errorf("next are record %d, event %d, in boot %d; the cursor is %d, %v", seq, event, j.Boot(), cursor, err)
	}
	mustAppend(t, j, cardEntry(4))
	if err := j.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
	seals := 0
	must(t, j.Walk(t.Context(), func(s *Step) error {
		if s.Imported != nil {
			seals++
		}
		return nil
	}))
	boots, err := j.Boots(t.Context())
	must(t, err)
	if seals != 1 || len(boots) != 3 || boots[1] != (Boot{2, "sabotd 2", 3}) {
		t.Errorf("%d seals were taken over, the boots are %+v", seals, boots)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
