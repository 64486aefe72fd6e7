package doctor

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
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/table/authority"
)

// ErrRound is that the table cannot be restarted, since a round is open.
var ErrRound = errors.New("a round is open: finish it first, or void it")

// ScreenOptions are what the screen shows, and what it does. All are required.
type ScreenOptions struct {
	// Boot is another one after a restart.
	Boot uint64
	// Status is who is proven: nobody else is shown anything.
	Status func(*http.Request) authority.Status
	// Source is what a bundle is made of, and what is examined, now.
	Source func() BundleSource
	States func() []devices.State
	Ring   *LogRing
	// Took is told what somebody takes a copy of, before they get it.
	Took func(ctx context.Context, what string)
	// Restart has the table begin anew, for whoever is proven for it by what is given. The error is ErrRound, an
	// *authority.Refusal or what kept it from being recorded.
	Restart func(ctx context.Context, g authority.Given) error
	Log     *slog.Logger
}

// screenPrefix begins the addresses of the screen.
const screenPrefix = "/devices/"

//go:embed templates/*.html
var templates embed.FS

// screen shows a proven supervisor, at the table's own screen or another, how the table does: what is wrong and what to
// do, all devices, the log, copies to give away, and a restart.
type screen struct {
	ScreenOptions
	// making holds one: an examination and a bundle take time and memory.
	making chan struct{}
}

// NewScreen returns what the page of a table's devices answers, below /devices/. Whoever serves it lets only screens of
// supervisors ask.
func NewScreen(o ScreenOptions) []site.Row {
	p := &screen{ScreenOptions: o, making: make(chan struct{}, 1)}
	const get, post = http.MethodGet, http.MethodPost
	return []site.Row{
		{Method: get, Path: screenPrefix + "{$}", Least: web.Supervisor, Page: true, Seldom: true, Serve: p.show},
		{Method: get, Path: screenPrefix + "state", Least: web.Supervisor, Serve: p.state},
		{Method: get, Path: screenPrefix + "log", Least: web.Supervisor, Serve: p.proven(p.log)},
		{Method: post, Path: screenPrefix + "take", Least: web.Supervisor, Seldom: true, Serve: p.proven(p.takeBundle)},
		{Method: post, Path: screenPrefix + "restart", Least: web.Supervisor, Seldom: true, Serve: p.proven(p.restart)},
	}
}

// isProven reports whether somebody is proven who may see everything.
func isProven(s authority.Status) bool { return s.Needs == 0 }

// proven lets only through while a supervisor is proven.
func (p *screen) proven(serve http.HandlerFunc) http.HandlerFunc {
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
	Boot  string      `json:"boot,omitempty"`
	Lines []shownLine `json:"lines,omitempty"`
}

func (p *screen) left(err error) {
	p.Log.Debug("devices: the browser left before it had everything", "err", err)
}

// state tells a page when the table has begun anew.
func (p *screen) state(w http.ResponseWriter, _ *http.Request) {
	site.Answer(w, http.StatusOK, answer{Boot: strconv.FormatUint(p.Boot, 10)})
}

// alone waits until nobody else has something made, and reports whether the browser is still there.
func (p *screen) alone(ctx context.Context) (done func(), still bool) {
	select {
	case p.making <- struct{}{}:
		return func() { <-p.making }, true
	case <-ctx.Done():
		return nil, false
	}
}

// drawScreen draws the page.
var drawScreen = site.Compile[screenModel](site.ParseTemplates(templates, "templates/*.html"), "page.html")

// show shows the page or, while nobody is proven, asks for a PIN.
func (p *screen) show(w http.ResponseWriter, r *http.Request) {
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
	site.Send(w, http.StatusOK, site.HTML, drawScreen(nil, language, &m))
}

// mostGiven is how long a post may be, in bytes.
const mostGiven = 1 << 10

// restart begins the table anew, for somebody who was asked twice and is proven for it with this very request: who may
// only look may not.
func (p *screen) restart(w http.ResponseWriter, r *http.Request) {
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
