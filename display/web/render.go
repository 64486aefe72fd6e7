package web

import (
	"bytes"
	"embed"
	"html/template"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display"
)

//go:embed templates/*.html
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
	// hands says that the screen is for touching, not only for looking.
	hands bool
}

// sections returns the parts of the page in the order in which they stand on it.
func (r renderer) sections(v display.View) ([]section, error) {
	r = r.in(v.House)
	d := drawing{list: make([]section, 0, fixed+len(v.Boxes))}
	d.add("prompt", "prompt", r.prompt(v))
	d.add("status", "status", r.status(v))
	d.add("alarm", "alarm", r.alerts(v))
	d.add("held", "held", v.Held != nil)
	d.add("bank", "bank", r.bank(v))
	d.add("keys", "keys", r.keys(v))
	d.add("sheets", "sheets", r.sheets(v))
	d.add("people", "people", r.people(v))
	d.add("bets", "bets", r.bets(v))
	for i, b := range v.Boxes {
		d.add("box-"+strconv.Itoa(b.Number), "box", r.box(v, i))
	}
	return d.list, d.err
}

// page returns the whole document with a view's sections in it. The sections are the
// same for every screen; the document says what this one may do, so that style and
// script leave out the rest.
func (r renderer) page(v display.View, drawn []section, role Role) ([]byte, error) {
	var table, b bytes.Buffer
	r.table(&table, drawn)
	err := views.ExecuteTemplate(&b, "page.html", pageModel{
		Build: build, Role: role, Drawn: r.drawn(), Lang: r.language.Tag(), Deck: deck, Signs: drawnSigns, Menu: r.menu(), Title: v.Table, Table: template.HTML(table.String()),
		Lost: r.word("lost"), LostDetail: r.word("lost-detail"), Script: r.word("script"),
		MovedOn: r.text("toast.moved-on"), NotSent: r.text("toast.not-sent"),
	})
	return b.Bytes(), err
}

// in speaks with the words of a house.
func (r renderer) in(house string) renderer {
	r.language = r.language.In(house)
	return r
}

type pageModel struct {
	Build, Drawn, Lang       string
	Title                    string
	Role                     Role
	Deck, Signs, Table       template.HTML
	Menu                     menuModel
	Lost, LostDetail, Script string
	// MovedOn and NotSent are what a touch is answered with that nothing came of.
	MovedOn, NotSent string
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

// fixed counts the sections before the boxes.
const fixed = 9

// drawn names the build and the language. A page loads itself again when it is sent
// sections of another: its own words must be of the same language as theirs.
func (r renderer) drawn() string { return build + "-" + r.language.Tag() }

// table writes all sections as the one element that holds them.
func (r renderer) table(b *bytes.Buffer, all []section) {
	b.WriteString(`<main id="table" data-build="` + r.drawn() + `">`)
	for i, s := range all {
		switch i {
		case fixed - 5:
			b.WriteString(`<div id="near">`)
		case fixed - 3:
			b.WriteString(`</div>`)
		case fixed:
			b.WriteString(`<div class="boxes n` + strconv.Itoa(len(all)-fixed) + `">`)
		}
		b.WriteString(s.html)
	}
	if len(all) > fixed {
		b.WriteString(`</div>`)
	}
	b.WriteString(`</main>`)
}
