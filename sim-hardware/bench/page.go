package bench

import (
	"bytes"
	"embed"
	"html/template"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/lcd"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

//go:embed templates/*.html
var templates embed.FS

//go:embed assets/*
var assets embed.FS

var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"label": label, "plain": plain, "face": face,
}).ParseFS(templates, "templates/*.html"))

// files are what the page asks for.
var files = site.NewFiles(assets, templates)

// build identifies the templates and assets: a page of another build reloads itself.
var build = files.Build()

// part is one element of the page, which is replaced entirely, by its id.
type part struct{ id, html string }

// drawing collects parts and the first error among them.
type drawing struct {
	parts []part
	buf   bytes.Buffer
	err   error
}

func (d *drawing) add(id, name string, model any) {
	if d.err != nil {
		return
	}
	d.buf.Reset()
	d.err = pages.ExecuteTemplate(&d.buf, name, model)
	d.parts = append(d.parts, part{id, oneLine.Replace(d.buf.String())})
}

// oneLine keeps a line break in a text from ending a message of the stream.
var oneLine = strings.NewReplacer("\n", " ", "\r", " ")

// draw draws everything on the page that changes.
func (b *Bench) draw() ([]part, error) {
	view, _ := b.o.Table.Look()
	outputs, _ := b.o.Panel.Look()
	shoe := b.o.Shoe.State()
	now := b.snapshot()
	var d drawing
	d.add("prompt", "prompt", promptOf(view))
	d.add("lcd", "lcd", lcd.Screen{}.Lines(view))
	d.add("lamps", "lamps", lampsOf(b.o.Panel.outputs, outputs))
	d.add("dealer", "dealer", now)
	d.add("ways", "ways", waysOf(view, now))
	d.add("log", "log", now)
	d.add("left", "left", shoe)
	for _, c := range b.contacts(view) {
		d.add("key-"+c.Name, "contact", c)
	}
	d.add("cable", "cable", shoe)
	d.add("noise", "noise", now)
	for _, t := range b.troubles() {
		d.add("alarm-"+t.Name, "trouble", t)
	}
	d.add("shoe", "shoe", shoeOf(shoe, b.o.Shoe))
	d.add("wire", "wire", b.o.Wire.frames())
	d.add("script-state", "script", now)
	return d.parts, d.err
}

// snapshot is the bench's own state as the page shows it.
type snapshot struct {
	Deals, Stops, Noisy, Running bool
	Script                       string
	Notes                        []note
}

func (b *Bench) snapshot() snapshot {
	b.mu.Lock()
	defer b.mu.Unlock()
	return snapshot{
		Deals: b.who != personDeals, Stops: b.who == dealerStops, Noisy: b.noisy,
		Running: b.script.stop != nil, Script: b.script.said, Notes: b.notes,
	}
}

type promptModel struct {
	Table, Headline, Detail, Note string
	Stop                          bool
}

func promptOf(v display.View) promptModel {
	step, say := display.Prompt(v), display.English.Say
	return promptModel{
		Table: v.Table, Headline: say(step.Headline), Detail: say(step.Detail), Note: say(step.Note),
		Stop: step.Stop,
	}
}

// lamp is one of the panel's outputs.
type lamp struct {
	Name string
	On   bool
}

func lampsOf(names []string, outputs []keysim.Output) []lamp {
	var all []lamp
	for i, name := range names {
		all = append(all, lamp{name, outputs[i].On})
	}
	return all
}

// waysModel is what holds the round, and its possible resolutions.
type waysModel struct {
	Held   *display.Held
	Proven string // the proven supervisor, "" for none
	ByHand bool
}

func waysOf(v display.View, now snapshot) waysModel {
	m := waysModel{Held: v.Held, ByHand: !now.Deals}
	if v.Supervisor != nil {
		m.Proven = v.Supervisor.Present
	}
	return m
}

// contact is one of the panel's contacts.
type contact struct {
	Name          string
	Box           int
	Stays         bool // where it is put
	Closed, Stuck bool
	// Unused is the sensor of a box that the table does not have.
	Unused bool
}

func (b *Bench) contacts(v display.View) []contact {
	is := b.o.Panel.Contacts()
	var all []contact
	for i, name := range b.o.Panel.contacts {
		box := boxOf(name)
		all = append(all, contact{
			Name: name, Box: box, Stays: stays(name), Closed: is[i].Closed, Stuck: is[i].Stuck,
			Unused: box > len(v.Boxes),
		})
	}
	return all
}

// trouble is an alarm that the shoe can raise.
type trouble struct {
	Name, Title string
	On          bool
}

func (b *Bench) troubles() []trouble {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []trouble
	for _, t := range b.o.Shoe.Kind().Troubles() {
		all = append(all, trouble{string(t), troubles[t], b.on[t]})
	}
	return all
}

type shoeModel struct {
	shoesim.State
	Kind  shoesim.Kind
	Path  string
	Sabot bool
}

func shoeOf(s shoesim.State, shoe *shoesim.Shoe) shoeModel {
	return shoeModel{s, shoe.Kind(), shoe.Path(), shoe.Kind() == shoesim.Sabot}
}

// page draws the whole document.
func (b *Bench) page() ([]byte, error) {
	parts, err := b.draw()
	if err != nil {
		return nil, err
	}
	m := pageModel{Build: build, Practice: b.o.Practice != nil, Parts: map[string]template.HTML{}, Scenarios: readyMade}
	for _, p := range parts {
		m.Parts[p.id] = template.HTML(p.html)
		switch {
		case strings.HasPrefix(p.id, "key-"):
			name := strings.TrimPrefix(p.id, "key-")
			group := &m.Keys
			if boxOf(name) != 0 {
				group = &m.Boxes
			} else if stays(name) {
				group = &m.Switches
			}
			*group = append(*group, m.Parts[p.id])
		case strings.HasPrefix(p.id, "alarm-"):
			m.Alarms = append(m.Alarms, m.Parts[p.id])
		}
	}
	var out bytes.Buffer
	err = pages.ExecuteTemplate(&out, "bench.html", m)
	return out.Bytes(), err
}

type pageModel struct {
	Build                         string
	Practice                      bool
	Parts                         map[string]template.HTML
	Keys, Switches, Boxes, Alarms []template.HTML
	Scenarios                     []ready
}

// Ranks are the ranks in the order of the page.
func (pageModel) Ranks() []string { return strings.Split("A23456789TJQK", "") }

// suit is a suit's letter, symbol and name.
type suit struct {
	Letter, Sign, Name string
	Red                bool
}

var suits = []suit{
	{"S", "♠", "Spades", false},
	{"H", "♥", "Hearts", true},
	{"D", "♦", "Diamonds", true},
	{"C", "♣", "Clubs", false},
}

// Suits are the four suits.
func (pageModel) Suits() []suit { return suits }

// cardFace is a card as the page writes it.
type cardFace struct {
	Text string
	Red  bool
}

// face writes a card with its suit's symbol; "" for none.
func face(c card.Card) cardFace {
	if !c.Ranked() {
		return cardFace{Text: c.String()}
	}
	name := c.String()
	for _, s := range suits {
		if strings.HasSuffix(name, s.Letter) {
			rank := strings.Replace(name[:1], "T", "10", 1)
			return cardFace{Text: rank + s.Sign, Red: s.Red}
		}
	}
	return cardFace{Text: name}
}
