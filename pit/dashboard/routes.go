package dashboard

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/routes"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/pit/people"
)

// route is one thing that a screen may ask for.
type route struct {
	method, path string
	// least is who may ask for it: this role, and those that include it.
	least people.Role
	// there says whether this pit has it at all.
	there bool
	serve http.HandlerFunc
}

// routes is the whole site, and who may ask for what of it.
func (d *Dashboard) routes() []route {
	const get, post = http.MethodGet, http.MethodPost
	past, rooms, ended := d.options.Past != nil, d.options.Rooms != nil, d.options.Ended != nil
	own := []route{
		{get, "/{$}", Viewer, true, d.choosing(d.page(pageFloor))},
		{get, "/fleet", Technician, true, d.choosing(d.page(pageFleet))},
		{get, "/stream/fleet", Technician, true, d.stream(pageFleet)},
		{get, "/trays", Cashier, d.options.Trays != nil, d.choosing(d.page(pageTrays))},
		{get, "/stream/trays", Cashier, d.options.Trays != nil, d.stream(pageTrays)},
		{get, "/jackpots", Supervisor, d.options.Jackpots != nil, d.choosing(d.page(pageJackpots))},
		{get, "/jackpots/{jackpot}/entries.csv", Supervisor, d.options.Jackpots != nil, d.jackpotFile},
		{get, "/stream/jackpots", Supervisor, d.options.Jackpots != nil, d.stream(pageJackpots)},
		{get, "/alerts", Viewer, true, d.choosing(d.page(pageAlerts))},
		{get, "/alerts/history", Viewer, ended, d.choosing(d.page(pageEnded))},
		{get, "/stream/history", Viewer, ended, d.stream(pageEnded)},
		{get, "/table/{site}/{table}/{$}", Viewer, true, d.choosing(d.page(pageTable))},
		{get, "/stream/floor", Viewer, true, d.stream(pageFloor)},
		{get, "/stream/alerts", Viewer, true, d.stream(pageAlerts)},
		{get, "/stream/table/{site}/{table}", Viewer, true, d.stream(pageTable)},
		{get, "/recall", Supervisor, past, d.choosing(d.page(pageRounds))},
		{get, "/stream/rounds", Supervisor, past, d.stream(pageRounds)},
		{get, "/stream/rounds/{site}/{table}", Supervisor, past, d.stream(pageRounds)},
		{get, "/table/{site}/{table}/recall", Supervisor, past, d.choosing(d.page(pageRounds))},
		{get, "/table/{site}/{table}/recall/", Supervisor, past, d.past},
		{get, "/table/{site}/{table}/events", Supervisor, past, d.past},
		{get, "/table/{site}/{table}/journal/{journal}/{$}", Supervisor, past, d.ahead},
		{get, "/table/{site}/{table}/journal/{journal}/recall", Supervisor, past, d.ahead},
		{get, "/table/{site}/{table}/journal/{journal}/recall/", Supervisor, past, d.past},
		{get, "/table/{site}/{table}/journal/{journal}/events", Supervisor, past, d.past},
		{post, "/alerts/{id}/seen", Viewer, true, d.seen}, // whom the alert calls
		{post, "/alerts/{id}/coming", Viewer, true, d.coming},
		{post, "/push", Viewer, d.options.Push != nil, d.subscribe},
		{post, "/push/end", Viewer, d.options.Push != nil, d.unsubscribe},
		{get, "/worker.js", Nobody, true, worker},
		{post, "/room", Supervisor, rooms, d.arrange},
		{get, "/assets/{name}", Nobody, true, web.Asset},
		{get, "/pit/{name}", Nobody, true, files.Serve},
	}
	return append(append(own, d.orderRoutes()...), d.pages()...)
}

// Handler returns the whole site.
func (d *Dashboard) Handler() *routes.Site {
	o := routes.Options{Around: d.guard, Missing: func(w http.ResponseWriter, r *http.Request, usual http.Handler) {
		if r.Method == http.MethodGet {
			d.noPage(w, r)
			return
		}
		usual.ServeHTTP(w, r)
	}}
	for _, one := range d.routes() {
		if !one.there {
			continue
		}
		least := string(one.least)
		if one.least == Nobody {
			least = routes.Everybody
		}
		o.Rows = append(o.Rows, routes.Row{Method: one.method, Path: one.path, Least: least, Serve: d.admit(one)})
	}
	return routes.New(o)
}

// guard refuses other sites' pages. Where nobody is asked who they are, the pit answers to its own machine alone.
func (d *Dashboard) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site.Protect(w, r)
		site.AllowForms(w) // a search is a form, also where no script runs
		switch {
		case d.options.People == nil && !site.Loopback(r.Host):
			http.Error(w, d.speaking(r).say("pit.only-localhost"), http.StatusMisdirectedRequest)
		case site.FromElsewhere(r), d.options.People == nil && foreign(r):
			http.Error(w, d.speaking(r).say("pit.only-own"), http.StatusForbidden)
		default:
			// Only once all of it is there is anybody asked whether their session lasts, and what their role is.
			if status, err := site.Whole(w, r, longestBody, bodyWithin); err != nil {
				d.options.Log.Debug("pit: a request was not sent to its end", "what", r.Method+" "+r.URL.Path, "from",
					r.RemoteAddr, "err", err)
				http.Error(w, d.speaking(r).say("pit.not-understood"), status)
				return
			}
			next.ServeHTTP(w, r)
		}
	})
}

// What a request brings is no longer, and comes within this time.
const (
	longestBody = 1 << 14
	bodyWithin  = 10 * time.Second
)

// foreign says whether a page of another origin asks, on a site without a door, which says so otherwise.
func foreign(r *http.Request) bool {
	return slices.ContainsFunc(r.Header.Values("Origin"), func(from string) bool {
		return from != "" && from != "http://"+r.Host
	})
}

// admit lets through who may, for as long as their session lasts.
func (d *Dashboard) admit(to route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if to.least == Nobody {
			to.serve(w, r)
			return
		}
		person := Person{Role: Manager}
		if d.options.People != nil {
			who, during, done, known := d.options.People.Who(r, accepts(r, "text/event-stream"))
			if !known {
				d.stranger(w, r)
				return
			}
			defer done()
			person, r = who, r.WithContext(during)
		}
		r = r.WithContext(context.WithValue(r.Context(), asking{}, person))
		if !person.May(to.least) {
			d.deny(w, r, to.method+" "+to.path)
			return
		}
		to.serve(w, r)
	}
}

// still says whether who asked may still do what takes at least a role: they were let in when they asked.
func (d *Dashboard) still(r *http.Request, least people.Role) bool {
	if d.options.People == nil {
		return true
	}
	now, _, done, known := d.options.People.Who(r, true)
	if known {
		done()
	}
	return known && now.Name == who(r).Name && now.May(least)
}

// deny refuses what a person's role does not allow, and says so in the log.
func (d *Dashboard) deny(w http.ResponseWriter, r *http.Request, what string) {
	d.options.Log.Log(r.Context(), site.RefusalLevel(r),
		"pit: somebody asked for something that their role does not allow", "who", who(r).Name, "role", who(r).Role,
		"what", what, "from", r.RemoteAddr)
	d.refuse(w, r)
}

// refuse tells somebody that they may not.
func (d *Dashboard) refuse(w http.ResponseWriter, r *http.Request) {
	if draws, is := d.options.People.(Refuser); is && accepts(r, "text/html") {
		draws.Refuse(w, r)
		return
	}
	http.Error(w, d.speaking(r).say("people.may-not"), http.StatusForbidden)
}

// over is a message that a page takes for one of another build: it loads itself again, and is led to where one enters.
const over = `data: <main id="main" data-build="over"></main>` + "\n\n"

// stranger answers a request without a session.
func (d *Dashboard) stranger(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodGet && accepts(r, "text/event-stream"):
		d.reply(w, "text/event-stream", []byte(over))
	case r.Method == http.MethodGet && accepts(r, "text/html"):
		http.Redirect(w, r, EnterPath+"?then="+url.QueryEscape(r.URL.RequestURI()), http.StatusSeeOther)
	default:
		http.Error(w, d.speaking(r).say("people.over"), http.StatusUnauthorized)
	}
}

// noPage answers for an address that is not of this site.
func (d *Dashboard) noPage(w http.ResponseWriter, r *http.Request) {
	http.Error(w, d.speaking(r).say("pit.no-page"), http.StatusNotFound)
}

func accepts(r *http.Request, kind string) bool {
	return strings.Contains(r.Header.Get("Accept"), kind)
}

// Route is one thing that the site answers, and the least role for it; Nobody is everybody.
type Route struct {
	Method, Path string
	Least        people.Role
}

// Routes is the whole site: what has no row there cannot be asked for.
func (d *Dashboard) Routes() (list []Route) {
	for _, one := range d.routes() {
		if one.there {
			list = append(list, Route{one.method, one.path, one.least})
		}
	}
	return list
}
