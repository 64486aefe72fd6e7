package terminal_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/sabot-table/sabot/internal/terminal"
)

// written writes a text in pieces of n bytes.
func written(t *testing.T, make func(io.Writer) *terminal.Writer, text string, n int) string {
	t.Helper()
	var out bytes.Buffer
	w := make(&out)
	for rest := text; rest != ""; {
		piece := rest[:min(n, len(rest))]
		if got, err := io.WriteString(w, piece); err != nil || got != len(piece) {
			t.Fatalf("%d of %q, %v", got, piece, err)
		}
		rest = rest[len(piece):]
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestWriter(t *testing.T) {
	for _, c := range []struct{ text, want, json string }{
		{"", "", ""},
		{"a\tb\nZoë 王", "a\tb\nZoë 王", "a b\nZoë 王"},
		{"a\x1b[2J\r\x00\x7f", `a\x1b[2J\x0d\x00\x7f`, `a\x1b[2J \x00\x7f`},
		{
			"{\"a\":\"\x1b\t\u202e\U000e0041\xff\"}\r\n", `{"a":"\x1b` + "\t" + `\u{202e}\u{e0041}\xff"}\x0d` + "\n",
			`{"a":"\u001b\u0009\u202e\udb40\udc41\ufffd"} ` + "\n",
		},
		{`{"a":"\"` + "\u202e" + `\\","b":1}`, `{"a":"\"\u{202e}\\","b":1}`, `{"a":"\"\u202e\\","b":1}`},
		{"\xe7\x8e", `\xe7\x8e`, `\xe7\x8e`},
		{"\"\xe7\x8e", `"\xe7\x8e`, `"\ufffd\ufffd`},
		{"\"a\n\u202e", "\"a\n" + `\u{202e}`, "\"a\n" + `\u{202e}`},
	} {
		for _, n := range []int{1, 2, 3, 5, 1000} {
			if got := written(t, terminal.NewWriter, c.text, n); got != c.want {
				t.Errorf("%q in pieces of %d is written as %q, want %q", c.text, n, got, c.want)
			}
			if got := written(t, terminal.JSONWriter, c.text, n); got != c.json {
				t.Errorf("%q in pieces of %d is written as JSON %q, want %q", c.text, n, got, c.json)
			}
		}
	}
	if got := terminal.Visible("a\nb"); got != `a\x0ab` {
		t.Errorf("a line break is shown as %q", got)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestWriterFails(t *testing.T) {
	w := terminal.NewWriter(broken{})
	if n, err := io.WriteString(w, "a\xe7"); n != 0 || err == nil {
		t.Errorf("%d, %v", n, err)
	}
	if w.Flush() == nil {
		t.Error("nothing went wrong with the rest")
	}
	if terminal.Raw(w) != (broken{}) || terminal.Raw(os.Stdout) != io.Writer(os.Stdout) {
		t.Error("what is beneath is another writer")
	}
}

// steers says whether a text does more to a terminal than to fill its lines.
func steers(text string) bool {
	return !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool {
		return r != '\n' && r != '\t' && (unicode.In(r, unicode.C, unicode.Zl, unicode.Zp) || !unicode.IsPrint(r) &&
			!unicode.Is(unicode.Zs, r))
	})
}

// FuzzVisible: nothing steers a terminal, however it comes; and JSON keeps its value.
func FuzzVisible(f *testing.F) {
	f.Add("{\"a\":\"\x1b[2J\u202e\xff\\\\\\\"\"}\n\x1b", 3)
	f.Fuzz(func(t *testing.T, text string, n int) {
		n = max(1, n%16)
		for _, make := range []func(io.Writer) *terminal.Writer{terminal.NewWriter, terminal.JSONWriter} {
			whole := written(t, make, text, len(text)+1)
			if got := written(t, make, text, n); got != whole || steers(got) ||
				strings.Count(got, "\n") != strings.Count(text, "\n") {
				t.Errorf("%q is written as %q, in pieces as %q", text, whole, got)
			}
		}
		if shown := terminal.Visible(text); steers(shown) || strings.ContainsAny(shown, "\n\t") {
			t.Errorf("%q is shown as %q", text, shown)
		}
		var was, is any
		if json.Unmarshal([]byte(text), &was) == nil {
			if err := json.Unmarshal([]byte(written(t, terminal.JSONWriter, text, n)), &is); err != nil ||
				!reflect.DeepEqual(was, is) {
				t.Errorf("%q has another value as %q: %v", text, written(t, terminal.JSONWriter, text, n), err)
			}
		}
	})
}
