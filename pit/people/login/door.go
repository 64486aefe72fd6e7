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
	"github.com/sabot-table/sabot/internal/site"
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
	// Sites are those to which people may be limited; none where there is but one.
	Sites []string
	// Proxies are the addresses of reverse proxies. What they say about who asks, and
	// whether by TLS, is believed, of nobody else.
	Proxies []netip.Prefix
	// Language is what the pages speak until a screen has chosen another.
	Language display.Language
	// Zone is that of the house's clock, which the pages tell whatever the machine's is; nil for the machine's.
	Zone *time.Location
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
	d.menu.Unknown = func(l display.Language) string { return l.With("pit.no-language") }
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
	if o.Zone == nil {
		d.o.Zone = time.Local
	}
	d.paces = d.newPaces()
	return d, nil
}

// rows are the door's own pages.
func (d *Door) rows() []site.Row {
	const get, post = http.MethodGet, http.MethodPost
	page := func(path string, least site.Role, serve http.HandlerFunc) site.Row {
		return site.Row{Method: get, Path: path, Least: least, Page: true, Serve: serve}
	}
	return append([]site.Row{
		page(enterPath, site.Everybody, d.enterPage),
		{Method: post, Path: enterPath, Least: site.Everybody, Serve: d.enter},
		{Method: post, Path: "/leave", Least: site.Everybody, Serve: d.leave},
		{Method: get, Path: "/people/assets/{name}", Least: site.Everybody, Serve: files.Serve},
		page(passwordPath, people.Viewer, d.passwordPage),
		{Method: post, Path: passwordPath, Least: people.Viewer, Serve: d.password},
		page("/people", people.Manager, d.peoplePage),
		{Method: post, Path: "/people", Least: people.Manager, Serve: d.change},
		page("/log", people.Manager, d.logPage),
	}, site.If(d.o.Provider != nil,
		site.Row{Method: get, Path: "/enter/sso", Least: site.Everybody, Serve: d.ssoBegin},
		site.Row{Method: get, Path: "/enter/sso/back", Least: site.Everybody, Serve: d.ssoBack},
	)...)
}

// Around guards a site, and serves the door's own pages next to it. The site knows itself who may ask for what of it.
func (d *Door) Around(inner *site.Site) *site.Site {
	noted := d.noting(inner)
	rows := d.menu.Admitted(d.rows(), d.admit)
	for _, one := range inner.Rows() {
		one.Serve = noted.ServeHTTP
		rows = append(rows, one)
	}
	return site.New(site.Options{
		Rows: rows, Around: func(next http.Handler) http.Handler { return d.guard(d.paced(next)) },
		Missing: func(w http.ResponseWriter, r *http.Request, _ http.Handler) { noted.ServeHTTP(w, r) },
	})
}

// Who returns who asks, and a context that ends with the session; done is called when the
// request is over. A stream watches. Nobody is known who has to choose a password first.
func (d *Door) Who(r *http.Request, watches bool) (who people.Person, during context.Context, done func(),
	known bool,
) {
	present, known, err := d.present(r, watches)
	if err != nil || !known || present.MustChoose() {
		return who, nil, nil, false
	}
	during, done = d.o.People.Hold(r.Context(), present)
	who = present.Person
	who.Password = "" // nobody who draws a page needs it
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
func (d *Door) admit(to site.Row) http.HandlerFunc {
	least, asks := to.Least.(people.Role)
	if !asks {
		return to.Serve
	}
	return func(w http.ResponseWriter, r *http.Request) {
		who, known, err := d.present(r, false)
		switch {
		case err != nil:
			d.refuse(w, r, http.StatusServiceUnavailable, "people.store")
		case !known:
			d.stranger(w, r)
		case who.MustChoose() && to.Path != passwordPath:
			http.Redirect(w, r, passwordPath, http.StatusSeeOther)
		case !who.Person.Role.May(least), least == people.Manager && !who.Person.Decides():
			d.o.Log.Log(r.Context(), site.RefusalLevel(r),
				"pit: somebody asked for something that their role does not allow", "who", who.Person.Name, "what",
				to.Method+" "+to.Path, "from", asked(r).from)
			d.refuse(w, r, http.StatusForbidden, "people.may-not")
		default:
			asked(r).who = &who
			to.Serve(w, r)
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
