package dashboard

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/notify"
	"github.com/sabot-table/sabot/pit/people"
)

// Push calls browsers also while no page is open. notify.Pusher is one.
type Push interface {
	// Key is the pit's public key, with which browsers subscribe.
	Key() string
	Subscribe(context.Context, notify.Subscription) error
	// Try sends a person's browser a notification, and says whether that was taken.
	Try(ctx context.Context, person, endpoint string, t notify.Text) error
	End(ctx context.Context, endpoint string) error
}

// mayBeCalled says whether anybody calls a person: alerts call supervisors, technicians and managers.
func mayBeCalled(p people.Person) bool { return p.May(Supervisor) || p.May(Technician) }

// pushKey is the key with which a page may subscribe, "" where it cannot.
func (d *Dashboard) pushKey(p people.Person) string {
	if d.options.Push == nil || !mayBeCalled(p) {
		return ""
	}
	return d.options.Push.Key()
}

// subscribing is what a browser says of itself. First asks for a notification that shows that it works.
type subscribing struct {
	Endpoint string `json:"endpoint"`
	P256dh   string `json:"p256dh"`
	Auth     string `json:"auth"`
	First    bool   `json:"first"`
}

// subscribe keeps that a browser wants to be called, for whoever uses it now.
func (d *Dashboard) subscribe(w http.ResponseWriter, r *http.Request) {
	var said subscribing
	if !d.decode(w, r, &said) {
		return
	}
	p, one := who(r), d.speaking(r)
	if !mayBeCalled(p) {
		http.Error(w, one.say("pit.push-role"), http.StatusForbidden)
		return
	}
	err := d.options.Push.Subscribe(r.Context(), notify.Subscription{
		Endpoint: said.Endpoint, P256dh: said.P256dh, Auth: said.Auth, Person: p.Name, Language: one.language.Code(),
	})
	if err == nil && said.First {
		if err = d.options.Push.Try(r.Context(), p.Name, said.Endpoint,
			notify.Text{Title: d.options.Name, Body: one.say("pit.push-works")}); err != nil {
			d.options.Log.Warn("pit: a browser cannot be called; check that the pit reaches its push service", "person",
				p.Name, "err", err)
			err = errors.Join(errNotReached, d.options.Push.End(r.Context(), said.Endpoint))
		}
	}
	switch {
	case err == nil:
		w.WriteHeader(http.StatusNoContent)
	case errors.Is(err, errNotReached):
		http.Error(w, one.say("pit.push-failed"), http.StatusBadGateway)
	default:
		d.notSubscribed(w, one, err)
	}
}

var errNotReached = errors.New("the push service is not reached")

// notSubscribed says why a browser is not kept.
func (d *Dashboard) notSubscribed(w http.ResponseWriter, r renderer, err error) {
	if other, is := errors.AsType[*notify.NotAllowedError](err); is {
		d.options.Log.Warn("pit: a browser uses a push service that alerts.push_services does not name, and is not "+
			"called: name its host there, if the house allows it",
			"host", other.Host)
		http.Error(w, r.with("pit.push-service", "host", other.Host), http.StatusForbidden)
		return
	}
	if refused, is := errors.AsType[*notify.RefusedError](err); is {
		d.options.Log.Warn("pit: a browser's subscription cannot be used, and it is not called: have its person "+
			"switch notifications off and on again",
			"err", refused)
		http.Error(w, r.say("pit.push-refused"), http.StatusBadRequest)
		return
	}
	d.options.Log.Error("pit: a browser's subscription cannot be stored, and it is not called: look at the database",
		"err", err)
	http.Error(w, r.say("pit.store-away"), http.StatusServiceUnavailable)
}

// unsubscribe calls a browser no more. Its endpoint is known to it alone.
func (d *Dashboard) unsubscribe(w http.ResponseWriter, r *http.Request) {
	var said struct {
		Endpoint string `json:"endpoint"`
	}
	if !d.decode(w, r, &said) {
		return
	}
	if err := d.options.Push.End(r.Context(), said.Endpoint); err != nil {
		d.notSubscribed(w, d.speaking(r), err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// worker serves the script that shows notifications while no page is open. It is at the root, so that it is responsible
// for all pages, and browsers look themselves whether there is another one.
func worker(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	http.ServeFileFS(w, r, assets, "assets/worker.js")
}

// Notice writes what a notification says of an alert, in a language by its code. It says little: it may be shown on a
// screen that is locked.
func (d *Dashboard) Notice(language string, a *floor.Alert) notify.Text {
	at, known := d.menu.Called(language)
	if !known {
		at = d.menu.Home
	}
	r := d.renders[at]
	m := d.alert(r, people.Person{}, a)
	var said []string
	for _, one := range []string{m.Calls, m.Coming, m.Stands, m.Seen, m.Round, m.Clock} {
		if one != "" {
			said = append(said, one)
		}
	}
	return notify.Text{Title: m.Table + ": " + m.What, Body: strings.Join(said, " · ")}
}
