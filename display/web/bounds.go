package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/table/authority"
)

// tooOften is what is lacking where a screen, or a place, asks for more than its pace allows.
const tooOften authority.Why = "too-often"

// asker is who asks: a screen, or the place of somebody who has not entered. On a display for this machine alone all
// who ask are one.
type asker struct {
	screen string
	// own says that the screen is one of the table's own.
	own   bool
	place netip.Prefix
}

type askerKey struct{}

func withAsker(ctx context.Context, who asker) context.Context {
	return context.WithValue(ctx, askerKey{}, who)
}

func askerOf(ctx context.Context) asker {
	who, _ := ctx.Value(askerKey{}).(asker)
	return who
}

// Pace is how often something may happen: Burst at once, and then once Every so often.
type Pace = site.Pace

// Paces bound what one screen may do, so that none keeps the table's computer busy or fills its journal. They are far
// above what people at a screen do. The zero value is what a display needs.
type Paces struct {
	// Asks are requests, of a screen or of a place that has not entered.
	Asks Pace
	// Puts are inputs: a touch may put in up to 256. Refused are those that came to nothing, whatever was lacking.
	Puts, Refused Pace
	// People are entries and exits: of screens, of supervisors and of dealers.
	People Pace
	// Streams are how many a screen has at a time.
	Streams int
}

var (
	// onNetwork are the paces of a screen that has to enter.
	onNetwork = Paces{
		Asks: Pace{Every: 50 * time.Millisecond, Burst: 300},
		Puts: Pace{Every: 100 * time.Millisecond, Burst: 2 * mostPut}, Refused: Pace{Every: time.Second, Burst: 30},
		People: Pace{Every: 3 * time.Second, Burst: 15}, Streams: 8,
	}
	// onThisMachine are those of all screens of a display for this machine alone: programs on it may deal faster than
	// people do.
	onThisMachine = Paces{
		Asks: Pace{Every: time.Millisecond, Burst: 5000},
		Puts: Pace{Every: 2 * time.Millisecond, Burst: 5000}, Refused: Pace{Every: 50 * time.Millisecond, Burst: 500},
		People: Pace{Every: 200 * time.Millisecond, Burst: 300}, Streams: 128,
	}
)

// mostAskers is how many screens and places have a pace of their own.
const mostAskers = 1024

// paced holds all who ask to their paces.
type paced struct {
	asks, puts, refused, people *site.Rate[asker]
	streams                     streams
	// forbidden are told in the log.
	forbidden *site.Bursts[forbidden]
}

// forbidden is what a screen may not do and asked for.
type forbidden struct{ screen, what string }

func newPaced(p Paces, log *slog.Logger) *paced {
	rate := func(pace Pace) *site.Rate[asker] { return site.NewRate[asker](pace, mostAskers) }
	return &paced{
		asks: rate(p.Asks), puts: rate(p.Puts), refused: rate(p.Refused), people: rate(p.People),
		streams: streams{most: p.Streams},
		forbidden: site.NewBursts(site.BurstsOptions[forbidden]{
			Window: 10 * time.Second, Longest: time.Hour, Most: 64, Other: forbidden{what: "more"},
			Again: func(f forbidden, b site.Burst) {
				log.Warn("display: a screen asked again for what it may not do, and was refused: look at who uses it",
					"screen", f.screen, "what", f.what, "count", b.Count)
			},
		}),
	}
}

func pacesOf(o Options) Paces {
	switch {
	case o.Paces != (Paces{}):
		return o.Paces
	case o.Access != nil:
		return onNetwork
	}
	return onThisMachine
}

// asked holds who asks for what everybody may see to the pace of their place.
func (s *Server) asked(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r = s.from(r, nil); !s.pace(w, r, s.paced.asks) {
			serve(w, r)
		}
	}
}

// from is a request of which is known who asks; of a session the connection is kept, and of a stranger the place
// counts.
func (s *Server) from(r *http.Request, one *Screen) *http.Request {
	who := asker{}
	switch {
	case s.options.Access == nil:
	case one == nil:
		who.place = site.PlaceOf(r.RemoteAddr)
	default:
		site.Vouch(r.Context())
		who.screen, who.own = one.Name, one.Own
	}
	return r.WithContext(withAsker(r.Context(), who))
}

// pace says whether somebody asks too often, and answers that.
func (s *Server) pace(w http.ResponseWriter, r *http.Request, rate *site.Rate[asker]) bool {
	wait := rate.Take(askerOf(r.Context()))
	switch {
	case wait == 0:
	case r.Method == http.MethodGet && site.Accepts(r, "text/html"):
		site.WaitAfter(w, waits(wait).Wait)
		http.Error(w, s.speaking(r).say("toast.too-often"), http.StatusTooManyRequests)
	default:
		s.tooOften(w, wait)
	}
	return wait > 0
}

// press says how long somebody has to wait before an input is taken.
func (p *paced) press(who asker) (wait time.Duration) {
	if wait = p.refused.Wait(who); wait > 0 {
		return wait
	}
	return p.puts.Take(who)
}

// pressed counts an input that came to nothing, and was noted.
func (p *paced) pressed(who asker, status int, answer Answer) {
	if status == http.StatusForbidden || status == http.StatusConflict && answer.Seq != 0 {
		p.refused.Take(who)
	}
}

// pressed answers what came of an input.
func (s *Server) pressed(w http.ResponseWriter, status int, answer Answer) {
	if status == http.StatusTooManyRequests {
		site.WaitAfter(w, answer.Wait)
	}
	site.Answer(w, status, answer)
}

func (s *Server) tooOften(w http.ResponseWriter, wait time.Duration) {
	s.pressed(w, http.StatusTooManyRequests, waits(wait))
}

// waits is the answer to who has to wait.
func waits(wait time.Duration) Answer {
	return Answer{
		Refused: tooOften, Wait: max(1, site.Seconds(wait)),
		Error: "not taken: this came too often; wait a moment, and send it again",
	}
}

// seldom is for what people do a few times an hour.
func (s *Server) seldom(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !s.pace(w, r, s.paced.people) {
			serve(w, r)
		}
	}
}

// streamed is for a stream, of which a screen has no more than a few.
func (s *Server) streamed(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		site.Vouch(r.Context())
		ctx, done := s.paced.streams.begin(r.Context(), askerOf(r.Context()))
		defer done()
		serve(w, r.WithContext(ctx))
	}
}
