package figures

import (
	"bytes"
	"context"
	"embed"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/topic"
)

//go:embed templates/*.html
var templates embed.FS

//go:embed assets/*.css assets/*.js
var assets embed.FS

// files are what the pages ask for.
var files = site.NewFiles(assets, templates)

// build names the assets of this build, as part of their addresses.
var build = files.Build()

// pages are the templates; each language fills in text. They are html/template, not markup: a page is drawn once for
// each request, so speed does not matter, and rows refer to what is around them, which markup leaves out on purpose.
var pages = template.Must(template.New("").
	Funcs(template.FuncMap{"text": func(string) string { return "" }}).
	ParseFS(templates, "templates/*.html"))

// Root begins the addresses of all pages of figures.
const Root = "/figures"

// Pages are all pages, for whoever may see them: figures tell what guests staked, and how fast a dealer deals. The
// shift report, and what that leads to, is for a pit boss, who reads and signs it.
func (f *Figures) Pages() []site.Row {
	const get, post = http.MethodGet, http.MethodPost
	page := func(path string, least people.Role, name string,
		make func(drawing, context.Context) (any, error),
	) site.Row {
		return site.Row{Method: get, Path: Root + path, Least: least, Page: true, Serve: f.page(name, make)}
	}
	file := func(path string, least people.Role, serve http.HandlerFunc) site.Row {
		return site.Row{Method: get, Path: Root + path, Least: least, Page: true, Serve: serve}
	}
	return append([]site.Row{
		page("", people.Manager, "figures.html", drawing.overview),
		page("/wager", people.Manager, "wager.html", drawing.wager),
		page("/rounds", people.Supervisor, "rounds.html", drawing.rounds),
		page("/report", people.Supervisor, "report.html", drawing.report),
		file("/money.csv", people.Supervisor, f.moneyFile),
		page("/odds", people.Manager, "odds.html", drawing.worths),
		{Method: get, Path: Root + "/assets/{name}", Least: site.Everybody, Page: true, Serve: files.Serve},
		{Method: post, Path: Root + "/report/sign", Least: people.Supervisor, Serve: f.sign},
	}, site.If(f.options.Trays != nil,
		page("/close", people.Cashier, "close.html", drawing.drawClose),
		page("/slips", people.Cashier, "slips.html", drawing.drawSlips),
		file("/close.csv", people.Cashier, f.closeFile),
		site.Row{Method: post, Path: Root + "/close/drop", Least: people.Cashier, Serve: f.countDrop},
	)...)
}

// drawing is a page that is being drawn: for one request, in one language.
type drawing struct {
	*Figures
	speaker
	asked
	person people.Person
}

// headModel is what every page has.
type headModel struct {
	Lang, Title, Build, Base string
	Home                     string
	// Path is the page without what was asked for, and Hidden what a form keeps of it.
	Path           string
	Night          string
	Earlier, Later string
	Spans          []choice
	// Shifts are those of the night, and all of it; none where the house has no shifts.
	Shifts          []choice
	Tables, Dealers []choice
	Hidden          []hidden
	Languages       []choice
	Report, Back    string
	// Close is where a gaming day is closed, "" for nowhere.
	Close string
	Odds  string
	// Refresh has a browser without scripts load the page again soon.
	Refresh bool
	Asks    string
}

type choice struct {
	Name, Where, Value, Lang string
	Chosen                   bool
}

type hidden struct{ Name, Value string }

// page draws one page: what makes it returns the model.
func (f *Figures) page(name string, make func(drawing, context.Context) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		d := drawing{f, f.speaking(r), f.asks(r), f.options.who(r)}
		model, err := make(d, r.Context())
		if err != nil {
			f.unread(w, r, d.speaker, err)
			return
		}
		t, err := pages.Clone()
		if err == nil {
			t.Funcs(template.FuncMap{"text": func(key string) string { return d.say(key) }})
		}
		var b bytes.Buffer
		if err == nil {
			err = t.ExecuteTemplate(&b, name, model)
		}
		if err != nil {
			f.options.Log.Error("pit: the page of figures could not be drawn; report this", "page", r.URL.Path,
				"err", err)
			http.Error(w, d.say("pit.figures-unread"), http.StatusInternalServerError)
			return
		}
		site.Send(w, http.StatusOK, site.HTML, b.Bytes())
	}
}

// unread says that the source could not be asked, and tells nobody but the log why.
func (f *Figures) unread(w http.ResponseWriter, r *http.Request, s speaker, err error) {
	if r.Context().Err() == nil {
		f.options.Log.Error("pit: the figures could not be computed: look at the database, and load the page again",
			"page", r.URL.Path, "err", err)
	}
	http.Error(w, s.say("pit.figures-unread"), http.StatusInternalServerError)
}

// speaking is the language of a request.
func (f *Figures) speaking(r *http.Request) speaker {
	at := f.languages.Of(r)
	return speaker{language: f.languages.Languages[at], menu: f.languages, chosen: at}
}

// head is what every page has; page is its address below Root.
func (d drawing) head(ctx context.Context, page, title string) (headModel, error) {
	tables, dealers, err := d.names(ctx, d.query.From, d.query.To)
	if err != nil {
		return headModel{}, err
	}
	m := headModel{
		Lang: d.language.Tag(), Title: title, Build: build, Base: web.BaseStyle + "?" + web.Build(),
		Home: d.options.Home, Path: Root + page,
		Night: d.nightSaid(), Earlier: d.at(d.night.AddDate(0, 0, -d.nights), d.nights).to(page),
		Report: d.to("/report"), Back: d.to("", "wager", "", "house", "", "code", "", "hour", "", "rules", ""),
		Odds: d.to("/odds", "dealer", "", "wager", "", "code", "", "rules", ""),
	}
	if d.options.Trays != nil {
		m.Close = d.at(d.night, 1).to("/close")
	}
	switch {
	case !d.person.May(dashboard.Supervisor):
		m.Back = ""
	case !d.person.May(dashboard.Manager):
		m.Back = d.to("/report", "wager", "", "house", "", "code", "", "hour", "", "rules", "")
	}
	if last := d.options.dateOf(d.options.Now()); d.night.Before(last) {
		next := slices.MinFunc([]time.Time{d.night.AddDate(0, 0, d.nights), last}, time.Time.Compare)
		m.Later = d.at(next, d.nights).to(page)
	}
	for i, key := range []string{"pit.figures-night", "pit.figures-week", "pit.figures-month"} {
		where := d.at(d.night, spans[i]).to(page)
		m.Spans = append(m.Spans, choice{Name: d.say(key), Where: where, Chosen: d.nights == spans[i]})
	}
	for i := range d.shifts {
		one := d.asked
		one.shift = i + 1
		m.Shifts = append(m.Shifts, choice{Name: one.shiftName(), Where: one.to(page), Chosen: d.shift == i+1})
	}
	if len(m.Shifts) > 0 {
		m.Shifts = append([]choice{{Name: d.say("pit.day"), Where: d.to(page, "shift", ""), Chosen: d.shift == 0}},
			m.Shifts...)
	}
	m.Tables = d.tableChoices(tables)
	m.Dealers = choices(d.say("pit.figures-all-dealers"), dealers, d.query.Dealer)
	m.Hidden = d.hidden()
	for i, l := range d.menu.Languages {
		m.Languages = append(m.Languages, choice{
			Name: l.Name(), Lang: l.Tag(), Where: d.to(page, "lang", l.Code()),
			Chosen: i == d.speaker.chosen,
		})
	}
	return m, nil
}

// hidden is what a form of the page sends along, so that it asks for the same nights.
func (d drawing) hidden() (list []hidden) {
	list = append(list, hidden{"night", d.night.Format("2006-01-02")})
	if d.nights != 1 {
		list = append(list, hidden{"nights", d.whole(int64(d.nights))})
	}
	if d.shift != 0 {
		list = append(list, hidden{"shift", strconv.Itoa(d.shift)})
	}
	return append(list, asking(hidden{"house", d.query.House}, hidden{"wager", d.query.Wager},
		hidden{"code", d.query.Code}, hidden{"sort", d.sort})...)
}

// asking are those that ask for anything.
func asking(list ...hidden) []hidden {
	return slices.DeleteFunc(list, func(one hidden) bool { return one.Value == "" })
}

// nightSaid names the nights that are looked at.
func (d drawing) nightSaid() string {
	if d.nights == 1 {
		return d.date(d.night)
	}
	return d.date(d.night.AddDate(0, 0, 1-d.nights)) + " – " + d.date(d.night)
}

// tableName names a table for whoever reads it.
func (f *Figures) tableName(t topic.Table) string { return dashboard.Named(t, f.options.Sites) }

// tableAsked is the table that is asked for, as the page's form sends it; of a site alone it is all of its tables.
func (d drawing) tableAsked() string {
	if !d.options.Sites || d.query.Site == "" {
		return d.query.Table
	}
	return d.query.Site + "/" + d.query.Table
}

// tableSaid names what is asked for, "" for all tables.
func (d drawing) tableSaid() string { return strings.TrimSuffix(d.tableAsked(), "/") }

// tableChoices are all tables, and each of them; where there are several sites, those of each come after all of it.
func (d drawing) tableChoices(tables []topic.Table) []choice {
	var names []string
	for i, t := range tables {
		if d.options.Sites && (i == 0 || tables[i-1].Site() != t.Site()) {
			names = append(names, t.Site()+"/")
		}
		names = append(names, d.tableName(t))
	}
	list := choices(d.say("pit.figures-all-tables"), names, d.tableAsked())
	for i := range list {
		list[i].Name = strings.TrimSuffix(list[i].Name, "/")
	}
	return list
}

// choices are all of something, and each by its name, also the chosen one where it is not among them.
func choices(all string, names []string, chosen string) []choice {
	list := []choice{{Name: all, Chosen: chosen == ""}}
	if chosen != "" && !slices.Contains(names, chosen) {
		names = append(names, chosen)
	}
	for _, name := range names {
		list = append(list, choice{Name: name, Value: name, Chosen: name == chosen})
	}
	return list
}
