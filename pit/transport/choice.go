package transport

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
)

// candidate is one broker of a list, and when it may be tried again.
type candidate struct {
	endpoint
	// name is the broker as the configuration has it.
	name  string
	pause Backoff
	from  time.Time
}

// candidates reads the brokers of a list.
func (c *Config) candidates() ([]candidate, error) {
	names := strings.Fields(c.Broker)
	if len(names) == 0 {
		names = []string{c.Broker} // which says what is wrong with it
	}
	all := make([]candidate, len(names))
	for i, name := range names {
		to, err := c.endpoint(name)
		if err != nil {
			return nil, err
		}
		for _, earlier := range all[:i] {
			if earlier.address == to.address {
				return nil, errors.New("the MQTT broker at " + to.address + " is in the list twice: name each once")
			}
		}
		all[i] = candidate{endpoint: to, name: name, pause: Backoff{Least: c.BackoffMin, Most: c.BackoffMax}}
	}
	return all, nil
}

func (d *Dialer) turn() *candidate { return &d.brokers[d.on] }

// Broker is the broker whose turn it is, as the configuration has it.
func (d *Dialer) Broker() string { return d.turn().name }

// Works notes that the connection has shown that it works: if it is lost, the broker is soon tried again.
func (d *Dialer) Works() { d.turn().pause.Reset() }

// Lasted does the same for a connection that was made long enough ago: a broker that always hangs up at once is asked
// less and less.
func (d *Dialer) Lasted(since time.Time) {
	if time.Since(since) >= d.config.BackoffMax {
		d.Works()
	}
}

// Failed notes that the broker whose turn it was could not be reached, or was lost. Each broker has a pause of its own,
// so one that is dead delays no other. It is the turn of the first of the list whose pause is over, or else of the one
// whose pause ends first.
func (d *Dialer) Failed(err error) {
	now := time.Now()
	failed := d.turn()
	failed.pause.Failed(err)
	failed.from = now.Add(failed.pause.Next())
	best := 0
	for i := range d.brokers {
		if !d.brokers[best].from.After(now) {
			break
		}
		if d.brokers[i].from.Before(d.brokers[best].from) {
			best = i
		}
	}
	d.on = best
}

// Next makes it the turn of the next broker in the list, or returns false after the last.
func (d *Dialer) Next() bool {
	if d.on+1 == len(d.brokers) {
		return false
	}
	d.on++
	return true
}

// Wait returns when the broker whose turn it is may be tried, or with false when the context ends. Going to another
// broker takes a moment, too, which is not the same for all tables: a broker that dies sends them all at once.
func (d *Dialer) Wait(ctx context.Context) bool {
	pause := time.Until(d.turn().from)
	if len(d.brokers) > 1 {
		pause = max(pause, rand.N(d.config.BackoffMin+1))
	}
	return sleep(ctx, pause)
}

// Earlier ends a connection to a later broker of the list, since an earlier one answers again. It is no fault.
type Earlier struct{ place int }

func (e Earlier) Error() string { return "an earlier MQTT broker of the list answers again" }

// Answers tells, once, that an earlier broker of the list can be reached again, for [Dialer.Return]. Nobody looks where
// the first is the one in use, nor after the context has ended, which is to be the connection's.
func (d *Dialer) Answers(ctx context.Context) <-chan Earlier {
	if d.on == 0 {
		return nil
	}
	found, earlier := make(chan Earlier, 1), d.brokers[:d.on]
	go func() {
		for sleep(ctx, d.config.ReturnEvery/2+rand.N(d.config.ReturnEvery/2+1)) {
			for i := range earlier {
				if d.takes(ctx, earlier[i].endpoint) {
					found <- Earlier{i}
					return
				}
			}
		}
	}()
	return found
}

// lookerSuffix makes another client of who looks whether a broker takes clients: who takes the client's own name at a
// broker of the same cluster throws the client out.
const lookerSuffix = "-looks"

// takes says whether a broker lets clients in. A node that is up, and whose cluster has no majority, can be reached and
// lets nobody in.
func (d *Dialer) takes(ctx context.Context, to endpoint) bool {
	dialled, err := d.dial(ctx, to)
	if err != nil {
		return false
	}
	limits := d.config.Limits
	limits.Write = writeTimeout
	conn := Guard(dialled, limits)
	options := d.clientOptions(conn, to.address, nil, make(chan error, 1))
	options.SetClientID(d.config.ClientID + lookerSuffix)
	client := mqtt.NewClient(options)
	if introduce(ctx, client, conn) != nil {
		return false
	}
	client.Disconnect(0)
	hangUp(conn)
	return true
}

// Return makes it the turn of an earlier broker, if a connection has ended for that, and says whether it did.
func (d *Dialer) Return(ended error) bool {
	to, is := errors.AsType[Earlier](ended)
	if is {
		d.on = to.place
		d.turn().from = time.Time{}
		d.turn().pause.Reset()
	}
	return is
}

// sleep returns after a time, or with false when the context ends.
func sleep(ctx context.Context, long time.Duration) bool {
	timer := time.NewTimer(long)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
