package web

import (
	"bytes"
	"embed"
	"html/template"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display"
)

//go:embed templates/page.html templates/recall.html templates/sections.html
var templates embed.FS

var views = template.Must(template.ParseFS(templates, "templates/*.html"))

// renderer turns views into sections, in one language.
type renderer struct {
	language display.Language
	// all are the languages that may be chosen, and at is where this one stands.
	all []display.Language
	at  int
	// recalls says that there is a way to past rounds.
	recalls bool
}

// sections returns the parts of the page in the order in which they stand on it.
func (r renderer) sections(v display.View) ([]section, error) {
	r = r.in(v.House)
	d := drawing{list: make([]section, 0, 4+len(v.Boxes))}
	d.add("prompt", "prompt", r.prompt(v))
	d.add("status", "status", r.status(v))
	d.add("held", "held", v.Held != nil)
	d.add("bank", "bank", r.bank(v))
	for i, b := range v.Boxes {
		d.add("box-"+strconv.Itoa(b.Number), "box", r.box(v, i))
	}
	return d.list, d.err
}

// page returns the whole document with a view's sections in it.
func (r renderer) page(v display.View, drawn []section) ([]byte, error) {
	var table, b bytes.Buffer
	r.table(&table, drawn)
	err := views.ExecuteTemplate(&b, "page.html", pageModel{
		Build: build, Drawn: r.drawn(), Lang: r.language.Tag(), Languages: r.offers(), Deck: deck, Title: v.Table, Table: template.HTML(table.String()),
		Lost: r.word("lost"), LostDetail: r.word("lost-detail"), Script: r.word("script"),
	})
	return b.Bytes(), err
}

// in speaks with the words of a house.
func (r renderer) in(house string) renderer {
	r.language = r.language.In(house)
	return r
}

func (r renderer) word(name string) string {
	return r.language.Label(display.LabelWord, name)
}

type pageModel struct {
	Build, Drawn, Lang       string
	Title                    string
	Languages                []offered
	Deck, Table              template.HTML
	Lost, LostDetail, Script string
}

// drawing collects sections and the first error among them.
type drawing struct {
	list []section
	buf  bytes.Buffer
	err  error
}

func (d *drawing) add(id, name string, model any) {
	if d.err != nil {
		return
	}
	d.buf.Reset()
	d.err = views.ExecuteTemplate(&d.buf, name, model)
	d.list = append(d.list, section{id: id, html: oneLine.Replace(d.buf.String())})
}

// oneLine keeps a name with line breaks from ending a message of the stream.
var oneLine = strings.NewReplacer("\n", " ", "\r", " ")

// drawn names the build and the language. A page loads itself again when it is sent
// sections of another: its own words must be of the same language as theirs.
func (r renderer) drawn() string { return build + "-" + r.language.Tag() }

// table writes all sections as the one element that holds them.
func (r renderer) table(b *bytes.Buffer, all []section) {
	const fixed = 4 // prompt, status, held and bank, before the boxes
	b.WriteString(`<main id="table" data-build="` + r.drawn() + `">`)
	for i, s := range all {
		if i == fixed {
			b.WriteString(`<div class="boxes n` + strconv.Itoa(len(all)-fixed) + `">`)
		}
		b.WriteString(s.html)
	}
	if len(all) > fixed {
		b.WriteString(`</div>`)
	}
	b.WriteString(`</main>`)
}
