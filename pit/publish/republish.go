package publish

import (
	"context"
	"fmt"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
)

// Events is where Republish reads: see [Journal].
type Events interface {
	Events(after uint64, limit int) ([]topic.Record, error)
}

// Republished is how far Republish came.
type Republished struct {
	// Sent counts the events sent, and Acknowledged those that the broker has acknowledged.
	Sent, Acknowledged uint64
}

// Republish sends events again, from first to last, with their original bytes: readers drop
// those that they have. It runs alongside the table's own publisher, with a ClientID of its
// own, and touches neither the publisher's cursor nor any retained message. progress is
// called from time to time; it may be nil.
//
// It does not reconnect: the caller sees how far it came.
func Republish(ctx context.Context, config Config, from Events, first, last uint64,
	progress func(done, total uint64),
) (Republished, error) {
	d, err := newDialer(&config)
	if err != nil {
		return Republished{}, err
	}
	link, err := d.connectToAny(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return Republished{}, ctx.Err()
		}
		return Republished{}, d.explain(err)
	}
	if progress == nil {
		progress = func(uint64, uint64) {}
	}
	r := &republication{
		config: &config, dialer: d, link: link, from: from, next: first - 1, last: last, progress: progress,
		silence: time.NewTimer(config.AckTimeout),
	}
	defer r.silence.Stop()
	if err := r.run(ctx, last-first+1); err != nil {
		link.drop()
		if ctx.Err() != nil {
			return r.done, ctx.Err()
		}
		return r.done, err
	}
	link.part()
	return r.done, nil
}

// republication is one call of Republish.
type republication struct {
	config   *Config
	dialer   dialer
	link     *link
	from     Events
	read     []topic.Record // and not sent
	next     uint64         // the last event that was sent
	last     uint64
	done     Republished
	progress func(done, total uint64)
	silence  *time.Timer
}

func (r *republication) run(ctx context.Context, total uint64) error {
	for r.done.Acknowledged < total {
		if err := r.fill(); err != nil {
			return err
		}
		select {
		case d := <-r.link.settled:
			if d.err != nil {
				return r.dialer.explain(d.err)
			}
			r.done.Acknowledged++
			r.silence.Reset(r.config.AckTimeout)
			r.progress(r.done.Acknowledged, total)
		case <-r.link.gone:
			r.drain()
			return r.dialer.explain(r.link.why)
		case <-r.silence.C:
			return silentError{r.config.AckTimeout, int(r.done.Sent - r.done.Acknowledged)}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// fill sends what the window has room for.
func (r *republication) fill() error {
	for r.next < r.last && r.done.Sent-r.done.Acknowledged < uint64(r.config.Window) {
		if len(r.read) == 0 {
			var err error
			if r.read, err = r.from.Events(r.next, readAhead); err != nil {
				return fmt.Errorf("read the journal after event %d: %w", r.next, err)
			}
		}
		if len(r.read) == 0 || r.read[0].Number != r.next+1 {
			return fmt.Errorf("the journal has no event %d: verify it", r.next+1)
		}
		record := r.read[0]
		r.read, r.next = r.read[1:], record.Number
		// An unreadable event was also sent as unreadable the first time.
		payload, _ := eventPayload(r.config.Table, record)
		r.link.send(delivery{
			lane: laneEvent, topic: r.config.Table.Topic(topic.KindEvent), payload: payload,
			sequence: record.Number,
		})
		r.done.Sent++
	}
	return nil
}

// drain counts what the broker acknowledged before the connection was lost.
func (r *republication) drain() {
	for {
		select {
		case d := <-r.link.settled:
			if d.err != nil {
				return
			}
			r.done.Acknowledged++
		default:
			return
		}
	}
}
