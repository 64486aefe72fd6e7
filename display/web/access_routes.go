package web

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/internal/site"
)

// rows are the display's own pages, and who may ask for what of them. Past rounds are for those who deal: they tell
// what guests have staked all night.
func (s *Server) rows() []site.Row {
	const get, post = http.MethodGet, http.MethodPost
	page := func(path string, least Role, serve http.HandlerFunc) site.Row {
		return site.Row{Method: get, Path: path, Least: least, Page: true, Serve: serve}
	}
	seldom := func(path string, least Role, serve http.HandlerFunc) site.Row {
		return site.Row{Method: post, Path: path, Least: least, Seldom: true, Serve: serve}
	}
	o := s.options
	return slices.Concat([]site.Row{
		page("/{$}", View, s.page),
		{Method: get, Path: "/events", Least: View, Serve: s.streamed(s.events)},
		{Method: get, Path: "/view.json", Least: View, Serve: s.view},
		{Method: get, Path: "/guest", Least: Guest, Serve: s.guest},
		{Method: get, Path: "/guest/events", Least: Guest, Serve: s.streamed(s.guestEvents)},
		{Method: get, Path: "/assets/{name}", Least: site.Everybody, Serve: files.Serve},
	}, site.If(o.Access != nil,
		site.Row{Method: get, Path: "/enter", Least: site.Everybody, Serve: s.enterPage},
		site.Row{Method: post, Path: "/enter", Least: site.Everybody, Serve: s.enterScreen},
		seldom("/leave", View, s.leaveScreen),
	), site.If(o.Houses != nil,
		page("/help", View, s.help),
	), site.If(o.Recall != nil,
		page("/recall", Dealer, s.recallList),
		site.Row{Method: get, Path: "/state", Least: Dealer, Serve: s.state},
		page("/recall/{round}", Dealer, s.recallRound),
		page("/recall/{round}/replay", Dealer, s.replay),
		page("/recall/{round}/sheet", Dealer, s.sheet),
		page("/recall/{round}/slip", Dealer, s.slip),
	), site.If(o.Recall != nil && o.Press != nil,
		page("/recall/{round}/adjust", Dealer, s.adjust),
	), site.If(o.Press != nil,
		site.Row{Method: post, Path: "/input", Least: Dealer, Serve: s.input},
		site.Row{Method: post, Path: "/touch", Least: Dealer, Serve: s.touch},
	), site.If(o.Try != nil,
		site.Row{Method: post, Path: "/correct", Least: Dealer, Serve: s.correct},
	), site.If(o.People != nil,
		site.Row{Method: get, Path: "/supervisor", Least: View, Serve: s.supervisor},
		seldom("/supervisor", Supervisor, s.enter),
		seldom("/supervisor/leave", Supervisor, s.leave),
		seldom("/dealer", Dealer, s.signIn),
		seldom("/dealer/badge", Dealer, s.badge),
		seldom("/dealer/leave", Dealer, s.signOut),
	))
}

// Add adds what other packages show. It is called before Handler.
func (s *Server) Add(more ...site.Row) { s.more = append(s.more, more...) }

// outside are the rows of other packages' pages: guarded, bounded and paced as the display's own are. What is posted to
// them comes from a page of this site, as an input does.
func (s *Server) outside(rows ...site.Row) []site.Row {
	rows = slices.Clone(rows)
	for i := range rows {
		serve := rows[i].Serve
		if rows[i].Seldom { // what comes from elsewhere is not counted
			serve, rows[i].Seldom = s.seldom(serve), false
		}
		rows[i].Serve = func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet || !s.foreign(w, r) {
				serve(w, r.WithContext(context.WithValue(r.Context(), languageKey{}, s.speaking(r).language)))
			}
		}
	}
	return rows
}

// Handler returns the whole site: the page at /, its stream at /events (with
// ?as=json for views instead of markup), the latest view at /view.json, /assets/;
// past rounds at /recall and the table in one line at /state, if there is a Recall; inputs at /input, if there is a
// Press; the rules at /help, if there are Houses; /supervisor and /dealer, if there are People; /enter and /leave, if
// there is an Access; /metrics and /health, if they are given; the Devices, and what was added. ?lang= at the address
// of a page chooses the screen's language.
func (s *Server) Handler() *site.Site {
	return s.site(
		s.menu.Admitted(s.rows(), s.admit), s.menu.Admitted(s.programs(), s.byKey),
		s.menu.Admitted(s.outside(slices.Concat(s.options.Devices, s.more)...), s.admit),
	)
}

// site is made of rows alone.
func (s *Server) site(rows ...[]site.Row) *site.Site {
	return site.New(site.Options{
		Rows:   slices.Concat(rows...),
		Around: func(next http.Handler) http.Handler { return s.inTime(s.guard(known(next))) },
	})
}

// Bare is a site without a table's own pages, for this machine alone: guarded, bounded and paced as that of a table.
// Its addresses choose no language that it keeps.
func Bare(o Options, pages ...site.Row) *site.Site {
	s := New(o)
	assets := site.Row{Method: http.MethodGet, Path: "/assets/{name}", Least: site.Everybody, Serve: files.Serve}
	return s.site(s.menu.Admitted(append(s.outside(pages...), assets), s.admit))
}

// Past serves the pages of past rounds below Options.Root, and the stream that they follow, for a site that guards
// itself: there is a Recall, and whoever asks may see them.
func (s *Server) Past() http.Handler {
	rows := slices.DeleteFunc(s.rows(), func(one site.Row) bool {
		return !strings.HasPrefix(one.Path, "/recall") && one.Path != "/events"
	})
	return http.StripPrefix(s.options.Root, site.New(site.Options{
		Around: known,
		Rows:   s.menu.Admitted(rows, func(one site.Row) http.HandlerFunc { return one.Serve }),
	}))
}

// admit lets through who may, for as long as the session lasts.
func (s *Server) admit(to site.Row) http.HandlerFunc {
	access := s.options.Access
	if to.Seldom {
		to.Serve = s.seldom(to.Serve)
	}
	if access == nil || to.Least == site.Everybody {
		return s.asked(to.Serve)
	}
	return func(w http.ResponseWriter, r *http.Request) {
		cookie := cookieOf(r)
		one, held, done, in := access.hold(r.Context(), cookie)
		if !in {
			if r = s.from(r, nil); !s.pace(w, r, s.paced.asks) {
				s.stranger(w, r)
			}
			return
		}
		defer done()
		switch r = s.from(r.WithContext(held), &one); {
		case s.pace(w, r, s.paced.asks):
		case !one.may(to.Least):
			s.forbidden(w, r, one, to)
		default:
			if r.Method == http.MethodGet {
				setCookie(w, cookie, site.LongestCookie) // it would run out, some day
			}
			to.Serve(w, r)
		}
	}
}

// may says whether a screen may ask for what takes at least a role.
func (s Screen) may(least site.Role) bool {
	if least == Own {
		return s.Own && s.Role == Supervisor
	}
	role, is := least.(Role)
	return is && s.Role >= role
}

// over is a message that a page takes for one of another build: it loads itself
// again, and is led to where its screen enters.
const over = `data: <main id="table" data-build="over"></main>` + "\n\n"

// stranger answers a request of which nobody knows whose it is: browsers are led to
// where a screen enters.
func (s *Server) stranger(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodGet && site.Accepts(r, "text/event-stream"):
		site.Send(w, http.StatusOK, site.Events, []byte(over))
	case r.Method == http.MethodGet && site.Accepts(r, "text/html"):
		http.Redirect(w, r, "/enter", http.StatusSeeOther)
	default:
		site.Answer(w, http.StatusUnauthorized,
			Answer{Error: "this screen has no session with the table: it enters with its key, at /enter"})
	}
}

// homeOf is the page of a screen with a role.
func homeOf(role Role) string {
	if role == Guest {
		return "/guest"
	}
	return "/"
}

// forbidden answers a screen that may not do this: a person is led back to
// the screen's own page.
func (s *Server) forbidden(w http.ResponseWriter, r *http.Request, one Screen, to site.Row) {
	what := to.Method + " " + to.Path
	if s.paced.forbidden.First(forbidden{one.Name, what}) {
		s.options.Logger.Warn("display: a screen asked for what it may not do, and was refused: look at who uses it",
			"screen", one.Name, "role", one.Role, "what", what, "from", r.RemoteAddr)
	}
	if r.Method == http.MethodGet && site.Accepts(r, "text/html") {
		http.Redirect(w, r, homeOf(one.Role), http.StatusSeeOther)
		return
	}
	takes := to.Least.String()
	if to.Least == Own {
		takes = Supervisor.String() + " that the configuration calls the table's own"
	}
	site.Answer(w, http.StatusForbidden, Answer{Error: "a screen of role " + one.Role.String() +
		" may not do this: it takes one of role " + takes})
}
