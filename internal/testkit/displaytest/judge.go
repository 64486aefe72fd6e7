package displaytest

import (
	"bytes"
	"html/template"
	"io/fs"
	"testing"

	"github.com/sabot-table/sabot/display"
)

// DrawnAsHTML fails where a page that markup has drawn differs from what html/template makes of the same template,
// which works out for each place how a value has to be escaped there. The model holds no markup of its own.
func DrawnAsHTML(t testing.TB, templates fs.FS, name string, l display.Language, model any, drawn []byte) {
	t.Helper()
	by, err := template.New("").Funcs(template.FuncMap{
		"text": func(key string) string { return l.Say(display.Message{Key: key}) },
	}).ParseFS(templates, "templates/*.html")
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := by.ExecuteTemplate(&want, name, model); err != nil {
		t.Fatal(err)
	}
	SameMarkup(t, name+" in "+l.Tag(), drawn, want.Bytes())
}

// SameMarkup ends a test where a page that markup has drawn differs from html/template's, and shows where it begins to.
func SameMarkup(t testing.TB, what string, drawn, want []byte) {
	t.Helper()
	if bytes.Equal(drawn, want) {
		return
	}
	at := 0
	for at < min(len(drawn), len(want)) && drawn[at] == want[at] {
		at++
	}
	near := func(b []byte) []byte { return b[max(0, at-60):min(len(b), at+60)] }
	t.Fatalf("%s is drawn as\n%s\nhtml/template draws\n%s", what, near(drawn), near(want))
}
