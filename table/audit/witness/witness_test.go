package witness_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/audit/witness"
)

const id = "00112233445566778899aabbccddeeff"

var sum = strings.Repeat("ab", 32)

// whole is a file with a value for each field.
var whole = `{"witness":1,"site":"wiesbaden","table":"bj-1","at":"2026-03-29T20:01:02Z","program":"sabot-pit v1","journals":[
 {"journal":"` + id + `","current":true,"former":"ff","why":"it did not fit","kept":{"record":9,"hash":"` + sum + `","at":"2026-03-29T20:01:01Z"},"pruned":3,
  "gaps":[{"first":4,"last":5,"why":"away"}],"heads":[{"record":8,"hash":"` + sum + `","at":"2026-03-29T20:01:00Z"}],
  "starts":[{"boot":1,"at":"2026-03-29T20:00:00Z","record":7,"acknowledged":12,"heard":13,"away":2,"began":{"acknowledged":1,"away":2},"watched":true},{"boot":3}],
  "findings":[{"kind":"rewritten","record":6,"what":"it is another","at":"2026-03-29T20:02:00Z"}]}]}`

// TestParse: what is written is read back, and what is no witness is refused with the reason.
func TestParse(t *testing.T) {
	e, err := witness.Parse([]byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	if e.Of("another") != nil || e.Of(id) == nil || e.Of(id).Starts[0].Sent() != 13 || e.Of(id).Starts[1].Began != nil {
		t.Errorf("%+v", e)
	}
	for text, want := range map[string]string{
		``:                     "it is no witness of a table",
		`[]`:                   "it is no witness of a table",
		`{}`:                   "the form is 0, and this program knows 1",
		`{"witness":2}`:        "the form is 2, and this program knows 1",
		whole + `{"witness":1`: "it goes on after its end",
		strings.Replace(whole, `"record":8,"hash":"a`, `"record":8,"hash":"x`, 1): "the head 8 of the journal " + id +
			" is none",
		strings.Replace(whole, `"record":8,`, `"record":0,`, 1): "the head 0 of the journal " + id + " is none",
		strings.Replace(whole, `{"boot":3}`, `{"boot":1}`, 1): "the starts of the journal " + id +
			" are not in order",
	} {
		if _, err := witness.Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s… gives %v, want %q", text, err, want)
		}
	}
	file := filepath.Join(t.TempDir(), "none")
	if err := os.WriteFile(file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := witness.ReadFile(file); err == nil || !strings.Contains(err.Error(), file+": it is no witness") {
		t.Errorf("%v", err)
	}
}

// FuzzWitness: whatever is in a file, it is refused, or it is written and read back as it is.
func FuzzWitness(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(`{"witness":1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := witness.Parse(text)
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := witness.Write(&again, e); err != nil {
			t.Skip(err) // a time that nobody can write
		}
		once, err := witness.Parse(again.Bytes())
		if err != nil {
			t.Fatalf("%v: %s", err, again.String())
		}
		var twice bytes.Buffer
		if err := witness.Write(&twice, once); err != nil || !bytes.Equal(again.Bytes(), twice.Bytes()) ||
			once.Format != e.Format || len(once.Journals) != len(e.Journals) {
			t.Errorf("%v: %s became %s", err, again.String(), twice.String())
		}
	})
}

// TestEveryField: the example has every field, so that none is forgotten where it is read or described.
func TestEveryField(t *testing.T) {
	e, err := witness.Parse([]byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	j := e.Journals[0]
	for _, one := range []any{*e, j, *j.Kept, j.Gaps[0], j.Heads[0], j.Starts[0], *j.Starts[0].Began, j.Findings[0]} {
		v := reflect.ValueOf(one)
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				t.Errorf("%s.%s is not in the example", v.Type(), v.Type().Field(i).Name)
			}
		}
	}
}
