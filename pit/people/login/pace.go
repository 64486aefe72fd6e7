package login

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/pit/people"
)

// How often somebody may ask: more than pages and fingers do, and far less than would keep the pit busy. Many may sit
// behind one address.
var (
	strangersPace = site.Pace{Every: 20 * time.Millisecond, Burst: 300}
	personsPace   = site.Pace{Every: 50 * time.Millisecond, Burst: 200}
	changesPace   = site.Pace{Every: time.Second, Burst: 40}
)

const (
	// mostTold is how many addresses, persons and kinds of refusals are told apart.
	mostTold = 4096
	// mostStreams is how many pages of one person may be open at a time.
	mostStreams = 48
)

// paces bound what each address and each person may ask.
type paces struct {
	places  *site.Rate[netip.Prefix]
	persons *site.Rate[string]
	changes *site.Rate[string]
	// refusals are those that the log of what people do has.
	refusals *site.Bursts[refusal]

	mu      sync.Mutex
	streams map[string]int
}

// refusal is a kind of request that was refused, of which the log has the first, and how many followed.
type refusal struct{ who, from, how string }

func (d *Door) newPaces() *paces {
	return &paces{
		places:  site.NewRate[netip.Prefix](strangersPace, mostTold),
		persons: site.NewRate[string](personsPace, mostTold),
		changes: site.NewRate[string](changesPace, mostTold), streams: map[string]int{},
		refusals: site.NewBursts(site.BurstsOptions[refusal]{
			Window: time.Minute, Longest: time.Hour, Most: 256, Other: refusal{how: "refused in other ways"},
			Again: d.refusedAgain,
		}),
	}
}

// refusedAgain writes into the log how often something was refused again.
func (d *Door) refusedAgain(of refusal, again site.Burst) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	by, what, detail := people.Actor{Name: of.who, From: of.from}, people.Acted,
		fmt.Sprintf("%s, %d times more", of.how, again.Count)
	if by.Name == "" {
		what = people.Refused
	}
	if err := d.o.People.Note(ctx, by, what, "", detail); err != nil {
		d.o.Log.Error("pit: how often somebody was refused could not be written to the log, and is noted here "+
			"alone: look at the database",
			"who", of.who, "from", of.from, "how", detail, "err", err)
	}
}

// Close writes into the log what was refused last. Nothing is served any more.
func (d *Door) Close() { d.paces.refusals.Flush() }

// paced refuses what is asked too often: by an address, and by a person wherever they are. This computer's own
// addresses are not counted, so that there is a way in from here.
func (d *Door) paced(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		from := asked(r).from
		if wait := d.often(from); wait > 0 {
			d.tooOften(w, r, wait)
			return
		}
		who, known, err := d.present(r, true)
		if err != nil || !known {
			next.ServeHTTP(w, r) // as somebody who is not known
			return
		}
		site.Vouch(r.Context())
		name := who.Person.Name
		wait := d.paces.persons.Take(name)
		if changes := r.Method != http.MethodGet && r.Method != http.MethodHead; changes && wait == 0 {
			wait = d.paces.changes.Take(name)
		}
		if wait > 0 {
			d.tooOften(w, r, wait)
			return
		}
		if site.Accepts(r, "text/event-stream") || strings.HasPrefix(r.URL.Path, "/stream/") {
			if !d.paces.watch(name) {
				d.tooOften(w, r, time.Minute)
				return
			}
			defer d.paces.unwatch(name)
		}
		next.ServeHTTP(w, r)
	})
}

func (d *Door) often(from string) time.Duration {
	if ip, err := netip.ParseAddr(from); err == nil &&
		(ip.Unmap() == netip.MustParseAddr("127.0.0.1") || ip == netip.IPv6Loopback()) {
		return 0
	}
	return d.paces.places.Take(site.PlaceOf(from))
}

func (p *paces) watch(name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.streams[name] >= mostStreams {
		return false
	}
	p.streams[name]++
	return true
}

func (p *paces) unwatch(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.streams[name]--; p.streams[name] == 0 {
		delete(p.streams, name)
	}
}

// tooOften says that somebody asks more than anybody needs to.
func (d *Door) tooOften(w http.ResponseWriter, r *http.Request, wait time.Duration) {
	site.WaitAfter(w, site.Seconds(wait))
	http.Error(w, d.speaking(r).With("people.too-often"), http.StatusTooManyRequests)
}
