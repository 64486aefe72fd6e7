package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/transport"
	"github.com/sabot-table/sabot/table/journal"
)

// republish sends events to the pit again, unchanged, for readers that lost them. It can
// run while the table is in use.
func republish(ctx context.Context, set *flag.FlagSet, args []string, e env) error {
	var path string
	var s span
	set.StringVar(&path, "config", "", "the table's configuration `file`")
	set.Uint64Var(&s.from, "from", 0, "the `number` (sequence) of the first event to send")
	set.Uint64Var(&s.to, "to", 0, "the `number` of the last one; default: the last in the journal")
	if err := none(set, args, e); err != nil {
		return err
	}
	switch {
	case path == "":
		return errUsage("it needs a configuration")
	case s.from == 0:
		return errUsage("--from takes the number of an event, from 1")
	case s.to != 0 && s.to < s.from:
		return errUsage(fmt.Sprintf("there is nothing from event %d to %d", s.from, s.to))
	}
	c, err := loadConfig(path)
	if err != nil {
		return err
	}
	broker, err := brokerOf(c, path)
	if err != nil {
		return err
	}
	return withJournal(c.Journal.Path, func(j *journal.Reader) error { return s.send(ctx, broker, j, e) })
}

// brokerOf returns how to reach the table's broker.
func brokerOf(c config.Config, path string) (publish.Config, error) {
	if c.MQTT.Broker == "" {
		return publish.Config{}, fmt.Errorf("%s names no MQTT broker: set mqtt.broker", path)
	}
	password, err := c.MQTT.Password()
	if err != nil {
		return publish.Config{}, err
	}
	return brokerBeside(c, password, "-republish")
}

// brokerBeside is the connection of a table to its broker, with a client ID that ends otherwise: with the daemon's, the
// broker would disconnect one when the other connects.
func brokerBeside(c config.Config, password, end string) (publish.Config, error) {
	name, err := topic.NewTable(c.Site, c.Table)
	return publish.Config{
		Config: transport.Config{
			Broker: c.MQTT.Broker, Username: c.MQTT.Username, Password: password, ClientID: c.MQTT.ClientID + end,
			CAFile: c.MQTT.CAFile,
		},
		Table: name, Window: c.MQTT.Window, Log: slog.New(slog.DiscardHandler),
	}, err
}

// span is a range of events, both ends included.
type span struct{ from, to uint64 }

func (s span) send(ctx context.Context, broker publish.Config, j *journal.Reader, e env) error {
	end, err := lastEvent(j)
	if err != nil {
		return err
	}
	if s.to == 0 {
		s.to = max(end, s.from)
	}
	if s.to > end {
		return fmt.Errorf("the journal %s ends with event %d, before event %d: choose events that it has",
			j.Path(), end, s.to)
	}
	progress := terminal.NewBar(terminal.Raw(e.err), false)
	done, err := publish.Republish(ctx, broker, events{j}, s.from, s.to, progress.Show)
	progress.Clear()
	if err != nil {
		return s.broken(done, err)
	}
	_, err = fmt.Fprintf(e.out, "events %d to %d of %s: %d sent, %d acknowledged by %s\n", s.from, s.to, j.Path(),
		done.Sent, done.Acknowledged, broker.Broker)
	return err
}

// broken says how far it got, and how to continue.
func (s span) broken(done publish.Republished, err error) error {
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	if done.Sent == 0 {
		return fmt.Errorf("no event was sent: %w", err)
	}
	return fmt.Errorf("%d of %d events were sent and %d acknowledged: %w; continue with --from %d --to %d",
		done.Sent, s.to-s.from+1, done.Acknowledged, err, s.from+done.Acknowledged, s.to)
}

// lastEvent returns the number of the last event in a journal, 0 if there is none.
func lastEvent(j *journal.Reader) (uint64, error) {
	head, _, err := j.Head()
	if err != nil {
		return 0, err
	}
	last := uint64(0)
	for r, err := range j.Records(max(head, 1)) {
		if err != nil {
			return 0, err
		}
		last = r.FirstEvent - 1
		for range r.Lines() {
			last++
		}
	}
	return last, nil
}

// events gives a journal's events as the publisher takes them.
type events struct{ *journal.Reader }

// Events returns the events after the numbered one, in order.
func (r events) Events(after uint64, limit int) ([]topic.Record, error) {
	found, err := r.Reader.Events(after, limit)
	return publish.Records(found), err
}
