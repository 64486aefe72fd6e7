package dashboard

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/pit/people"
)

// rows are the whole site, and who may ask for what of it: what has no row there cannot be asked for.
func (d *Dashboard) rows() []site.Row {
	const get, post = http.MethodGet, http.MethodPost
	row := func(method, path string, least people.Role, serve http.HandlerFunc) site.Row {
		return site.Row{Method: method, Path: path, Least: least, Serve: serve}
	}
	o := &d.options
	return slices.Concat(
		d.live(livePage{pageFloor, "/{$}", Viewer, "", anew(d.floorMain)}),
		d.live(livePage{pageAlerts, "/alerts", Viewer, "pit.alerts", anew(d.alertsMain)}),
		d.live(livePage{pageTable, ofTable + "{$}", Viewer, "", anew(d.tableMain)}),
		d.live(livePage{pageFleet, "/fleet", Technician, "fleet.title", anew(d.fleetMain)}),
		site.If(o.Trays != nil, d.live(livePage{pageTrays, "/trays", Cashier, "trays.title", anew(d.traysMain)})...),
		site.If(o.Group != nil, d.live(livePage{pageGroup, "/group", Viewer, "pit.group", anew(d.groupMain)})...),
		site.If(o.Jackpots != nil,
			d.live(livePage{"jackpots", "/jackpots", Supervisor, "pit.jackpots", anew(d.jackpotsMain)})...),
		site.If(o.Ended != nil,
			d.live(livePage{"history", "/alerts/history", Viewer, "pit.alert-history", d.endedMain})...),
		site.If(o.Past != nil, d.live(livePage{"rounds", "/recall", Supervisor, "word.past", d.roundsMain})...),
		site.If(o.Past != nil,
			d.live(livePage{"rounds", ofTable + "recall", Supervisor, "word.past", d.roundsMain})...),
		[]site.Row{
			row(post, "/alerts/{id}/seen", Viewer, d.seen), // whom the alert calls
			row(post, "/alerts/{id}/coming", Viewer, d.coming),
			{Method: get, Path: "/worker.js", Least: site.Everybody, Serve: worker},
			{Method: get, Path: "/assets/{name}", Least: site.Everybody, Serve: web.Asset},
			{Method: get, Path: "/pit/{name}", Least: site.Everybody, Serve: files.Serve},
		}, site.If(o.Jackpots != nil,
			row(get, "/jackpots/{jackpot}/entries.csv", Supervisor, d.jackpotFile),
		), site.If(o.Past != nil,
			row(get, ofTable+"recall/", Supervisor, d.past),
			row(get, ofTable+"events", Supervisor, d.past),
			row(get, ofTable+"journal/{journal}/{$}", Supervisor, d.ahead),
			row(get, ofTable+"journal/{journal}/recall", Supervisor, d.ahead),
			row(get, ofTable+"journal/{journal}/recall/", Supervisor, d.past),
			row(get, ofTable+"journal/{journal}/events", Supervisor, d.past),
		), site.If(o.Push != nil,
			row(post, "/push", Viewer, d.subscribe),
			row(post, "/push/end", Viewer, d.unsubscribe),
		), site.If(o.Rooms != nil,
			row(post, "/room", Supervisor, d.arrange),
		), site.If(o.Commands != nil, d.orderRows()...), o.Pages)
}

// Handler returns the whole site.
func (d *Dashboard) Handler() *site.Site {
	return site.New(site.Options{
		Rows: d.menu.Admitted(d.rows(), d.admit), Around: d.guard,
		Missing: func(w http.ResponseWriter, r *http.Request, usual http.Handler) {
			if r.Method == http.MethodGet {
				http.Error(w, d.speaking(r).say("pit.no-page"), http.StatusNotFound)
				return
			}
			usual.ServeHTTP(w, r)
		},
	})
}

// guard refuses other sites' pages. Where nobody is asked who they are, the pit answers to its own machine alone.
func (d *Dashboard) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site.Protect(w, r)
		site.AllowForms(w) // a search is a form, also where no script runs
		switch {
		case d.options.People == nil && !site.Loopback(r.Host):
			http.Error(w, d.speaking(r).say("pit.only-localhost"), http.StatusMisdirectedRequest)
		case site.FromElsewhere(r), d.options.People == nil && site.ForeignOrigin(r):
			http.Error(w, d.speaking(r).say("pit.only-own"), http.StatusForbidden)
		default:
			// Only once all of it is there is anybody asked whether their session lasts, and what their role is.
			if status, err := site.Whole(w, r, site.LongestBody, site.BodyWithin); err != nil {
				d.options.Log.Debug("pit: a request was not sent to its end", "what", r.Method+" "+r.URL.Path, "from",
					r.RemoteAddr, "err", err)
				http.Error(w, d.speaking(r).say("pit.not-understood"), status)
				return
			}
			next.ServeHTTP(w, r)
		}
	})
}

// admit lets through who may, for as long as their session lasts.
func (d *Dashboard) admit(to site.Row) http.HandlerFunc {
	least, asks := to.Least.(people.Role)
	if !asks {
		return to.Serve
	}
	return func(w http.ResponseWriter, r *http.Request) {
		person := people.Person{Role: Manager}
		if d.options.People != nil {
			who, during, done, known := d.options.People.Who(r, site.Accepts(r, "text/event-stream"))
			if !known {
				d.stranger(w, r)
				return
			}
			defer done()
			person, r = who, r.WithContext(during)
		}
		r = r.WithContext(context.WithValue(r.Context(), asking{}, person))
		if !person.May(least) {
			d.deny(w, r, to.Method+" "+to.Path)
			return
		}
		serve := to.Serve
		if person.Sites.Limited() {
			if serve = d.within(person.Sites, to, r); serve == nil {
				d.deny(w, r, to.Method+" "+to.Path)
				return
			}
		}
		serve(w, r)
	}
}

// limited are the pages for those who are limited to the same sites, by method and path.
type limited map[string]http.HandlerFunc

// within serves a page to somebody who is limited to sites, from what they may see; nil for what they may not. It is
// the one place where sites are asked for: what a page is made of has nothing of other sites.
func (d *Dashboard) within(sites people.Sites, to site.Row, r *http.Request) http.HandlerFunc {
	if named := r.PathValue("site"); named != "" && !sites.Has(named) || d.options.Within == nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	all, made := d.limits[sites]
	if !made {
		o, err := d.options.Within(sites)
		var of *Dashboard
		if err == nil {
			of, err = New(o)
		}
		if err != nil {
			d.options.Log.Error("pit: there are no pages for somebody who is limited to sites; report this", "sites",
				sites, "err", err)
			return nil
		}
		all = limited{}
		for _, row := range d.menu.Admitted(of.rows(), func(row site.Row) http.HandlerFunc { return row.Serve }) {
			all[row.Method+" "+row.Path] = row.Serve
		}
		d.limits[sites] = all
	}
	return all[to.Method+" "+to.Path]
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
	if draws, is := d.options.People.(Refuser); is && site.Accepts(r, "text/html") {
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
	case r.Method == http.MethodGet && site.Accepts(r, "text/event-stream"):
		site.Send(w, http.StatusOK, site.Events, []byte(over))
	case r.Method == http.MethodGet && site.Accepts(r, "text/html"):
		http.Redirect(w, r, EnterPath+"?then="+url.QueryEscape(r.URL.RequestURI()), http.StatusSeeOther)
	default:
		http.Error(w, d.speaking(r).say("people.over"), http.StatusUnauthorized)
	}
}
