package web

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/internal/web/site"
)

// Route is one thing that a screen may ask for. What other packages show comes as a Route: it is guarded, bounded and
// paced as the display's own pages are, and what has none is not served.
type Route struct {
	Method, Path string
	// Least is who may ask for it: this role and those above it.
	Least Role
	// Own says that of those only the table's own screens may.
	Own bool
	// Most is how many bytes a screen's request may bring; 0 is as many as a touch.
	Most int64
	// Page says that its address chooses the screen's language, and Seldom that people ask for it a few times an hour.
	Page, Seldom bool
	Serve        http.HandlerFunc
}

// route is one thing that a screen may ask for.
type route struct {
	method, path string
	// least is who may ask for it: this role and those above it.
	least Role
	// there says whether this table has it at all.
	there bool
	serve http.HandlerFunc
}

// entry is a line of the table of all routes.
type entry struct {
	route
	own  bool
	most int64
	// byKey says that programs may ask for it with a screen's key.
	byKey bool
}

// routes is the whole site, and who may ask for what of it. Past rounds are for those
// who deal: they tell what guests have staked all night.
func (s *Server) routes() []route {
	const get, post = http.MethodGet, http.MethodPost
	access, recall := s.options.Access != nil, s.options.Recall != nil
	press, people := s.options.Press != nil, s.options.People != nil
	return []route{
		{get, "/{$}", View, true, s.choosing(s.page)},
		{get, "/events", View, true, s.streamed(s.events)},
		{get, "/view.json", View, true, s.view},
		{get, "/guest", Guest, true, s.guest},
		{get, "/guest/events", Guest, true, s.streamed(s.guestEvents)},
		{get, "/assets/{name}", Nobody, true, files.Serve},
		{get, "/enter", Nobody, access, s.enterPage},
		{post, "/enter", Nobody, access, s.enterScreen},
		{post, "/leave", View, access, s.seldom(s.leaveScreen)},
		{get, "/help", View, s.options.Houses != nil, s.choosing(s.help)},
		{get, "/recall", Dealer, recall, s.choosing(s.recallList)},
		{get, "/state", Dealer, recall, s.state},
		{get, "/recall/{round}", Dealer, recall, s.choosing(s.recallRound)},
		{get, "/recall/{round}/replay", Dealer, recall, s.choosing(s.replay)},
		{get, "/recall/{round}/sheet", Dealer, recall, s.choosing(s.sheet)},
		{get, "/recall/{round}/slip", Dealer, recall, s.choosing(s.slip)},
		{get, "/recall/{round}/adjust", Dealer, recall && press, s.choosing(s.adjust)},
		{post, "/input", Dealer, press, s.input},
		{post, "/touch", Dealer, press, s.touch},
		{post, "/correct", Dealer, s.options.Try != nil, s.correct},
		{get, "/supervisor", View, people, s.supervisor},
		{post, "/supervisor", Supervisor, people, s.seldom(s.enter)},
		{post, "/supervisor/leave", Supervisor, people, s.seldom(s.leave)},
		{post, "/dealer", Dealer, people, s.seldom(s.signIn)},
		{post, "/dealer/badge", Dealer, people, s.seldom(s.badge)},
		{post, "/dealer/leave", Dealer, people, s.seldom(s.signOut)},
	}
}

// Add adds what other packages show. It is called before Handler.
func (s *Server) Add(more ...Route) { s.more = append(s.more, more...) }

// table is every route that there is, and who may ask for it.
func (s *Server) table() (all []entry) {
	for _, one := range s.routes() {
		all = append(all, entry{route: one})
	}
	for _, one := range s.programs() {
		all = append(all, entry{route: one, byKey: true})
	}
	for _, one := range slices.Concat(s.options.Devices, s.more) {
		all = append(all, s.entryOf(one))
	}
	return slices.DeleteFunc(all, func(e entry) bool { return !e.there })
}

// entryOf is the line of another package's page. What is posted to it comes from a page of this site, as an input does.
func (s *Server) entryOf(one Route) entry {
	answer := one.Serve
	if one.Seldom {
		answer = s.seldom(answer)
	}
	serve := func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && s.foreign(w, r) {
			return
		}
		answer(w, r.WithContext(context.WithValue(r.Context(), languageKey{}, s.speaking(r).language)))
	}
	if one.Page {
		serve = s.choosing(serve)
	}
	return entry{route: route{one.Method, one.Path, one.Least, true, serve}, own: one.Own, most: one.Most}
}

// Handler returns the whole site: the page at /, its stream at /events (with
// ?as=json for views instead of markup), the latest view at /view.json, /assets/;
// past rounds at /recall and the table in one line at /state, if there is a Recall; inputs at /input, if there is a
// Press; the rules at /help, if there are Houses; /supervisor and /dealer, if there are People; /enter and /leave, if
// there is an Access; /metrics and /health, if they are given; the Devices, and what was added. ?lang= at the address
// of a page chooses the screen's language.
func (s *Server) Handler() *site.Site { return s.site(s.table()) }

// site is made of entries alone.
func (s *Server) site(all []entry) *site.Site {
	o := site.Options{Around: func(next http.Handler) http.Handler { return s.inTime(s.guard(known(next))) }}
	for _, one := range all {
		row := site.Row{
			Method: one.method, Path: one.path, Least: one.least.String(), Most: one.most,
			Serve: s.admit(one),
		}
		if one.least == Nobody {
			row.Least = site.Everybody
		}
		if one.own {
			row.Least = ownRole
		}
		o.Rows = append(o.Rows, row)
	}
	return site.New(o)
}

// ownRole is what a site's table calls the role for which the table's own screen must ask.
const ownRole = "own"

// Bare is a site without a table's own pages, for this machine alone: guarded, bounded and paced as that of a table.
// Its addresses choose no language that it keeps.
func Bare(o Options, pages ...Route) *site.Site {
	s := New(o)
	var all []entry
	for _, one := range pages {
		all = append(all, s.entryOf(one))
	}
	all = append(all, entry{route: route{http.MethodGet, "/assets/{name}", Nobody, true, files.Serve}})
	return s.site(all)
}

// Past serves the pages of past rounds below Options.Root, and the stream that they follow, for a site that guards
// itself: there is a Recall, and whoever asks may see them.
func (s *Server) Past() http.Handler {
	o := site.Options{Around: known}
	for _, one := range s.routes() {
		if one.there && (strings.HasPrefix(one.path, "/recall") || one.path == "/events") {
			o.Rows = append(o.Rows, site.Row{
				Method: one.method, Path: one.path, Least: one.least.String(),
				Serve: one.serve,
			})
		}
	}
	return http.StripPrefix(s.options.Root, site.New(o))
}

// admit lets through who may, for as long as the session lasts.
func (s *Server) admit(to entry) http.HandlerFunc {
	access := s.options.Access
	if access == nil || to.least == Nobody {
		return s.asked(to.serve)
	}
	bySession := func(w http.ResponseWriter, r *http.Request) {
		one, cookie := access.session(r)
		if r = s.from(r, one); s.pace(w, r, s.paced.asks) {
			return
		}
		switch {
		case one == nil:
			s.stranger(w, r)
			return
		case one.screen.Role < to.least || to.own && !one.screen.Own:
			s.forbidden(w, r, one.screen, to)
			return
		}
		if r.Method == http.MethodGet {
			setCookie(w, cookie) // it would run out, some day
		}
		ctx, done := sessionContext(r, one)
		defer done()
		to.serve(w, r.WithContext(ctx))
	}
	if to.byKey {
		return s.byKey(to, bySession)
	}
	return bySession
}

// over is a message that a page takes for one of another build: it loads itself
// again, and is led to where its screen enters.
const over = `data: <main id="table" data-build="over"></main>` + "\n\n"

// stranger answers a request of which nobody knows whose it is: browsers are led to
// where a screen enters.
func (s *Server) stranger(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodGet && accepts(r, "text/event-stream"):
		s.reply(w, "text/event-stream", []byte(over))
	case r.Method == http.MethodGet && accepts(r, "text/html"):
		http.Redirect(w, r, "/enter", http.StatusSeeOther)
	default:
		s.answer(w, http.StatusUnauthorized,
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
func (s *Server) forbidden(w http.ResponseWriter, r *http.Request, one Screen, to entry) {
	what := to.method + " " + to.path
	if s.paced.forbidden.First(forbidden{one.Name, what}) {
		s.options.Logger.Warn("display: a screen asked for what it may not do, and was refused: look at who uses it",
			"screen", one.Name, "role", one.Role, "what", what, "from", r.RemoteAddr)
	}
	if r.Method == http.MethodGet && accepts(r, "text/html") {
		http.Redirect(w, r, homeOf(one.Role), http.StatusSeeOther)
		return
	}
	takes := "one of role " + to.least.String()
	if to.own {
		takes += " that the configuration calls the table's own"
	}
	s.answer(w, http.StatusForbidden, Answer{Error: "a screen of role " + one.Role.String() +
		" may not do this: it takes " + takes})
}

func accepts(r *http.Request, kind string) bool {
	return strings.Contains(r.Header.Get("Accept"), kind)
}
