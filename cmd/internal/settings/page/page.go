// Package page asks the questions of which a table is made, on the table's own screen: all of them at a first start, and
// later each by itself, of a proven supervisor.
package page

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"html/template"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/sabot-table/sabot/cmd/internal/config"
	"github.com/sabot-table/sabot/cmd/internal/settings"
	"github.com/sabot-table/sabot/device/gpio"
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/table/profile"
)

// ErrNotProven is that no supervisor is proven: a PIN is asked for.
var ErrNotProven = errors.New("no supervisor is proven")

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
	// Save writes answers that were judged. It returns whether the table waits for the end of a round; the error is
	// ErrNotProven before anything else.
	Save func(ctx context.Context, answers []settings.Answer) (waits bool, err error)
	// Names are the supervisors who may be proven, and Prove proves one; not at a first start.
	Names []string
	Prove func(ctx context.Context, name, pin string) error
	// Tried is told where a shoe is after a card that was only tried, and Last says it again; only at a first start.
	Tried func(shoe.Position)
	Last  func() shoe.Position
	// Pressed waits until a key is pressed whose line is none of those that are for something else, and returns its line, ""
	// if none is before ctx ends; nil listens to this computer's lines.
	Pressed func(ctx context.Context, others []gpio.Line) (line string, err error)
	// Beside answers at other addresses of a first start, by their patterns; nil for none.
	Beside map[string]http.Handler
	// Proven reports whether a supervisor is; nil at a first start.
	Proven func(ctx context.Context) bool
	Log    *slog.Logger
}

// Prefix begins the addresses of the page.
const Prefix = "/settings/"

//go:embed assets/*.css assets/*.js
var assets embed.FS

//go:embed templates/*.html
var templates embed.FS

var build = func() string {
	sum := sha256.New()
	for _, name := range []string{"assets/settings.css", "assets/settings.js"} {
		text, err := assets.ReadFile(name)
		if err != nil {
			panic("settings/page: embedded files cannot be read: " + err.Error())
		}
		sum.Write(text)
	}
	return hex.EncodeToString(sum.Sum(nil))[:12]
}()

// page is the page as it is served.
type page struct {
	Options
	trials chan struct{} // holds one: the shoe and the broker are tried by one at a time
}

// New returns the page's handler, for Prefix. It answers only to this computer's own screens.
func New(o Options) http.Handler {
	p := &page{Options: o, trials: make(chan struct{}, 1)}
	if p.Pressed == nil {
		p.Pressed = pressedHere
	}
	site := http.NewServeMux()
	site.HandleFunc("GET "+Prefix+"{$}", p.show)
	site.HandleFunc("GET "+Prefix+"assets/{name}", asset)
	site.HandleFunc("GET "+Prefix+"state", p.state)
	for where, take := range map[string]func(context.Context, given) answer{
		"check": p.check, "save": p.save, "pin": p.pin, "ports": p.ports, "draw": p.draw, "broker": p.broker, "press": p.press,
	} {
		site.Handle("POST "+Prefix+where, p.taking(take))
	}
	if o.First {
		site.Handle("GET /{$}", http.RedirectHandler(Prefix, http.StatusFound))
		for pattern, handler := range o.Beside {
			site.Handle(pattern, handler)
		}
	}
	return guard(site)
}

// guard is the bench's: only this machine, by its own name, and only its own pages.
func guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		web.Protect(w, r)
		switch {
		case !web.Loopback(r.Host) || !web.Loopback(r.RemoteAddr):
			http.Error(w, "The settings answer only on the table's own computer: open them as http://localhost and its port.", http.StatusMisdirectedRequest)
		case web.FromElsewhere(r) || web.ForeignOrigin(r):
			http.Error(w, "The settings accept nothing from pages of other origins.", http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

var kinds = map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}

func asset(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	text, err := assets.ReadFile("assets/" + name)
	if err != nil {
		web.Asset(w, r) // such as the icon
		return
	}
	w.Header().Set("Content-Type", kinds[path.Ext(name)])
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	_, _ = w.Write(text) // a browser that has left needs nothing
}

// given is what a post holds, and answer what it gets.
type given struct {
	Answers   []settings.Answer
	About     string
	Name, PIN string
}

type answer struct {
	// Wrong says what is wrong, "" if nothing is.
	Wrong string `json:"wrong,omitempty"`
	// Key is that of the field that it is about, for which the page has the screen's words; "" if Wrong says it.
	Key   string `json:"key,omitempty"`
	Waits bool   `json:"waits,omitempty"`
	// Untried says that nothing was tried, since nobody is proven.
	Untried bool   `json:"untried,omitempty"`
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

func (p *page) taking(take func(context.Context, given) answer) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
			http.Error(w, "The settings accept only posts of application/json.", http.StatusUnsupportedMediaType)
			return
		}
		var g given
		decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, mostGiven))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&g); err != nil || len(g.Answers) > mostAnswers {
			http.Error(w, "This cannot be read.", http.StatusBadRequest)
			return
		}
		if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
			http.Error(w, "This cannot be read.", http.StatusBadRequest)
			return
		}
		said := take(r.Context(), g)
		w.Header().Set("Content-Type", "application/json")
		if said.status != 0 {
			w.WriteHeader(said.status)
		}
		if err := json.NewEncoder(w).Encode(said); err != nil {
			p.Log.Debug("settings: the browser left before it had everything", "err", err)
		}
	})
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
func (p *page) check(_ context.Context, g given) answer {
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
	return wrong(settings.Check("sabot.yaml", text, p.Houses, about))
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

func (p *page) save(ctx context.Context, g given) answer {
	waits, err := p.Save(ctx, g.Answers)
	if errors.Is(err, ErrNotProven) {
		return answer{status: http.StatusForbidden, Wrong: err.Error()}
	}
	said := wrong(err)
	said.Waits, said.Never = waits, neverRemoved(err)
	return said
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

func (p *page) pin(ctx context.Context, g given) answer {
	if p.Prove == nil {
		return answer{status: http.StatusNotFound, Wrong: "nobody can be proven yet"}
	}
	return wrong(p.Prove(ctx, g.Name, g.PIN))
}

// state tells the page when the table has begun anew.
func (p *page) state(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"first": p.First, "boot": json.Number(itoa(p.Boot)).String()}) // a browser that has left needs nothing
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

var drawn = template.Must(template.New("").Funcs(template.FuncMap{"text": func(string) string { return "" }}).ParseFS(templates, "templates/*.html"))

func (p *page) show(w http.ResponseWriter, r *http.Request) {
	language := p.speaks(r)
	text, err := p.Text()
	if err != nil {
		http.Error(w, "The configuration cannot be read: "+err.Error(), http.StatusInternalServerError)
		return
	}
	said := func(key string) string { return language.Say(display.Message{Key: key}) }
	m := p.model(language, settings.Tried(text), said)
	t, err := drawn.Clone()
	if err == nil {
		var b strings.Builder
		if err = t.Funcs(template.FuncMap{"text": said}).ExecuteTemplate(&b, "page.html", m); err == nil {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, b.String()) // a browser that has left needs nothing
			return
		}
	}
	p.Log.Error("settings: the page could not be drawn; report this", "err", err)
	http.Error(w, "The page could not be drawn; the daemon's log says why.", http.StatusInternalServerError)
}

// speaks is the language that the address asks for, then the screen's, then the table's.
func (p *page) speaks(r *http.Request) display.Language {
	if l, ok := display.Speak(r.URL.Query().Get("lang")); ok {
		return l
	}
	if cookie, err := r.Cookie(web.LanguageCookie); err == nil {
		if l, ok := display.Speak(cookie.Value); ok {
			return l
		}
	}
	return p.Language
}
