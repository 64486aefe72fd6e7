package site

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"text/template/parse"
	"weak"

	"github.com/sabot-table/sabot/display"
)

type guest struct {
	Name  string
	Stake int64
	Sits  bool
	Next  *guest
	Cards []string
	Drawn MarkupText
}

// TestCompile fills templates, and does not take those that do not fit.
func TestCompile(t *testing.T) {
	anna := guest{Name: "anna <&> 'n'", Stake: -5, Cards: []string{"A", "B"}, Drawn: "<i>", Next: &guest{Name: "bob"}}
	for _, tt := range []struct{ template, want string }{
		{`<p>{{.Name}}</p>`, "<p>anna &lt;&amp;&gt; &#39;n&#39;</p>"},
		{`{{.Stake}} {{.Sits}} {{.Drawn}}`, "-5 false <i>"},
		{`{{text "prompt.bets"}}{{cut}}`, "Place your bets\x00"},
		{`{{with .Next}}{{.Name}}{{with .Next}}!{{else}}.{{end}}{{end}}`, "bob."},
		{`{{if .Sits}}sits{{else if .Stake}}stands{{else}}gone{{end}}`, "stands"},
		{`{{range .Cards}}({{.}}){{end}}{{range .Next.Cards}}x{{else}}none{{end}}`, "(A)(B)none"},
		{`{{define "name"}}{{.Name}}{{end}}{{template "name" .Next}}`, "bob"},
		{`{{.Nam}}`, "panic: markup: .Nam does not fit site.guest"},
		{`{{.Next.Nam}}`, "panic: markup: .Next.Nam does not fit site.guest"},
		{`{{.Cards}}`, "panic: markup: a page cannot show a []string"},
		{`{{.Name | print}}`, "panic: markup: template: t.html:1: function \"print\" not defined"},
		{`{{$.Name}}`, "panic: markup: $.Name does not fit site.guest"},
		{`{{template "none" .}}`, "panic: markup: there is no template none"},
		{`{{if .Name}}`, "panic: markup: template: t.html:1: unexpected EOF"},
	} {
		if got := filled(tt.template, &anna); got != tt.want {
			t.Errorf("%s is filled as %q, want %q", tt.template, got, tt.want)
		}
	}
}

func filled(template string, model *guest) (text string) {
	defer func() {
		if p := recover(); p != nil {
			text = fmt.Sprint("panic: ", p)
		}
	}()
	set := ParseTemplates(fstest.MapFS{"t.html": {Data: []byte(template)}}, "*.html")
	return string(Compile[guest](set, "t.html")(nil, display.English, model))
}

// TestFillingAllocatesNothing where there is room for what is filled.
func TestFillingAllocatesNothing(t *testing.T) {
	set := ParseTemplates(fstest.MapFS{"t.html": {Data: []byte(`{{.Name}}{{.Stake}}{{.Drawn}}{{text "prompt.bets"}}{{range .Cards}}{{.}}{{end}}`)}}, "*.html")
	draw := Compile[guest](set, "t.html")
	model, b := &guest{Name: strings.Repeat("<", 100), Cards: []string{"A"}}, make([]byte, 0, 1000)
	if n := testing.AllocsPerRun(100, func() { draw(b, display.English, model) }); n != 0 {
		t.Errorf("filling allocates %v times", n)
	}
}

// TestTemplatesAreForgotten once they are filled: what is ready holds no tree.
func TestTemplatesAreForgotten(t *testing.T) {
	const template = `{{define "name"}}<b>{{.Name}}</b>{{end}}{{text "prompt.bets"}}{{range .Cards}}({{.}}){{end}}
		{{with .Next}}{{template "name" .}}{{end}}{{if .Cards}}x{{else}}y{{end}}{{cut}}`
	set := ParseTemplates(fstest.MapFS{"t.html": {Data: []byte(template)}}, "*.html")
	draw := Compile[guest](set, "t.html")
	model := &guest{Cards: []string{"A"}, Next: &guest{Name: "bob"}}
	var read []weak.Pointer[parse.Tree]
	for _, tree := range *set.read() {
		read = append(read, weak.Make(tree))
	}
	first := string(draw(nil, display.English, model))
	runtime.GC()
	for _, tree := range read {
		if tree.Value() != nil {
			t.Errorf("%s is still in memory", tree.Value().Name)
		}
	}
	if again := string(draw(nil, display.English, model)); again != first || len(read) != 2 {
		t.Errorf("of %d templates it is filled first as %q, then as %q", len(read), first, again)
	}
}
