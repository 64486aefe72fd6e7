// Package page shows a proven supervisor how a table does: what is wrong and what to do, all devices, the log, copies
// to give away, and a restart. Whoever serves it lets only screens of supervisors ask.
//
// It is apart from the findings that it shows, so that the tool, which prints them, links no server.
package page

import (
	"context"
	"embed"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/ops/devices"
	"github.com/sabot-table/sabot/internal/ops/doctor"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/table/authority"
)

// ErrRound is that the table cannot be restarted, since a round is open.
var ErrRound = errors.New("a round is open: finish it first, or void it")

// Options are what the page shows, and what it does. All are required.
type Options struct {
	// Boot is another one after a restart.
	Boot uint64
	// Status is who is proven: nobody else is shown anything.
	Status func(*http.Request) authority.Status
	// Source is what a bundle is made of, and what is examined, now.
	Source func() doctor.BundleSource
	States func() []devices.State
	Ring   *Ring
	// Took is told what somebody takes a copy of, before they get it.
	Took func(ctx context.Context, what string)
	// Restart has the table begin anew, for whoever is proven for it by what is given. The error is ErrRound, an
	// *authority.Refusal or what kept it from being recorded.
	Restart func(ctx context.Context, g authority.Given) error
	Log     *slog.Logger
}

// Prefix begins the addresses of the page.
const Prefix = "/devices/"

//go:embed templates/*.html
var templates embed.FS

type page struct {
	Options
	// making holds one: an examination and a bundle take time and memory.
	making chan struct{}
}

// New returns what the page answers, below Prefix.
func New(o Options) []site.Row {
	p := &page{Options: o, making: make(chan struct{}, 1)}
	const get, post = http.MethodGet, http.MethodPost
	return []site.Row{
		{Method: get, Path: Prefix + "{$}", Least: web.Supervisor, Page: true, Seldom: true, Serve: p.show},
		{Method: get, Path: Prefix + "state", Least: web.Supervisor, Serve: p.state},
		{Method: get, Path: Prefix + "log", Least: web.Supervisor, Serve: p.proven(p.log)},
		{Method: post, Path: Prefix + "take", Least: web.Supervisor, Seldom: true, Serve: p.proven(p.takeBundle)},
		{Method: post, Path: Prefix + "restart", Least: web.Supervisor, Seldom: true, Serve: p.proven(p.restart)},
	}
}

// isProven reports whether somebody is proven who may see everything.
func isProven(s authority.Status) bool { return s.Needs == 0 }

// proven lets only through while a supervisor is proven.
func (p *page) proven(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !isProven(p.Status(r)) {
			site.Answer(w, http.StatusForbidden,
				answer{Needs: true, Error: "no supervisor is proven: enter a PIN at /supervisor, or turn the key"})
			return
		}
		serve(w, r)
	}
}

// answer is what a request gets that is no page and no file.
type answer struct {
	// Needs says that a supervisor has to be proven first, and Failed that somebody was not.
	Needs  bool   `json:"needs,omitempty"`
	Failed bool   `json:"failed,omitempty"`
	Round  bool   `json:"round,omitempty"`
	Error  string `json:"error,omitempty"`
	// Boot says which start of the table answers.
	Boot  string `json:"boot,omitempty"`
	Lines []line `json:"lines,omitempty"`
}

func (p *page) left(err error) {
	p.Log.Debug("devices: the browser left before it had everything", "err", err)
}

// state tells a page when the table has begun anew.
func (p *page) state(w http.ResponseWriter, _ *http.Request) {
	site.Answer(w, http.StatusOK, answer{Boot: strconv.FormatUint(p.Boot, 10)})
}

// alone waits until nobody else has something made, and reports whether the browser is still there.
func (p *page) alone(ctx context.Context) (done func(), still bool) {
	select {
	case p.making <- struct{}{}:
		return func() { <-p.making }, true
	case <-ctx.Done():
		return nil, false
	}
}

// draw draws the page.
var draw = site.Compile[model](site.ParseTemplates(templates, "templates/*.html"), "page.html")

// show shows the page or, while nobody is proven, asks for a PIN.
func (p *page) show(w http.ResponseWriter, r *http.Request) {
	language := web.LanguageOf(r.Context())
	say := func(key string) string { return language.Say(display.Message{Key: key}) }
	m := p.base(language, say, p.Status(r))
	if m.Proven {
		done, still := p.alone(r.Context())
		if !still {
			return
		}
		p.examined(r.Context(), say, &m)
		done()
		if r.Context().Err() != nil { // the screen's session may be over
			return
		}
	}
	site.Send(w, http.StatusOK, site.HTML, draw(nil, language, &m))
}

// mostGiven is how long a post may be, in bytes.
const mostGiven = 1 << 10

// restart begins the table anew, for somebody who was asked twice and is proven for it with this very request: who may
// only look may not.
func (p *page) restart(w http.ResponseWriter, r *http.Request) {
	var given struct {
		Sure bool
		authority.Given
	}
	if err := site.Read(r, mostGiven, &given); err != nil || !given.Sure {
		site.Answer(w, http.StatusBadRequest, answer{Error: `write it as {"sure":true,"name":"…","pin":"…"}`})
		return
	}
	var refused *authority.Refusal
	err := p.Restart(r.Context(), given.Given)
	switch {
	case err == nil:
		site.Answer(w, http.StatusOK, answer{})
	case errors.Is(err, ErrRound):
		site.Answer(w, http.StatusConflict, answer{Round: true, Error: err.Error()})
	case errors.As(err, &refused):
		needs := strings.HasPrefix(string(refused.Why), string(authority.WhyNeeds))
		site.Answer(w, http.StatusForbidden, answer{Needs: needs, Failed: !needs, Error: err.Error()})
	default:
		site.Answer(w, http.StatusServiceUnavailable, answer{Error: err.Error()})
	}
}
