package publish

import (
	"io"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/transport"
)

// drawer is a journal with one event, whose cursor goes nowhere, and the state of a table that has none.
type drawer struct{ State }

func (drawer) Events(uint64, int) ([]topic.Record, error) { return nil, nil }
func (drawer) Last() (uint64, time.Time, error)           { return 1, time.Time{}, nil }
func (drawer) Changed() <-chan struct{}                   { return nil }
func (drawer) Cursor(string) (uint64, error)              { return 0, nil }
func (drawer) SetCursor(string, uint64) error             { return nil }
func (drawer) FlushCursors() error                        { return nil }

// TestAnEventDroppedAfterItsAcknowledgement: a broker that denies a topic may acknowledge an event, drop it and hang
// up. The event is sent again, whatever answer to a subscription is seen between the two: that answer may be older.
func TestAnEventDroppedAfterItsAcknowledgement(t *testing.T) {
	table, err := topic.NewTable("wiesbaden", "bj1")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		answers      func(s *session)
		acknowledged uint64
	}{
		"nothing between": {func(*session) {}, 0},
		"a subscription":  {func(s *session) { s.listens(heed{of: s.ears[0]}) }, 0},
		"all subscriptions": {
			func(s *session) { s.listens(heed{of: s.ears[0]}); s.listens(heed{of: s.ears[1]}) },
			0,
		},
		"another message": {
			func(s *session) { s.settle(&delivery{lane: laneHealth, key: s.p.topics.health}) },
			1,
		},
		"a denied subscription": {func(s *session) { s.listens(heed{of: s.ears[1], err: errDenied}) }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var log brokertest.Log
			config := Config{
				Config: transport.Config{Broker: "tcp://nowhere"}, Table: table, Boot: 7, Log: log.Logger(),
				Fetch: noRecords,
			}
			p, err := New(config, drawer{}, drawer{}, func() Condition { return Condition{} })
			if err != nil {
				t.Fatal(err)
			}
			s := newSession(p, &link{}, time.Now())
			s.trials.begin(p.topics.event)
			s.flow.sent(laneEvent)
			s.settle(&delivery{lane: laneEvent, key: p.topics.event, sequence: 1})
			c.answers(s)
			s.blame(io.EOF)
			if got := p.acknowledged(); got != c.acknowledged {
				t.Errorf("%d events count as acknowledged, not %d", got, c.acknowledged)
			}
			if doubted := p.access.topics[p.topics.event] != nil; doubted != (c.acknowledged == 0) {
				t.Errorf("the topic of events is in doubt: %t", doubted)
			}
		})
	}
}

func noRecords(topic.Fetch) (topic.Records, error) { return topic.Records{}, nil }
