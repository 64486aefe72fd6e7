package bench

import (
	"bytes"
	"context"
	"errors"
	"html/template"
	"net/http"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/sim-hardware/practice"
)

// PracticePath is the path of the page on which trainees practise.
const PracticePath = Path + "/practice"

// practising serves the pages of practice.
func (b *Bench) practising(all *rows) {
	room := b.o.Practice
	all.page(PracticePath, b.speaking(site.HTML, b.practicePage))
	all.page(PracticePath+"/results", b.speaking(site.HTML, b.resultsPage))
	all.post(PracticePath+"/answer", taking(func(_ context.Context, in struct {
		seat
		Seed   uint64 `json:",string"`
		Answer string
	},
	) error {
		_, err := room.Answer(in.Who, in.House, in.Kind, in.Seed, in.Answer)
		return err
	}))
	all.post(PracticePath+"/next", taking(func(_ context.Context, in struct{ seat }) error {
		room.Next(in.Who, in.House, in.Kind)
		return nil
	}))
	b.incidents(all)
	all.post(PracticePath+"/delete", taking(func(_ context.Context, in struct{ Who string }) error {
		return room.Forget(in.Who)
	}))
}

// incidents serves what a trainee does at the table, and how far that is.
func (b *Bench) incidents(all *rows) {
	all.page(PracticePath+"/incident", b.speaking(site.JSON, b.incidentState))
	all.post(PracticePath+"/incident", taking(func(ctx context.Context, in struct {
		seat
		Do string
	},
	) error {
		run := b.incidentOf(in.Who)
		switch {
		case in.Do == "start":
			return b.StartIncident(ctx, in.Who)
		case in.Do == "next":
			b.LeaveIncident(in.Who)
			return nil
		case run.stage != stageOpen:
			return errNoIncident
		case in.Do == "give-up":
			return b.GiveUp(in.Who)
		case in.Do == "draw":
			return b.Shoe(ctx, "draw")
		case in.Do == "mend" && run.of.Mends != "":
			return b.Shoe(ctx, run.of.Mends)
		case in.Do == "supervisor":
			return b.Keys("turn", "supervisor")
		}
		return errors.New(sayNotRead)
	}))
}

// seat says who does which exercises.
type seat struct {
	Who, House string
	Kind       practice.Kind
}

// speaking draws a page in the language of the screen that asks.
func (b *Bench) speaking(kind string, page func(display.Language, *http.Request) ([]byte, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		b.send(w, kind, func() ([]byte, error) { return page(web.LanguageOf(r.Context()), r) })
	}
}

// errNoSuchPage is an address that no link of the page has.
var errNoSuchPage = errors.New(sayNotRead)

// practicePage draws who is there, what can be practised or, where both are chosen, the exercise.
func (b *Bench) practicePage(l display.Language, r *http.Request) ([]byte, error) {
	query := r.URL.Query()
	p := b.practiceModel(l, r)
	if p.Who == "" {
		return p.draw()
	}
	house, kind := query.Get("house"), query.Get("kind")
	if house == "" || kind == "" {
		return b.choosePractice(p)
	}
	var k practice.Kind
	if err := k.UnmarshalText([]byte(kind)); err != nil || b.o.Practice.Houses[house] == nil {
		return nil, errNoSuchPage
	}
	if k == practice.Incidents {
		return b.incidentPage(p, house)
	}
	return b.exercisePage(p, house, k)
}

func (p *practiceModel) draw() ([]byte, error) {
	var out bytes.Buffer
	err := pages.ExecuteTemplate(&out, "practice.html", p)
	return out.Bytes(), err
}

// shapes are those of the cards.
func (practiceModel) Shapes() template.HTML { return shapes }

// Digits are those of the table's own pads.
func (practiceModel) Digits() []string { return web.Digits() }
