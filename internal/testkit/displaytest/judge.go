package displaytest

import (
	"bytes"
	"html/template"
	"io/fs"
	"testing"

	"github.com/sabot-table/sabot/display"
)

// DrawnAsHTML fails where a page that markup has drawn differs from what html/template makes of the same template, which
// works out for each place how a value has to be escaped there. The model holds no markup of its own.
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
	if bytes.Equal(drawn, want.Bytes()) {
		return
	}
	at := 0
	for at < min(len(drawn), want.Len()) && drawn[at] == want.Bytes()[at] {
		at++
	}
	near := func(b []byte) []byte { return b[max(0, at-60):min(len(b), at+60)] }
	t.Errorf("%s in %s is drawn as\n%s\nhtml/template draws\n%s", name, l.Tag(), near(drawn), near(want.Bytes()))
}
