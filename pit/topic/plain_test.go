package topic

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/plaintext"
)

func TestPlainly(t *testing.T) {
	const no = "\uFFFD"
	long := strings.Repeat("x", longestText)
	for text, want := range map[string]string{
		`{"by":"anna \"the\" ace\\","n":[1,2]}`: `{"by":"anna \"the\" ace\\","n":[1,2]}`,
		`{"by":"Zoë \u00e9 \ud83c\udca1 🂡"}`:    `{"by":"Zoë \u00e9 \ud83c\udca1 🂡"}`,
		`{"by":"a\u001b[2Jb"}`:                  `{"by":"a` + no + `[2Jb"}`,
		`{"by":"a\nb\tc"}`:                      `{"by":"a` + no + `b` + no + `c"}`,
		`{"a\u202eb":"\u2066"}`:                 `{"a` + no + `b":"` + no + `"}`,
		"{\"by\":\"a\u202eb\u200b\"}":           `{"by":"a` + no + `b` + no + `"}`,
		"{\"by\":\"a\x9bb\"}":                   `{"by":"a` + no + `b"}`,
		"{\"by\":\"a\u0085b\"}":                 `{"by":"a` + no + `b"}`,
		`{"by":"\ud800"}`:                       `{"by":"` + no + `"}`,
		`{"by":"` + long + `yz"}`:               `{"by":"` + long + `"}`,
		"{\"by\":\"e\u0301\u0301\u0301\"}":      "{\"by\":\"e\u0301\u0301" + no + "\"}",
		``:                                      ``,
		`{"by":"half`:                           `{"by":"half`,
	} {
		if got, err := Plainly([]byte(text)); err != nil || string(got) != want {
			t.Errorf("%q becomes %q, %v; want %q", text, got, err, want)
		}
	}
	for _, deep := range []string{
		strings.Repeat("[", deepest+1), strings.Repeat(`{"a":`, 100_000),
		strings.Repeat("[", deepest+1) + `"` + "\u202e",
	} {
		if _, err := Plainly([]byte(deep)); err == nil {
			t.Errorf("%.20q… is not too deep", deep)
		}
	}
	same := []byte(`{"a":["b",{"c":"d"}]}`)
	if got, _ := Plainly(same); &got[0] != &same[0] {
		t.Error("a message that may stay as it is was copied")
	}
}

// FuzzPlainly: what was JSON is JSON of the same form afterwards, and no text of it hides anything.
func FuzzPlainly(f *testing.F) {
	for _, text := range []string{
		`{"a":"b"}`, `["\u202e\ud83c\udca1\n"]`, "[\"\u202e\"]",
		`{"a":{"b":[1,-2.5e3,null,true]}}`, `"\\"`, `"\"`, `"\ud800\u0041"`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		var before, after any
		was := json.Unmarshal(payload, &before) == nil
		got, err := Plainly(bytes.Clone(payload))
		if err != nil || !was {
			return
		}
		if err := json.Unmarshal(got, &after); err != nil {
			t.Fatalf("%q became %q: %v", payload, got, err)
		}
		if a, b := form(before), form(after); a != b {
			t.Fatalf("%q became %q: %s, and was %s", payload, got, b, a)
		}
		seen(t, after)
	})
}

// form is a value without its texts.
func form(v any) string {
	switch v := v.(type) {
	case []any:
		var all []string
		for _, one := range v {
			all = append(all, form(one))
		}
		return "[" + strings.Join(all, " ") + "]"
	case map[string]any: // keys that differ only in what is hidden become one
		return "{}"
	case string:
		return "text"
	}
	return fmt.Sprint(v)
}

func seen(t *testing.T, v any) {
	t.Helper()
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			seen(t, one)
		}
	case map[string]any:
		for key, one := range v {
			seen(t, key)
			seen(t, one)
		}
	case string:
		if strings.ContainsFunc(v, plaintext.Hidden) {
			t.Fatalf("%q hides something", v)
		}
	}
}
