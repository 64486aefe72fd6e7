package topic

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"
)

const (
	someID   = "00112233445566778899aabbccddeeff"
	someHash = "1d5644afb7dffe26add7ce4a363728f029c1e9ca9266bdf5657da530bfd60fab"
)

// someFrame is a record as a journal has it, with what JSON libraries like to change.
func someFrame(number string) string {
	return `{"in":"note","text":"<a&b> \u00e9\/ 1.0e0"}` + "\n" + `{"out":"noted",  "n":1.50}` + "\n" +
		`{"record":` + number + `,"event":12,"at":1000,"round":1,"hash":"` + someHash + "\"}\n"
}

func someRecords(after uint64, numbers ...string) Records {
	r := Records{
		Site: "wiesbaden", Table: "bj1", Boot: 7, Journal: someID, After: after,
		Head: Head{ID: someID, Record: 700, Hash: someHash}, Records: [][]json.RawMessage{},
	}
	for _, number := range numbers {
		r.Records = append(r.Records, SplitFrame([]byte(someFrame(number))))
	}
	return r
}

// TestRecordsStayAsTheyAre: a record comes through byte for byte.
func TestRecordsStayAsTheyAre(t *testing.T) {
	sent := someRecords(610, "611", "612")
	text := `{"house":"<wiesbaden>","a":"\u2028"}`
	sum := sha256.Sum256([]byte(text))
	sent.Rules = map[string]string{hex.EncodeToString(sum[:]): text}
	sent.Seals = []Seal{{Seal: 611, Under: someHash, At: -1, Key: "ed25519:00", Signature: "00"}}
	payload := AppendRecords(nil, sent)
	got, err := ParseRecords(payload)
	if err != nil {
		t.Fatal(err)
	}
	for i, number := range []string{"611", "612"} {
		if frame := got.Frame(i); string(frame) != someFrame(number) {
			t.Errorf("record %s became %s", number, frame)
		}
	}
	if again := AppendRecords(nil, got); string(again) != string(payload) {
		t.Errorf("%s\nbecame %s", payload, again)
	}
}

// TestRecordsThatAreNotWhole: an answer that cannot be kept is refused, and says where.
func TestRecordsThatAreNotWhole(t *testing.T) {
	change := func(from, to string) string {
		payload := string(AppendRecords(nil, someRecords(610, "611", "612")))
		if !strings.Contains(payload, from) {
			t.Fatalf("no %s in %s", from, payload)
		}
		return strings.Replace(payload, from, to, 1)
	}
	for _, c := range []struct{ payload, wrong string }{
		{"[]", "cannot unmarshal"},
		{change(`"wiesbaden"`, `"Wiesbaden"`), "site name"},
		{change(someID, someID[1:]), "no name"},
		{change(`1,"hash":"1`, `1,"hash":"x`), "record 611: its last line does not end with a hash"},
		{change(`1,"hash":"1d`, `1,"hash":"1D`), "record 611: its last line does not end with a hash"},
		{change(`"after":610`, `"after":609`), "record 610: it has the number 611"},
		{change(`"record":612`, `"record":613`), "record 612: it has the number 613"},
		{change(`"record":612`, `"record":"612"`), "record 612: its last line has no number"},
		{change(`"record":700`, `"record":611`), "record 612: the journal ends with 611"},
		{change(`{"in":`, `{"on":`), `line 1 does not begin with {"in":`},
		{change(`{"out":`, `{"in":`), `line 2 does not begin with {"out":`},
		{change(`"out":"noted"`, "\"out\":\n\"noted\""), "line 2"},
		{change(`"records":[`, `"records":[[],`), "fewer than two lines"},
		{change(`"head"`, `"gap":{"first":612,"last":613,"why":"away","text":""},"head"`), "the gap from 612 to 613"},
		{
			change(`"head"`, `"gap":{"first":611,"last":611,"why":"away","text":""},"head"`),
			"record 612: it has the number 611",
		},
		{change(`"records"`, `"rules":{"`+someHash+`":"{}"},"records"`), "does not fit their fingerprint"},
	} {
		if _, err := ParseRecords([]byte(c.payload)); err == nil || !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s\ngot %v, not %q", c.payload, err, c.wrong)
		}
	}
	if _, err := ParseRecords([]byte(change(`"head"`,
		`"gap":{"first":611,"last":610,"why":"away","text":""},"head"`))); err == nil {
		t.Error("a gap that ends before it begins is taken")
	}
}

func TestParseFetch(t *testing.T) {
	for payload, wrong := range map[string]string{
		`{"reader":"pit","journal":"","after":0}`:                                  "",
		`{"reader":"pit","journal":"` + someID + `","after":18446744073709551615}`: "",
		`{"reader":"pit","after":3,"more":true}`:                                   "",
		`{"reader":"","journal":"","after":0}`:                                     "the reader has no name",
		`{"reader":"p/x","journal":"","after":0}`:                                  `holds '/'`,
		`{"reader":"#","journal":"","after":0}`:                                    `holds '#'`,
		`{"reader":"pit","journal":"x","after":0}`:                                 "not 32 hexadecimal digits",
		`{"reader":"pit","journal":"","after":-1}`:                                 "cannot unmarshal",
		`{"reader":"pit"`: "unexpected end",
	} {
		if _, err := ParseFetch([]byte(payload)); (err == nil) != (wrong == "") || err != nil &&
			!strings.Contains(err.Error(), wrong) {
			t.Errorf("%s: %v, not %q", payload, err, wrong)
		}
	}
}

// FuzzParseRecords: what is taken can be kept, and written anew byte for byte.
func FuzzParseRecords(f *testing.F) {
	f.Add(AppendRecords(nil, someRecords(610, "611", "612")))
	f.Add([]byte(`{"records":[[{"in":1},{"record":1,"hash":"` + someHash + `"}]]}`))
	f.Fuzz(func(t *testing.T, payload []byte) {
		r, err := ParseRecords(payload)
		if err != nil {
			return
		}
		again, err := ParseRecords(AppendRecords(nil, r))
		if err != nil || len(again.Records) != len(r.Records) {
			t.Fatalf("%s became unreadable: %v", payload, err)
		}
		for i := range r.Records {
			if string(again.Frame(i)) != string(r.Frame(i)) {
				t.Fatalf("%s became %s", r.Frame(i), again.Frame(i))
			}
		}
	})
}
