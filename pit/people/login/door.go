// Package login lets people into the pit's pages: it guards them, knows who asks, and serves
// the pages at which people enter, choose passwords, are looked after and read the log.
package login

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/web/site"
	"github.com/sabot-table/sabot/pit/people"
)

// Options are what a Door needs to be told; People is required.
type Options struct {
	People *people.People
	// Provider vouches for people; nil is passwords alone. ProviderName is what people call it.
	Provider     Provider
	ProviderName string
	// Public is the pit's address as browsers have it, such as https://pit.house.example; ""
	// is whatever they ask for, which is right on loopback and with a certificate alone.
	Public string
	// Proxies are the addresses of reverse proxies. What they say about who asks, and
	// whether by TLS, is believed, of nobody else.
	Proxies []netip.Prefix
	// Language is what the pages speak until a screen has chosen another.
	Language display.Language
	// Strangers is who does, in the log of what people do, what somebody does who has not logged in; "" on a site that
	// lets them do nothing.
	Strangers string
	// Log takes what goes wrong; nil is slog.Default.
	Log *slog.Logger
}

// Provider vouches for people. An OpenID is one.
type Provider interface {
	Begin(ctx context.Context) (address string, pending Pending, err error)
	Finish(ctx context.Context, pending Pending, back url.Values) (people.Vouched, error)
}

// Door is the way into the pit. Its methods may be called from any goroutine.
type Door struct {
	o      Options
	public *url.URL
	menu   site.Menu
	paces  *paces
}

// New returns a door.
func New(o Options) (*Door, error) {
	if o.People == nil {
		return nil, errors.New("door: People is required")
	}
	d := &Door{o: o, menu: site.NewMenu(o.Language)}
	d.menu.Secure = func(r *http.Request) bool { return asked(r).secure }
	if o.Public != "" {
		u, err := url.Parse(o.Public)
		if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.Path != "" || u.RawQuery != "" {
			return nil, errors.New("door: the public address is https:// and a name, and nothing more")
		}
		d.public = u
	}
	if o.Log == nil {
		d.o.Log = slog.Default()
	}
	d.paces = d.newPaces()
	return d, nil
}

// route is one thing that a browser may ask the door for.
type route struct {
	method, path string
	// least is who may ask for it; 0 is everybody.
	least people.Role
	serve http.HandlerFunc
}

func (d *Door) routes() []route {
	const get, post = http.MethodGet, http.MethodPost
	all := []route{
		{get, "/enter", 0, d.choosing(d.enterPage)},
		{post, "/enter", 0, d.enter},
		{post, "/leave", 0, d.leave},
		{get, "/people/assets/{name}", 0, files.Serve},
		{get, "/password", people.Viewer, d.choosing(d.passwordPage)},
		{post, "/password", people.Viewer, d.password},
		{get, "/people", people.Manager, d.choosing(d.peoplePage)},
		{post, "/people", people.Manager, d.change},
		{get, "/log", people.Manager, d.choosing(d.logPage)},
	}
	if d.o.Provider != nil {
		all = append(all, route{get, "/enter/sso", 0, d.ssoBegin}, route{get, "/enter/sso/back", 0, d.ssoBack})
	}
	return all
}

// Around guards a site, and serves the door's own pages next to it. The site knows itself who may ask for what of it.
func (d *Door) Around(inner *site.Site) *site.Site {
	noted := d.noting(inner)
	o := site.Options{
		Around:  func(next http.Handler) http.Handler { return d.guard(d.paced(next)) },
		Missing: func(w http.ResponseWriter, r *http.Request, _ http.Handler) { noted.ServeHTTP(w, r) },
	}
	for _, one := range d.routes() {
		least := site.Everybody
		if one.least != 0 {
			least = one.least.String()
		}
		o.Rows = append(o.Rows, site.Row{Method: one.method, Path: one.path, Least: least, Serve: d.admit(one)})
	}
	for _, one := range inner.Rows() {
		one.Serve = noted.ServeHTTP
		o.Rows = append(o.Rows, one)
	}
	return site.New(o)
}

// Who returns who asks, and a context that ends with the session; done is called when the
// request is over. A stream watches. Nobody is known who has to choose a password first.
func (d *Door) Who(r *http.Request, watches bool) (who people.Present, during context.Context, done func(),
	known bool,
) {
	who, known, err := d.present(r, watches)
	if err != nil || !known || who.MustChoose() {
		return people.Present{}, nil, nil, false
	}
	during, done = d.o.People.Hold(r.Context(), who)
	return who, during, done, true
}

// present is who asks, also somebody who has to choose a password first.
func (d *Door) present(r *http.Request, watches bool) (who people.Present, known bool, err error) {
	if kept := asked(r).who; kept != nil {
		return *kept, true, nil
	}
	ctx, cancel := context.WithTimeout(r.Context(), 10*time.Second)
	defer cancel()
	who, known, err = d.o.People.Session(ctx, d.cookie(r, sessionCookie), watches)
	if err != nil {
		d.o.Log.Error("pit: sessions cannot be read; nobody is let in until the database answers", "err", err)
	}
	return who, known, err
}

// admit lets through who may.
func (d *Door) admit(to route) http.HandlerFunc {
	if to.least == 0 {
		return to.serve
	}
	return func(w http.ResponseWriter, r *http.Request) {
		who, known, err := d.present(r, false)
		switch {
		case err != nil:
			d.refuse(w, r, http.StatusServiceUnavailable, "people.store")
		case !known:
			d.stranger(w, r)
		case who.MustChoose() && to.path != passwordPath:
			http.Redirect(w, r, passwordPath, http.StatusSeeOther)
		case !who.Person.Role.May(to.least):
			d.o.Log.Log(r.Context(), site.RefusalLevel(r),
				"pit: somebody asked for something that their role does not allow", "who", who.Person.Name, "what",
				to.method+" "+to.path, "from", asked(r).from)
			d.refuse(w, r, http.StatusForbidden, "people.may-not")
		default:
			asked(r).who = &who
			to.serve(w, r)
		}
	}
}

const (
	enterPath    = "/enter"
	passwordPath = "/password"
)

// stranger leads a browser to where people enter.
func (d *Door) stranger(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		http.Redirect(w, r, enterPath+"?"+url.Values{"then": {r.URL.RequestURI()}}.Encode(), http.StatusSeeOther)
		return
	}
	d.refuse(w, r, http.StatusUnauthorized, "people.over")
}

// Route is one thing that the door answers, and the least role for it; 0 is everybody.
type Route struct {
	Method, Path string
	Least        people.Role
}

// Routes are all of the door's own pages.
func (d *Door) Routes() (list []Route) {
	for _, one := range d.routes() {
		list = append(list, Route{one.method, one.path, one.least})
	}
	return list
}
