// Package page asks the questions of which a table is made, on the table's own screen: all of them at a first start,
// and later each by itself, of a proven supervisor.
//
// It is apart from the questions, so that the tool, which asks them in a terminal, links no server.
package page

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/sabot-table/sabot/device/gpio"
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/settings"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/vocab"
)

// Options are what the page asks for, and of whom.
type Options struct {
	// First says that nothing is answered yet, and that nobody can be proven.
	First bool
	// Why says why the questions are asked again; "" the first time.
	Why string
	// Boot is another one after the table has begun anew.
	Boot   uint64
	Houses profile.Book
	// Language is what the page speaks until its screen has chosen another.
	Language display.Language
	// Text is the file as it is.
	Text func() ([]byte, error)
	// Save writes the answers of a first start.
	Save func(ctx context.Context, answers []settings.Answer) error
	// Change makes a change for those who are proven for it, and reports whether the table waits for the end of a
	// round; not at a first start. Nobody is proven before or after.
	Change func(ctx context.Context, c Change) (waits bool, err error)
	// Names are the supervisors who may be proven, and Prove proves one for what is asked now; not at a first start.
	Names func() []string
	Prove func(ctx context.Context, g authority.Given) (by string, err error)
	// Tried is told where a shoe is after a card that was only tried, and Last says it again; only at a first start.
	Tried func(shoe.Position)
	Last  func() shoe.Position
	// Pressed waits until a key is pressed whose line is none of those that are for something else, and returns its
	// line, "" if none is before ctx ends; nil listens to this computer's lines.
	Pressed func(ctx context.Context, others []gpio.Line) (line string, err error)
	Log     *slog.Logger
}

// Change is a change of settings, as it was shown to whoever is proven for it.
type Change struct {
	Answers []settings.Answer
	// Text is the file as it is before, and Settings are what is changed.
	Text     []byte
	Settings []vocab.Setting
	// By is who makes it, and Also the second supervisor, where it takes two.
	By, Also authority.Given
}

// Prefix begins the addresses of the page.
const Prefix = "/settings/"

//go:embed assets/*.css assets/*.js
var assets embed.FS

//go:embed templates/*.html
var templates embed.FS

// files are what the page asks for, beside those that it shares with the table's, such as the icon.
var files = site.NewFiles(assets, templates).Beside(web.Build(), web.Asset)

var build = files.Build()

// page is the page as it is served.
type page struct {
	Options
	menu    site.Menu
	trials  chan struct{} // holds one: the shoe and the broker are tried by one at a time
	changes chan struct{} // holds one: what was shown is what is changed
	shown   sealer
	permits permits
}

// New returns what the page answers, below Prefix, to the table's own screens alone.
func New(o Options) []site.Row {
	p := &page{
		Options: o, menu: site.NewMenu(o.Language), trials: make(chan struct{}, 1),
		changes: make(chan struct{}, 1), shown: newSealer(),
	}
	if p.Pressed == nil {
		p.Pressed = pressedHere
	}
	const get, post = http.MethodGet, http.MethodPost
	own := func(method, path string, serve http.HandlerFunc) site.Row {
		return site.Row{
			Method: method, Path: Prefix + path, Least: web.Own, Most: mostGiven,
			Serve: serve,
		}
	}
	proving := func(path string, take func(context.Context, given) answer) site.Row {
		r := own(post, path, p.taking(take))
		r.Seldom = true
		return r
	}
	all := []site.Row{
		own(get, "{$}", p.show), own(get, "state", p.state),
		{Method: get, Path: Prefix + "assets/{name}", Least: site.Everybody, Serve: files.Serve},
		own(post, "check", p.taking(p.check)), own(post, "ports", p.taking(p.ports)),
		own(post, "broker", p.taking(p.broker)),
		own(post, "press", p.taking(p.press)), proving("save", p.save),
	}
	if o.First {
		all = append(all, own(post, "draw", p.taking(p.draw)))
	} else {
		all = append(all, proving("permit", p.permit))
	}
	return all
}

// given is what a post holds, and answer what it gets.
type given struct {
	Answers []settings.Answer
	About   string
	// Lang is the language in which the page speaks.
	Lang string
	// Of names what was shown, and was asked for with a PIN.
	Of string
	// Permit is what a PIN has permitted.
	Permit string
	authority.Given
	Second authority.Given
}

type answer struct {
	// Wrong says what is wrong, "" if nothing is.
	Wrong string `json:"wrong,omitempty"`
	// Key is that of the field that it is about, for which the page has the screen's words; "" if Wrong says it.
	Key   string `json:"key,omitempty"`
	Waits bool   `json:"waits,omitempty"`
	// Changes say in the screen's words what would be done, and Of names them: whoever is proven is proven for them.
	// Two says that it takes a second supervisor, but for Own, whose own PIN it is.
	Changes []string `json:"changes,omitempty"`
	Of      string   `json:"of,omitempty"`
	Two     bool     `json:"two,omitempty"`
	Own     string   `json:"own,omitempty"`
	// Untried says that nothing was done, since nobody is proven for it; Failed that somebody was not, and Moved that
	// the settings are no longer those that were shown.
	Untried bool   `json:"untried,omitempty"`
	Failed  bool   `json:"failed,omitempty"`
	Moved   bool   `json:"moved,omitempty"`
	Permit  string `json:"permit,omitempty"`
	Card    string `json:"card,omitempty"`
	Ports   []port `json:"ports,omitempty"`
	// Line is that of the key that was pressed, "" if none was.
	Line string `json:"line,omitempty"`
	// Trust is what could be trusted so that a broker is believed.
	Trust *trust `json:"trust,omitempty"`
	// Never is what nothing puts right, for which the page has the screen's words.
	Never never `json:"never,omitempty"`

	status int
}

// mostGiven is how long a post may be, and mostAnswers how many answers it may have.
const mostGiven, mostAnswers = 16 << 10, 64

func (p *page) taking(take func(context.Context, given) answer) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var g given
		if site.Read(r, mostGiven, &g) != nil || len(g.Answers) > mostAnswers {
			http.Error(w, "This cannot be read.", http.StatusBadRequest)
			return
		}
		said := take(r.Context(), g)
		site.Answer(w, cmp.Or(said.status, http.StatusOK), said)
	}
}

// about are the answers to one question.
func (g given) about() []settings.Answer {
	q, _ := settings.QuestionNamed(g.About)
	var list []settings.Answer
	for _, a := range g.Answers {
		for _, f := range q.Fields {
			if f.Key == a.Key && !f.Kind.Apart() {
				list = append(list, a)
			}
		}
	}
	return list
}

// check judges the answers to a question, after those that were given before.
func (p *page) check(ctx context.Context, g given) answer {
	text, err := p.Text()
	if err != nil {
		return wrong(err)
	}
	about := g.about()
	if len(about) == 0 {
		return wrong(errors.New("nothing was answered"))
	}
	var before []settings.Answer
	for _, a := range g.Answers {
		if f, err := settings.FieldOf(a.Key); err == nil && !f.Kind.Apart() && f.Kind != settings.Person {
			before = append(before, a)
		}
	}
	if after, err := settings.Write(text, before); err == nil {
		text = after
	}
	err = settings.Check("sabot.yaml", text, p.Houses, about)
	said := wrong(err)
	if said.Never = neverRemoved(err); err == nil && !p.First {
		return p.shows(ctx, g)
	}
	return said
}

// wrong is the answer to an error; a fault's place in the file says nothing to somebody at the screen.
func wrong(err error) answer {
	var faults settings.Wrong
	switch {
	case err == nil:
		return answer{}
	case errors.As(err, &faults):
		f := faults.Faults[0]
		if of, err := settings.FieldOf(f.Path); err == nil {
			return answer{Key: of.Key, Wrong: f.What + "; " + f.Hint}
		}
		return answer{Wrong: f.Path + " " + f.What + "; " + f.Hint}
	}
	return answer{Wrong: err.Error()}
}

// save writes the answers of a first start, or makes a change for who is proven for it with this very request.
func (p *page) save(ctx context.Context, g given) answer {
	if p.First {
		return wrong(p.Save(ctx, g.Answers))
	}
	select {
	case p.changes <- struct{}{}:
		defer func() { <-p.changes }()
	case <-ctx.Done():
		return wrong(context.Cause(ctx))
	}
	now, c, err := p.change(ctx, g)
	switch {
	case err != nil:
		return wrong(err)
	case len(c.Settings) == 0:
		return answer{}
	case now.Of != g.Of:
		return answer{status: http.StatusConflict, Moved: true, Wrong: "the settings are not those that were shown"}
	}
	waits, err := p.Change(ctx, c)
	if said, refused := unproven(err); refused {
		said.Changes, said.Of, said.Two, said.Own = now.Changes, now.Of, now.Two, now.Own
		return said
	}
	said := wrong(err)
	said.Waits, said.Never = waits, neverRemoved(err)
	return said
}

// Why one supervisor does not change who supervises.
var (
	ErrSecond = errors.New("a second supervisor has to enter a PIN, too: who supervises a table is decided by two")
	ErrTwice  = errors.New("the second supervisor has to be another one than the first")
)

// unproven is the answer to who is not proven: nothing was done, and no try was counted where no PIN was given.
func unproven(err error) (said answer, refused bool) {
	if errors.Is(err, ErrSecond) || errors.Is(err, ErrTwice) {
		return answer{status: http.StatusForbidden, Failed: true, Wrong: err.Error()}, true
	}
	why, refused := errors.AsType[*authority.Refusal](err)
	if !refused {
		return said, false
	}
	needs := strings.HasPrefix(string(why.Why), string(authority.WhyNeeds))
	return answer{status: http.StatusForbidden, Untried: needs, Failed: !needs, Wrong: why.Error()}, true
}

// shows is what answers would change, in words, and what names it.
func (p *page) shows(ctx context.Context, g given) answer {
	said, _, err := p.change(ctx, g)
	if err != nil {
		return wrong(err)
	}
	return said
}

// change is what answers would change in the file as it is.
func (p *page) change(ctx context.Context, g given) (said answer, c Change, err error) {
	c = Change{Answers: g.Answers, By: g.Given, Also: g.Second}
	if c.Text, err = p.Text(); err != nil {
		return said, c, err
	}
	if c.Settings, err = settings.Differences(c.Text, g.Answers); err != nil {
		return said, c, err
	}
	language, said := p.language(g.Lang), answer{Two: settings.TakesTwo(c.Text, c.Settings, "")}
	for _, s := range c.Settings {
		said.Changes = append(said.Changes, language.SetTo(label(language, s.Key), s))
		if said.Two && !settings.TakesTwo(c.Text, c.Settings, s.Of) {
			said.Own = s.Of
		}
	}
	said.Of = p.shown.seal(web.ScreenOf(ctx), c.Text, g.Answers)
	return said, c, nil
}

func neverRemoved(err error) never {
	switch {
	case errors.Is(err, settings.ErrLast):
		return lastOne
	case errors.Is(err, settings.ErrSelf):
		return oneself
	}
	return ""
}

// state tells the page when the table has begun anew.
func (p *page) state(w http.ResponseWriter, _ *http.Request) {
	site.Answer(w, http.StatusOK, map[string]any{"first": p.First, "boot": itoa(p.Boot)})
}

// one lets one trial run at a time; a later one waits for it, and for its own time no longer.
func (p *page) one(ctx context.Context, most time.Duration, try func(context.Context) error) error {
	ctx, done := context.WithTimeout(ctx, most)
	defer done()
	select {
	case p.trials <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-p.trials }()
	return try(ctx)
}

// with is the configuration with answers that are only tried, as far as it can be read.
func (p *page) with(answers []settings.Answer) (config.Config, error) {
	text, err := p.Text()
	if err != nil {
		return config.Config{}, err
	}
	var plain []settings.Answer
	for _, a := range answers {
		if f, err := settings.FieldOf(a.Key); err == nil && !f.Kind.Apart() {
			plain = append(plain, a)
		}
	}
	if text, err = settings.Write(settings.Begin(text), plain); err != nil {
		return config.Config{}, err
	}
	return settings.Tried(text), nil
}

var (
	pages    = site.ParseTemplates(templates, "templates/*.html")
	drawPage = site.Compile[model](pages, "page.html")
	drawLost = site.Compile[lost](pages, "lost.html")
)

func (p *page) show(w http.ResponseWriter, r *http.Request) {
	language := p.menu.Speaks(r)
	text, err := p.Text()
	if err != nil {
		http.Error(w, "The configuration cannot be read: "+err.Error(), http.StatusInternalServerError)
		return
	}
	m := p.model(language, settings.Tried(text), saying(language))
	site.Send(w, http.StatusOK, site.HTML, drawPage(nil, language, &m))
}

// saying says words of a language by their keys.
func saying(l display.Language) func(key string) string {
	return func(key string) string { return l.Say(display.Message{Key: key}) }
}

// language is the one of a name, or the table's.
func (p *page) language(name string) display.Language {
	if at, known := p.menu.Called(name); known {
		return p.menu.Languages[at]
	}
	return p.Language
}
