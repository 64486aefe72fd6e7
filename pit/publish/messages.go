package publish

import (
	"bytes"
	"fmt"
	"runtime"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/vocab"
)

// statusMessage is the payload of a status. The time is when the connection was made, so
// that a repeated status is the same message. A last will does not report trouble: whether
// there is any when it is sent is unknown.
func (p *Publisher) statusMessage(online bool, reason string, at time.Time) []byte {
	status := topic.Status{
		Site: p.config.Table.Site(), Table: p.config.Table.Name(), Online: online, Reason: reason,
		Boot: p.config.Boot, Connection: p.reach.tries, Version: p.config.Version, Time: at,
	}
	if trouble := p.state.Trouble(); trouble != nil && reason != topic.ReasonLost {
		status.Trouble = trouble.Code
	}
	if reason != topic.ReasonLost {
		status.Denied, status.Commands = p.access.denials(), p.config.Command != nil
		status.Records = p.config.Fetch != nil
	}
	return topic.AppendStatus(nil, status)
}

// healthMessage is the payload of a health, and what it says about the journal. The last
// event is read before the head, so that the head covers it.
func (p *Publisher) healthMessage() ([]byte, Heard) {
	journal := p.journalHealth()
	condition := p.condition()
	var heard Heard
	if head := condition.Head; head != nil {
		journal.Head, journal.Away = head, condition.Away
		journal.Began = &topic.Began{Acknowledged: p.began, Away: condition.AwayBefore}
		heard = Heard{ID: head.ID, Record: head.Record, Hash: head.Hash, Event: journal.LastSequence}
		if p.config.Prove != nil {
			journal.Proof = p.config.Prove(heard)
		}
	}
	now := time.Now()
	return topic.AppendHealth(nil, topic.Health{
		Site: p.config.Table.Site(), Table: p.config.Table.Name(), Boot: p.config.Boot, Version: p.config.Version,
		Time: now, Uptime: uint64(now.Sub(p.started) / time.Second),
		Shoe: condition.Shoe, Opening: condition.Opening, Journal: journal, Computer: condition.Computer,
		Commands:    condition.Commands,
		MemoryBytes: residentMemory(), Goroutines: uint64(runtime.NumGoroutine()),
		LastError: p.lastFault(condition.LastError), Denied: p.access.denials(), Reasons: condition.Reasons,
	}), heard
}

// totalsMessage is the payload of the totals; false before they are counted.
func (p *Publisher) totalsMessage() ([]byte, bool) {
	totals, ok := p.config.Totals.Latest()
	totals.Site, totals.Table, totals.Boot = p.config.Table.Site(), p.config.Table.Name(), p.config.Boot
	return topic.AppendTotals(nil, totals), ok
}

// journalHealth is how far the journal has come, and how far the broker has.
func (p *Publisher) journalHealth() topic.Journal {
	last, at, err := p.journal.Last()
	if err != nil {
		p.journalFailed(fmt.Errorf("read the journal's last event: %w", err))
		return topic.Journal{Trouble: p.state.Trouble()}
	}
	health := topic.Journal{
		LastSequence: last, Unacknowledged: last - min(last, p.acknowledged()),
		Trouble: p.state.Trouble(),
	}
	if last > 0 {
		health.LastEvent = &at
	}
	return health
}

// lastFault is the later of the publisher's own last error and another.
func (p *Publisher) lastFault(other *topic.Fault) *topic.Fault {
	p.mu.Lock()
	own := topic.Fault{Time: p.stats.LastErrorAt, Text: p.stats.LastError}
	p.mu.Unlock()
	if own.Text == "" || other != nil && other.Time.After(own.Time) {
		return other
	}
	return &own
}

// eventMessage is the payload of an event.
func (p *Publisher) eventMessage(r topic.Record) []byte {
	payload, err := eventPayload(p.config.Table, r)
	if err != nil {
		p.note(err)
		p.config.Log.Error("an event goes to the pit as unreadable; look at it with sabot journal events", "error", err)
	}
	return payload
}

// dealt begins the line of a card that has its place.
var dealt = []byte(`{"out":"` + vocab.Dealt.String() + `"`)

// cardAt is when the table took the card that an event tells of, 0 if it tells of none, or nobody wants to know.
func (p *Publisher) cardAt(r topic.Record) int64 {
	if p.config.CardHeard == nil || !bytes.HasPrefix(r.Line, dealt) {
		return 0
	}
	return r.At
}

// eventPayload is the payload of an event, always the same. A line that is not an output is
// sent as unreadable, and the error returned too: the pit sees that there is an event, not
// a gap.
func eventPayload(table topic.Table, r topic.Record) ([]byte, error) {
	payload, err := topic.AppendEvent(make([]byte, 0, len(r.Line)+256), table, r)
	if err != nil {
		return topic.AppendUnreadable(payload, table, r, err), err
	}
	return payload, nil
}
