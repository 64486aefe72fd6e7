// Package web shows the table in a browser on the table's own screen.
//
// The page is rendered here, section by section, and kept true over one stream of
// Server-Sent Events: a new client gets everything, then only the sections that
// differ from what it has. A client that is slow gets the newest view when it is
// ready for one, and never holds up the table or the other clients.
package web

import (
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/table/profile"
)

// Options are what a Server may be told; the zero value works.
type Options struct {
	// Logger takes what goes wrong in serving a client; nil is slog.Default.
	Logger *slog.Logger
	// Language is what the page speaks until its screen has chosen another of its Menu;
	// the zero value is English.
	Language display.Language
	// Zone is that of the clock by which the past is told; nil is the machine's.
	Zone *time.Location
	// Heartbeat is how often an idle stream says that it lives; 0 is 500 ms. The
	// page calls the connection lost after 1500 ms of silence.
	Heartbeat time.Duration
	// WriteTimeout is how long one message to a client may take before the client
	// is given up; 0 is 5 s. The page comes back by itself.
	WriteTimeout time.Duration
	// Press takes what is put in at /input; nil is a display that can only be
	// looked at.
	Press Press
	// Try finds out what would come of a correction, at /correct; nil is a display that cannot
	// correct.
	Try Try
	// People proves supervisors and signs dealers in, at /supervisor and /dealer; nil
	// is a table that knows nobody.
	People People
	// Badges says that a reader at the screens types the numbers of dealers' badges.
	Badges bool
	// Recall reads past rounds for /recall; nil is a display that looks at the present
	// alone.
	Recall Recall
	// Root begins the addresses of the pages that Past serves, such as /table/wien/bj-1; "" is a site
	// that is this table's alone.
	Root string
	// Houses have the rules that /help says; nil is a display without help.
	Houses profile.Book
	// Settings says that the table's settings are among the routes that are added, at /settings/, for its own screens.
	Settings bool
	// Devices are the page of devices and log, at /devices/, for screens of supervisors; who is proven it asks itself.
	// A request's language is LanguageOf. nil is a display without.
	Devices []site.Row
	// Access lets screens in from the network, at /enter; nil is a display for this
	// machine alone, which asks nobody who he is.
	Access *Access
	// Metrics and Health serve /metrics and /health, for programs that watch the table; nil is a display without.
	Metrics, Health http.Handler
	// Paces bound what each screen may do; the zero value is what a display needs.
	Paces Paces
}

// Server serves the page. Its methods may be called from any goroutine.
type Server struct {
	options Options
	// renders has one for each language of the menu.
	menu    site.Menu
	renders []renderer

	results results
	paced   *paced
	more    []site.Row

	mu     sync.Mutex
	latest *frame
	// newer is closed when latest is replaced.
	newer chan struct{}
}

// New returns a Server that shows a table without a view, until Show is called.
func New(o Options) *Server {
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	if o.Zone == nil {
		o.Zone = time.Local
	} else if o.Recall != nil {
		o.Recall = recallIn{o.Recall, o.Zone}
	}
	if o.Heartbeat == 0 {
		o.Heartbeat = 500 * time.Millisecond
	}
	if o.WriteTimeout == 0 {
		o.WriteTimeout = 5 * time.Second
	}
	s := &Server{options: o, paced: newPaced(pacesOf(o), o.Logger), newer: make(chan struct{})}
	s.menu, s.renders = renderers(o)
	s.latest = newFrame(display.View{Shoe: display.Shoe{Online: true}}, len(s.renders))
	return s
}

// Show makes v what every client sees next. It only stores the view and wakes the
// clients; drawing is theirs. Nothing that v points to may change afterwards.
func (s *Server) Show(v display.View) {
	f := newFrame(v, len(s.renders))
	s.results.look(v)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.latest = f
	close(s.newer)
	s.newer = make(chan struct{})
}

// now returns the latest frame, and a channel that is closed once it is not.
func (s *Server) now() (*frame, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.latest, s.newer
}

func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	f, _ := s.now()
	render := s.speaking(r)
	site.Send(w, http.StatusOK, site.HTML, render.page(f.view, f.in(render), roleOf(r), stands(r)))
}

func (s *Server) view(w http.ResponseWriter, _ *http.Request) {
	f, _ := s.now()
	b, err := f.json()
	if err != nil {
		s.failed(w, "view.json", err)
		return
	}
	site.Send(w, http.StatusOK, site.JSON, b)
}

// failed can only mean a mistake in the program: say so where it is seen.
func (s *Server) failed(w http.ResponseWriter, what string, err error) {
	s.options.Logger.Error("display: a view could not be drawn; report this with the view", "what", what, "err", err)
	http.Error(w, "The view could not be drawn; the daemon's log says why.", http.StatusInternalServerError)
}
