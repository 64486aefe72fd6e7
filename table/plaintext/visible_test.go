package plaintext_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/sabot-table/sabot/table/plaintext"
)

// evil are names that would steer a terminal, turn the direction of a line or begin a new one.
var evil = []string{
	"a\x1b[2Jb", "a\rround void", "a\nround void", "a\x00b", "a\tb", "a\x7fb", "a\u0085b", "a\u009b31mb", "\u202egnol",
	"a\u2066b\u2069", "a\u200eb",
	"a\u200bb", "a\u200db", "a\u2060b", "a\ufeffb", "a\u2028b", "a\u2029b", "a\xffb", "\xc2", "a\xed\xa0\x80b",
	"a\ue000b", "a\U000e0041b", "a\u0378b",
	"a\u00adb", "a\u034fb", "a\u115fb", "\u3164", "a\ufe0fb", "a\u2800b", "a\U000f0000b", "a\U0010ffffb", "\u0301a",
	"a\u0301\u0301\u0301", "a\ufff9b",
}

func TestVisible(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"anna", "anna"},
		{"Zoë 王 ½ – 1\u202f000", "Zoë 王 ½ – 1\u202f000"},
		{"Z\u0301oe\u0308", "Z\u0301oe\u0308"},
		{"a\x1b[2J\r\n\x00\t\x7f", `a\x1b[2J\x0d\x0a\x00\x09\x7f`},
		{"\u202egnol\u202c", `\u{202e}gnol\u{202c}`},
		{"\u009b1m\u0085", `\u{9b}1m\u{85}`},
		{"\xff\xc2", `\xff\xc2`},
		{"\ufffd", "\ufffd"},
		{"\U0010ffff\U000e0041", `\u{10ffff}\u{e0041}`},
		{"\u0301a\u0301\u0301\u0301\u0301b\u0301", "\\u{301}a\u0301\u0301\\u{301}\\u{301}b\u0301"},
	} {
		if got := plaintext.Visible(c.text); got != c.want {
			t.Errorf("%q is shown as %q, want %q", c.text, got, c.want)
		}
		if got := string(plaintext.AppendVisible([]byte(">"), c.text)); got != ">"+c.want {
			t.Errorf("%q is appended as %q", c.text, got)
		}
	}
}

func TestNameRule(t *testing.T) {
	for _, name := range []string{
		"", "anna", "d7", "Zoë", "Jean-Pierre O'Brien", "O’Brien", "A. & B. (2/3) +1", "Rossi, Anna", "王 小明", "阿·史密斯",
		"ÅSA_1", "#12", "anna@house", "3:4",
		"हिन्दी", "أحمد", strings.Repeat("王", plaintext.MostName), "e\u0301",
	} {
		if wrong := plaintext.WrongName(name); wrong != "" {
			t.Errorf("%q is refused: %s", name, wrong)
		}
		if wrong := plaintext.WrongWords(name); wrong != "" {
			t.Errorf("%q is refused as words: %s", name, wrong)
		}
	}
	others := []string{
		" ", "\u3000", " anna", "anna ", "a  b", "a\u00a0b", "a;b", `a"b`, `a\b`, "<b>", "a=b", "a|b", "★",
		"a\u202fb", "²",
		strings.Repeat("a", plaintext.MostName+1),
	}
	for _, name := range append(others, evil...) {
		if plaintext.WrongName(name) == "" {
			t.Errorf("%q is a name", name)
		}
	}
	if got, want := plaintext.WrongName("an\u202ena"),
		`it has the hidden character \u{202e}, which is not allowed there`; !strings.HasPrefix(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestWordsRule(t *testing.T) {
	for _, text := range []string{"", `a, "b" – \c; <d> = 1\u202f000 ★`, strings.Repeat("王", plaintext.MostWords)} {
		if wrong := plaintext.WrongWords(text); wrong != "" {
			t.Errorf("%q is refused: %s", text, wrong)
		}
	}
	for _, text := range append([]string{" ", " a", strings.Repeat("a", plaintext.MostWords+1)}, evil...) {
		if plaintext.WrongWords(text) == "" {
			t.Errorf("%q is taken", text)
		}
	}
}

// seen says whether a terminal shows a text as one line that nothing steers.
func seen(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.C, unicode.Zl, unicode.Zp) || !unicode.IsPrint(r) && !unicode.Is(unicode.Zs, r)
	})
}

// FuzzVisible: what is shown of any text is one line that steers nothing, and a text that is shown stays as it is.
func FuzzVisible(f *testing.F) {
	for _, s := range evil {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		shown := plaintext.Visible(s)
		if !seen(shown) || plaintext.Visible(shown) != shown || string(plaintext.AppendVisible(nil, s)) != shown {
			t.Errorf("%q is shown as %q", s, shown)
		}
	})
}

// FuzzNameRule: a name that is taken is shown as it is, and so are words.
func FuzzNameRule(f *testing.F) {
	f.Add("anna")
	for _, s := range evil {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		name, words := plaintext.WrongName(s) == "", plaintext.WrongWords(s) == ""
		if name && !words && utf8.RuneCountInString(s) <= plaintext.MostWords || words &&
			(!seen(s) || plaintext.Visible(s) != s || strings.TrimSpace(s) != s) {
			t.Errorf("%q is taken: as a name %t, as words %t", s, name, words)
		}
	})
}
