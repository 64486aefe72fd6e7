package pit

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/replica"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/transport"
	"github.com/sabot-table/sabot/table/journal"
)

// nodeOf is one of several pits on one database and one broker. None loses what it has because the computer is slow.
func nodeOf(t *testing.T, source, broker string, number int, tables []string) *Pit {
	t.Helper()
	c := Default()
	c.Site, c.Tables, c.MQTT.Broker = "wiesbaden", tables, "tcp://"+broker
	c.MQTT.Reader = fmt.Sprintf("pit-%d", number)
	c.Store.Source, c.Store.TimeZone = source, Zone{time.UTC}
	c.silence = time.Minute
	return Started(t, c)
}

// Started is a pit that runs until the test ends.
func Started(t *testing.T, c Config) *Pit {
	t.Helper()
	p, err := Open(t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- p.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// openAt is the alert of a code that is open at a table, nil for none.
func openAt(p *Pit, table topic.Table, code string) *floor.Alert {
	for _, a := range p.Floor.Alerts() {
		if a.Table == table && a.Code == code {
			return &a
		}
	}
	return nil
}

// TestAnAlertAtEveryNode: of two pits one answers for a table; its alert is shown at both, and who has seen it at
// either is shown at both, and kept.
func TestAnAlertAtEveryNode(t *testing.T) {
	source, broker := journaltest.NewPostgres(t).Source(), brokertest.StartMosquitto(t).Addr()
	tables := []string{"bj-1", "bj-2", "bj-3", "bj-4", "bj-5", "bj-6"}
	pits := []*Pit{nodeOf(t, source, broker, 1, tables), nodeOf(t, source, broker, 2, tables)}
	brokertest.Until(t, "both have their part", func() bool {
		a, b := pits[0].Store.Nodes(), pits[1].Store.Nodes()
		return a.Held() == b.Held() && a.Held()+b.Held() == a.Parts()
	})
	for n, name := range tables[:2] {
		table, err := topic.NewTable("wiesbaden", name)
		if err != nil {
			t.Fatal(err)
		}
		if pits[0].turn().Answers(table) == pits[1].turn().Answers(table) {
			t.Fatalf("%s: both answer, or none", table)
		}
		for _, p := range pits {
			p.Floor.Raise(table, floor.RecordsMissing, "gone", time.Now())
		}
		var id string
		brokertest.Until(t, "both show the alert", func() bool {
			a, b := openAt(pits[0], table, floor.RecordsMissing), openAt(pits[1], table, floor.RecordsMissing)
			if a == nil || b == nil || a.ID != b.ID {
				return false
			}
			id = a.ID
			return true
		})
		at := pits[0]
		if at.turn().Answers(table) == (n == 0) { // the first at the other pit
			at = pits[1]
		}
		if err := (attended{at.Floor, at.ear}).Acknowledge(id, "anna", "I look"); err != nil {
			t.Fatal(err)
		}
		brokertest.Until(t, "both show who has seen it, and it is kept", func() bool {
			kept, err := at.Store.OpenAlerts(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			seen := false
			for _, a := range kept {
				seen = seen || a.ID == id && a.AcknowledgedBy == "anna" && a.Note == "I look"
			}
			for _, p := range pits {
				a := openAt(p, table, floor.RecordsMissing)
				seen = seen && a != nil && a.AcknowledgedBy == "anna"
			}
			return seen
		})
	}
}

// TestTheGroupKnowsOtherNodes: each of two nodes says how many records are lacking of all tables, also of those that
// the other one keeps: none as long as the database has them.
func TestTheGroupKnowsOtherNodes(t *testing.T) {
	source, broker := journaltest.NewPostgres(t).Source(), brokertest.StartMosquitto(t).Addr()
	names := []string{"bj-1", "bj-2", "bj-3"}
	pits := []*Pit{nodeOf(t, source, broker, 1, nil), nodeOf(t, source, broker, 2, nil)} // which look once they hear
	brokertest.Until(t, "both have their part", func() bool {
		a, b := pits[0].Store.Nodes(), pits[1].Store.Nodes()
		return a.Held() == b.Held() && a.Held()+b.Held() == a.Parts()
	})
	heads := map[topic.Table]topic.Head{}
	for n, name := range names {
		table, err := topic.NewTable("wiesbaden", name)
		if err != nil {
			t.Fatal(err)
		}
		at := pits[0]
		if at.Store.Nodes().Epoch(table) == 0 {
			at = pits[1]
		}
		heads[table] = filled(t, at, table, uint64(n))
	}
	says(t, broker, heads)
	for _, p := range pits {
		brokertest.Until(t, "a node has heard all tables, and knows its own", func() bool {
			heard := p.Progress()
			return len(heard) == len(names) && !slices.ContainsFunc(heard, func(p replica.Progress) bool {
				return p.Head == replica.Position{} || !p.Elsewhere && p.Behind() > 0
			})
		})
		if behind := lacking(t, p); behind != 0 {
			t.Errorf("all is kept, and %d records are said to be lacking", behind)
		}
	}
	const more = 7
	for table, head := range heads {
		head.Record += more
		heads[table] = head
	}
	says(t, broker, heads)
	for _, p := range pits {
		brokertest.Until(t, "a node says what is lacking of all tables", func() bool {
			return lacking(t, p) == uint64(more*len(names))
		})
	}
}

// filled has a node keep a journal of a table.
func filled(t *testing.T, p *Pit, table topic.Table, seed uint64) topic.Head {
	t.Helper()
	folder := processes.FastDir(t)
	journaltest.NewNight(t, folder, "wiesbaden", seed).Deal(50)
	r, err := journal.OpenReadOnly(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := p.Store.Refill(t.Context(), table, r, nil); err != nil {
		t.Fatal(err)
	}
	record, hash, err := r.Head()
	if err != nil {
		t.Fatal(err)
	}
	return topic.Head{ID: r.ID(), Record: record, Hash: fmt.Sprintf("%x", hash)}
}

// says has tables say their last records.
func says(t *testing.T, at string, heads map[topic.Table]topic.Head) {
	t.Helper()
	conn := connect(t, transport.Config{Broker: "tcp://" + at, ClientID: "sabot-wiesbaden-tables"})
	defer conn.Part()
	for table, head := range heads {
		token := conn.Publish(table.Topic(topic.KindHealth), 1, true, topic.AppendHealth(nil, topic.Health{
			Site: table.Site(), Table: table.Name(), Boot: 1, Time: time.Now().UTC(),
			Journal: topic.Journal{Head: &head},
		}))
		if !token.WaitTimeout(brokertest.Deadline) || token.Error() != nil {
			t.Fatal(token.Error())
		}
	}
}

// lacking is what the group's page says at a node.
func lacking(t *testing.T, p *Pit) uint64 {
	t.Helper()
	g := group{Pit: p}
	elsewhere, err := g.Elsewhere(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return g.behind(elsewhere)["wiesbaden"]
}
