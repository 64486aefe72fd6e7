package pit

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
)

// nodeOf is one of several pits on one database and one broker.
func nodeOf(t *testing.T, source, broker string, number int, tables []string) *Pit {
	t.Helper()
	c := Default()
	c.Site, c.Tables, c.MQTT.Broker = "wiesbaden", tables, "tcp://"+broker
	c.MQTT.Reader = fmt.Sprintf("pit-%d", number)
	c.Store.Source, c.Store.TimeZone = source, Zone{time.UTC}
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
