// What follows attacks the page of one table from the network in every way at once, as machines do that reached its
// network: connections that never say what they want, requests that never end, keys and PINs that are guessed, screens
// that ask for what is not theirs. Tests and benchmarks deal beside it. All of it stays on this machine: each attacker
// comes from an address of its own in 127.0.0.0/8.

package attack

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// Target is the table that is attacked, and what the attackers have got hold of.
type Target struct {
	// Address is the page's host and port, and URL its beginning, without a slash at the end.
	Address, URL string
	// TLS trusts the page's certificate.
	TLS *tls.Config
	// View and Supervisor make requests as screens of these roles that have entered: a guest at the screen on the
	// wall, and one who reaches the PIN pad.
	View, Supervisor *http.Client
	// Least is how often each attacker tries at least, also when the siege is to end before.
	Least int
}

const (
	// pace is the time between two tries of one attacker.
	pace = 5 * time.Millisecond
	// patience is how long one try may take.
	patience = 5 * time.Second
	// mostHeld is how many connections one attacker holds open at the same time.
	mostHeld = 400
	// firstHost and hosts are the last bytes of the addresses that attackers come from.
	firstHost, hosts = 2, 200
)

// Result is what one way of attacking came to.
type Result struct {
	Name string
	// Tries were made, and Through of them got what no attacker may get.
	Tries, Through int
}

// Lay attacks until ctx ends, and then returns what each attack came to, in the order of the attacks.
func (t *Target) Lay(ctx context.Context) []Result {
	results := make([]Result, len(attacks))
	going, lift := context.WithCancel(context.WithoutCancel(ctx))
	defer lift()
	var all, triedEnough sync.WaitGroup
	for i, one := range attacks {
		enough := make(chan struct{})
		triedEnough.Go(func() { <-enough })
		all.Go(func() {
			attacker := attacker{Target: t, nth: i}
			defer attacker.letGo()
			results[i] = attacker.repeat(going, one, enough)
		})
	}
	<-ctx.Done()
	triedEnough.Wait()
	lift()
	all.Wait()
	return results
}

// attacker is one machine that attacks in one way.
type attacker struct {
	*Target
	nth, tries int
	held       []net.Conn
}

// repeat tries until ctx ends, and closes enough once it has tried often enough.
func (a *attacker) repeat(ctx context.Context, one attack, enough chan<- struct{}) Result {
	r := Result{Name: one.name}
	if a.Least == 0 {
		close(enough)
	}
	tick := time.NewTicker(pace)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return r
		case <-tick.C:
		}
		try, done := context.WithTimeout(ctx, patience)
		through := one.try(a, try)
		done()
		if ctx.Err() != nil {
			return r // a try that was cut short says nothing
		}
		a.tries++
		r.Tries++
		if through {
			r.Through++
		}
		if r.Tries == a.Least {
			close(enough)
		}
	}
}

// dial connects from an address of this try.
func (a *attacker) dial(ctx context.Context) (net.Conn, error) {
	from := net.IPv4(127, 0, byte(a.nth), byte(firstHost+a.tries%hosts))
	return (&net.Dialer{LocalAddr: &net.TCPAddr{IP: from}}).DialContext(ctx, "tcp", a.Address)
}

// hold keeps a connection open, and lets the oldest go where there are too many.
func (a *attacker) hold(c net.Conn) {
	a.held = append(a.held, c)
	if len(a.held) > mostHeld {
		closed(a.held[0])
		a.held = a.held[1:]
	}
}

func (a *attacker) letGo() {
	for _, c := range a.held {
		closed(c)
	}
}

// closed closes a connection; that the table closed it first is its good right.
func closed(c net.Conn) { _ = c.Close() }

// request posts a body, or gets a page without one, and reports whether it was answered with a success.
func (a *attacker) request(ctx context.Context, by *http.Client, path, body string, header ...string) bool {
	request, err := newRequest(ctx, a.URL+path, body)
	if err != nil {
		panic(fmt.Sprintf("%s is no address: %v", a.URL+path, err)) // a mistake in the test
	}
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := by.Do(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	return response.StatusCode < 300
}
