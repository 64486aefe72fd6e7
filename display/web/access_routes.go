package web

import (
	"net/http"
	"strings"
)

// route is one thing that a screen may ask for.
type route struct {
	method, path string
	// least is who may ask for it: this role and those above it.
	least Role
	// there says whether this table has it at all.
	there bool
	serve http.HandlerFunc
}

// routes is the whole site, and who may ask for what of it. Past rounds are for those
// who deal: they tell what guests have staked all night.
func (s *Server) routes() []route {
	const get, post = http.MethodGet, http.MethodPost
	access, recall := s.options.Access != nil, s.options.Recall != nil
	press, people, devices := s.options.Press != nil, s.options.People != nil, s.options.Devices != nil
	return []route{
		{get, "/{$}", View, true, s.choosing(s.page)},
		{get, "/events", View, true, s.streamed(s.events)},
		{get, "/view.json", View, true, s.view},
		{get, "/guest", Guest, true, s.guest},
		{get, "/guest/events", Guest, true, s.streamed(s.guestEvents)},
		{get, "/assets/{name}", Nobody, true, asset},
		{get, "/enter", Nobody, access, s.enterPage},
		{post, "/enter", Nobody, access, s.enterScreen},
		{post, "/leave", View, access, s.seldom(s.leaveScreen)},
		{get, "/help", View, s.options.Houses != nil, s.choosing(s.help)},
		{get, "/recall", Dealer, recall, s.choosing(s.recallList)},
		{get, "/state", Dealer, recall, s.state},
		{get, "/recall/{round}", Dealer, recall, s.choosing(s.recallRound)},
		{get, "/recall/{round}/replay", Dealer, recall, s.choosing(s.replay)},
		{get, "/recall/{round}/sheet", Dealer, recall, s.choosing(s.sheet)},
		{post, "/input", Dealer, press, s.input},
		{post, "/touch", Dealer, press, s.touch},
		{post, "/correct", Dealer, s.options.Try != nil, s.correct},
		{get, "/supervisor", View, people, s.supervisor},
		{post, "/supervisor", Supervisor, people, s.seldom(s.enter)},
		{post, "/supervisor/leave", Supervisor, people, s.seldom(s.leave)},
		{post, "/dealer", Dealer, people, s.seldom(s.signIn)},
		{post, "/dealer/badge", Dealer, people, s.seldom(s.badge)},
		{post, "/dealer/leave", Dealer, people, s.seldom(s.signOut)},
		{get, "/devices/{$}", Supervisor, devices, s.choosing(s.seldom(s.devices))},
		{get, "/devices/state", Supervisor, devices, s.devices},
		{get, "/devices/log", Supervisor, devices, s.devices},
		{post, "/devices/take", Supervisor, devices, s.seldom(s.devices)},
		{post, "/devices/restart", Supervisor, devices, s.seldom(s.devices)},
	}
}

// Handler returns the whole site: the page at /, its stream at /events (with
// ?as=json for views instead of markup), the latest view at /view.json, /assets/;
// past rounds at /recall and the table in one line at /state, if there is a Recall; inputs at /input, if there is a Press;
// the rules at /help, if there are Houses; /supervisor and /dealer, if there are People; /devices/, if there are Devices; /enter and /leave, if there is an
// Access; /metrics and /health, if they are given. ?lang= at the address of a page chooses the screen's language.
func (s *Server) Handler() http.Handler {
	look, site := http.NewServeMux(), http.NewServeMux()
	site.Handle("/", onlyGet(look))
	for _, one := range s.routes() {
		switch {
		case !one.there:
		case one.method == http.MethodGet:
			look.Handle(one.path, s.admit(one))
		default:
			site.Handle(one.method+" "+one.path, s.admit(one))
		}
	}
	for _, one := range s.programs() {
		if one.there {
			look.Handle(one.path, s.byKey(one))
		}
	}
	return s.inTime(s.guard(site))
}

// Past serves the pages of past rounds below Options.Root, and the stream that they follow, for a site that guards
// itself: there is a Recall, and whoever asks may see them.
func (s *Server) Past() http.Handler {
	past := http.NewServeMux()
	for _, one := range s.routes() {
		if strings.HasPrefix(one.path, "/recall") || one.path == "/events" {
			past.HandleFunc(one.path, one.serve)
		}
	}
	return onlyGet(http.StripPrefix(s.options.Root, past))
}

// admit lets through who may, for as long as the session lasts.
func (s *Server) admit(to route) http.Handler {
	access := s.options.Access
	if access == nil || to.least == Nobody {
		return s.asked(to.serve)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		one, cookie := access.session(r)
		if r = s.from(r, one); s.pace(w, r, s.paced.asks) {
			return
		}
		switch {
		case one == nil:
			s.stranger(w, r)
			return
		case one.screen.Role < to.least:
			s.forbidden(w, r, one.screen, to)
			return
		}
		if r.Method == http.MethodGet {
			setCookie(w, cookie) // it would run out, some day
		}
		ctx, done := sessionContext(r, one)
		defer done()
		to.serve(w, r.WithContext(ctx))
	})
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
		s.answer(w, http.StatusUnauthorized, Answer{Error: "this screen has no session with the table: it enters with its key, at /enter"})
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
func (s *Server) forbidden(w http.ResponseWriter, r *http.Request, one Screen, to route) {
	what := to.method + " " + to.path
	if s.paced.forbidden.First(forbidden{one.Name, what}) {
		s.options.Logger.Warn("display: a screen asked for what it may not do", "screen", one.Name, "role", one.Role, "what", what, "from", r.RemoteAddr)
	}
	if r.Method == http.MethodGet && accepts(r, "text/html") {
		http.Redirect(w, r, homeOf(one.Role), http.StatusSeeOther)
		return
	}
	s.answer(w, http.StatusForbidden, Answer{Error: "a screen of role " + one.Role.String() + " may not do this: it takes one of role " + to.least.String()})
}

func accepts(r *http.Request, kind string) bool {
	return strings.Contains(r.Header.Get("Accept"), kind)
}
