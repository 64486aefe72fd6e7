// Package notify calls who is needed on the floor: people on their own browsers, also while no page of the pit is open,
// and another program by a Webhook. The pit is told to use either, both or none.
//
// What browsers get is Web Push: a message is encrypted for the browser (RFC 8291), signed with the pit's own key (RFC
// 8292), and posted to the push service that the browser has chosen, which passes it on and cannot read it. An alert
// calls those whose role is called for it. What becomes of it afterwards takes the place of the same notification: with
// a sound as long as nobody looks after it, such as when the next role is called.
package notify

import (
	"context"
	"crypto/ecdsa"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/people"
)

// Floor has the alerts. floor.Floor is one.
type Floor interface {
	Alerts() []floor.Alert
	History() []floor.Alert
	Changed() <-chan struct{}
}

// Text is what a notification says of an alert.
type Text struct{ Title, Body string }

// Options say who is called, how. Zero values are the defaults given with the fields.
type Options struct {
	Floor Floor
	Store Store
	// Key is the pit's own: push services know it by it.
	Key *ecdsa.PrivateKey
	// Contact is whom a push service asks if the pit's messages trouble it: an address of mail or of HTTPS.
	Contact string
	// Allowed are the push services to which anything is sent.
	Allowed Services
	// Role is what a person may do now: none for somebody who may not enter. An error keeps what was known.
	Role func(ctx context.Context, person string) (people.Role, error)
	// Say writes what a notification says, in a language.
	Say func(language string, a *floor.Alert) Text
	// Turn is whose turn it is to call, of several pits.
	Turn floor.Turn
	// Patience is how long a message is tried, and kept by the push service. Default 10 min.
	Patience time.Duration
	// Client sends; it follows no redirection. Default: one of its own.
	Client *http.Client
	Log    *slog.Logger
}

// Pusher calls browsers. Its methods may be called from any goroutine.
type Pusher struct {
	options Options
	public  string
	private string

	mu    sync.Mutex
	known []addressee
	// looks counts the looks for who is to be called, and known is what number noted has found: one that began earlier
	// and ends later changes nothing any more. ended are browsers that were switched off, by the last look before that.
	looks, noted int
	ended        map[string]int
	lines        map[string]*line
	told         map[string]map[string]bool // by alert, the endpoints that were called for it
}

// mostAnswer is how much is read of what a receiver answers.
const mostAnswer = 1 << 16

// gather is how long changes are gathered before they are looked at.
const gather = 100 * time.Millisecond

// New makes a Pusher.
func New(o Options) (*Pusher, error) {
	if err := o.Allowed.Check(); err != nil {
		return nil, err
	}
	if o.Patience == 0 {
		o.Patience = 10 * time.Minute
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Client == nil {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.MaxConnsPerHost = 8
		o.Client = &http.Client{Transport: transport}
	}
	o.Client = site.Client(o.Client, tryFor, mostAnswer)
	public, err := o.Key.PublicKey.Bytes()
	if err != nil {
		return nil, fmt.Errorf("the pit's key for calling browsers: %w", err)
	}
	private, err := o.Key.Bytes()
	if err != nil {
		return nil, fmt.Errorf("the pit's key for calling browsers: %w", err)
	}
	return &Pusher{
		options: o, public: base64.RawURLEncoding.EncodeToString(public),
		private: base64.RawURLEncoding.EncodeToString(private),
		lines:   map[string]*line{}, told: map[string]map[string]bool{}, ended: map[string]int{},
	}, nil
}

// Key is the pit's public key, as browsers want it: base64 of the point.
func (p *Pusher) Key() string { return p.public }

// Subscribe keeps a browser that wants to be called, in the place of what was known of the same one: whoever uses it
// now is called, and nobody else.
func (p *Pusher) Subscribe(ctx context.Context, s Subscription) error {
	if err := s.check(p.options.Allowed); err != nil {
		return &RefusedError{err}
	}
	s.Key, s.Added = p.public, time.Now()
	if err := p.options.Store.PutSubscription(ctx, s, mostOfPerson); err != nil {
		return err
	}
	p.look(ctx)
	return nil
}

// RefusedError is a subscription that cannot be used.
type RefusedError struct{ Err error }

func (e *RefusedError) Error() string { return "this browser cannot be called: " + e.Err.Error() }

func (e *RefusedError) Unwrap() error { return e.Err }

// End calls a browser no more.
func (p *Pusher) End(ctx context.Context, endpoint string) error {
	if err := p.options.Store.DropSubscription(ctx, endpoint); err != nil {
		return err
	}
	p.mu.Lock()
	p.ended[endpoint] = p.looks
	p.forget(endpoint)
	p.mu.Unlock()
	return nil
}

// forget drops what is known of a browser. The Pusher is locked.
func (p *Pusher) forget(endpoint string) {
	kept := p.known[:0:0]
	for _, one := range p.known {
		if one.Endpoint != endpoint {
			kept = append(kept, one)
		}
	}
	p.known = kept
	if l := p.lines[endpoint]; l != nil {
		l.waiting = nil
	}
	for _, told := range p.told {
		delete(told, endpoint)
	}
}

// Try sends a person's browser a notification that says nothing is wrong, and returns whether its push service took it.
func (p *Pusher) Try(ctx context.Context, person, endpoint string, t Text) error {
	for _, one := range p.look(ctx) {
		if one.Endpoint == endpoint && one.Person == person {
			ctx, stop := context.WithTimeout(ctx, tryFor)
			defer stop()
			return p.post(ctx, &one.Subscription, message{tag: "sabot", text: t, silent: true})
		}
	}
	return errors.New("this browser is not known")
}

// Run calls browsers for what becomes of alerts from now on, until the context ends. Alerts that were called for a
// moment ago are called for again: nobody knows whether the pit ended before it had done so.
func (p *Pusher) Run(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	var watch floor.Watch
	began := time.Now()
	for first := true; ; first = false {
		changed := p.options.Floor.Changed()
		alerts := p.options.Floor.Alerts()
		news := watch.News(alerts, p.options.Floor.History())
		if first {
			news = p.resume(ctx, alerts, began.Add(-aMoment))
		}
		p.spread(ctx, &all, p.options.Turn.Take(news, time.Now()))
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(gather):
		}
	}
}

// aMoment is how long ago a pit may have been ended before it called.
const aMoment = 2 * time.Minute

// resume takes for told whoever is called for open alerts, and returns those that wait and for which somebody was
// called since a time.
func (p *Pusher) resume(ctx context.Context, alerts []floor.Alert, since time.Time) (news []floor.News) {
	known := p.look(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range alerts {
		a := &alerts[i]
		if a.Waits() && a.CallsSince.After(since) {
			news = append(news, floor.News{Alert: a, Step: floor.Step{What: floor.Raised}})
			continue
		}
		for _, one := range known {
			if one.called(a.Calls, known) {
				p.tell(a, one)
			}
		}
	}
	return news
}

// tell notes that a browser is told of an alert. The Pusher is locked.
func (p *Pusher) tell(a *floor.Alert, one addressee) {
	if p.told[a.ID] == nil {
		p.told[a.ID] = map[string]bool{}
	}
	p.told[a.ID][one.Endpoint] = true
}

// spread has what is new told to whom it concerns.
func (p *Pusher) spread(ctx context.Context, all *sync.WaitGroup, news []floor.News) {
	if len(news) == 0 {
		return
	}
	known := p.look(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	calls := map[*floor.Alert]bool{}
	for _, n := range news {
		calls[n.Alert] = calls[n.Alert] || (n.Step.What == floor.Raised || n.Step.What == floor.Escalated) &&
			n.Alert.Waits()
	}
	done := map[*floor.Alert]bool{}
	for _, n := range news {
		a := n.Alert
		if done[a] {
			continue
		}
		done[a] = true
		for _, one := range known {
			if calls[a] && one.called(a.Calls, known) || p.told[a.ID][one.Endpoint] {
				p.tell(a, one)
				p.enqueue(ctx, all, one.Subscription, message{
					tag: a.ID, where: whereOf(a), text: p.options.Say(one.Language, a), silent: !a.Waits(),
					until: time.Now().Add(p.options.Patience),
				})
			}
		}
		if !a.Over.IsZero() {
			delete(p.told, a.ID)
		}
	}
}

// whereOf is the page on which an alert is looked at.
func whereOf(a *floor.Alert) string {
	if a.Table.Name() == "" {
		return "/alerts"
	}
	return "/table/" + a.Table.Site() + "/" + a.Table.Name() + "/"
}
