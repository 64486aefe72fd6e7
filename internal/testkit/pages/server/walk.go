package main

import (
	"context"
	"encoding/json"
	"flag"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/vocab"
)

// sampleWalk is every state in which a table's page can be, in every language and situation, for the test that walks
// them all. Beside the page it answers
//
//	/walk/list                              what there is to walk
//	/walk/table?state=…&situation=…&lang=…  the table in one of them, as the page is sent it
func sampleWalk(*flag.FlagSet) func(string) (Sample, error) {
	return func(string) (Sample, error) { return walked(), nil }
}

func walked() Sample {
	spoken, _ := display.BuiltIn().With(profile.Built().Words()).Speak("en")
	page := web.New(web.Options{
		Language: spoken, Recall: displaytest.Rounds(),
		Press: func(context.Context, vocab.Input, string) (uint64, vocab.Reason, error) { return 0, 0, nil },
	})
	w := newWalk(page, spoken.Menu())
	site := http.NewServeMux()
	site.HandleFunc("/walk/list", w.list)
	site.HandleFunc("/walk/table", w.table)
	site.Handle("/", page.Handler())
	return Sample{Handler: site}
}

// walk draws states. One server draws one at a time: mu is held meanwhile.
type walk struct {
	states     map[string]display.View
	situations map[string]displaytest.Situation
	listed     listed

	mu   sync.Mutex
	page *web.Server
	seq  uint64
}

// listed are the names of what there is to walk, in order.
type listed struct {
	States     []string `json:"states"`
	Situations []string `json:"situations"`
	Languages  []string `json:"languages"`
}

// drawn is the table in one state, and the names in it: they alone may be shortened.
type drawn struct {
	Markup string   `json:"markup"`
	Names  []string `json:"names"`
}

func newWalk(page *web.Server, languages []display.Language) *walk {
	w := &walk{states: map[string]display.View{}, situations: map[string]displaytest.Situation{}, page: page}
	for _, one := range slices.Concat(displaytest.Samples(), displaytest.Holds()) {
		w.states[one.Name] = one.View
		w.listed.States = append(w.listed.States, one.Name)
	}
	for _, one := range displaytest.Situations() {
		w.situations[one.Name] = one
		w.listed.Situations = append(w.listed.Situations, one.Name)
	}
	for _, one := range languages {
		w.listed.Languages = append(w.listed.Languages, one.Code())
	}
	return w
}

func (w *walk) list(to http.ResponseWriter, _ *http.Request) { answer(to, w.listed) }

func (w *walk) table(to http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query()
	v, known := w.states[asked.Get("state")]
	situation, there := w.situations[asked.Get("situation")]
	if !known || !there {
		http.NotFound(to, r)
		return
	}
	if v.Bets == nil {
		house := displaytest.Named("twins-bets").Bets
		v.Bets = &display.Bets{Amounts: true, Chips: house.Chips}
		if v.Phase == vocab.Bets {
			v.Bets.Wagers = house.Wagers
		}
	}
	situation.On(&v)
	answer(to, drawn{Markup: w.draw(v, asked.Get("lang")), Names: names(v)})
}

// draw returns the table as the page has it.
func (w *walk) draw(v display.View, language string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seq++
	v.Seq = w.seq
	w.page.Show(v)
	r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1/", nil)
	r.AddCookie(&http.Cookie{Name: "sabot-language", Value: language})
	got := httptest.NewRecorder()
	w.page.Handler().ServeHTTP(got, r)
	_, markup, _ := strings.Cut(got.Body.String(), `<main id="table"`)
	markup, _, _ = strings.Cut(markup, "</main>")
	return `<main id="table"` + markup + "</main>"
}

// names are those of people, and of the table.
func names(v display.View) []string {
	all := []string{v.Table, v.Shift.Dealer, v.Shift.Name}
	for _, b := range v.Boxes {
		for _, one := range b.Bettors {
			all = append(all, one.Name, one.Player)
		}
		for _, one := range b.Sides {
			all = append(all, one.Bettor, one.Player)
		}
		for _, one := range b.Payouts {
			all = append(all, one.Bettor)
		}
	}
	for _, one := range v.Bets.Last {
		all = append(all, one.Bettor)
	}
	if v.Supervisor != nil {
		all = append(all, v.Supervisor.Present)
		all = append(all, v.Supervisor.Names...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return slices.DeleteFunc(all, func(name string) bool { return name == "" })
}

func answer(to http.ResponseWriter, what any) {
	to.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(to).Encode(what); err != nil {
		slog.Debug("walk: the browser left", "err", err)
	}
}
