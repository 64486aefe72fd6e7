package publish_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// TestWhatAKilledBrokerLostIsRequested: mosquitto keeps nothing, and is killed again and
// again while events flow. It has acknowledged events that no reader got; the reader sees the
// gaps, requests what it lacks, and in the end has every event.
func TestWhatAKilledBrokerLostIsRequested(t *testing.T) {
	tier.Soak(t, "a mosquitto that is killed")
	const kills, each = 8, 150
	mosquitto := brokertest.StartMosquitto(t)
	tab := newTable(t, "tcp://"+mosquitto.Addr(), newJournal(0))
	tab.config.HealthEvery = 100 * time.Millisecond
	reader := brokertest.KeepLedger(t, mosquitto.Addr(), tab.name, true)
	tab.start()
	lost := 0 // at the most, after a kill
	for life := range uint64(kills) {
		for n := range uint64(each) {
			tab.journal.add(1)
			if n == each/2 {
				brokertest.Until(t, "events flow", func() bool {
					return tab.publisher.Stats().Acknowledged > life*each
				})
				mosquitto.Kill()
				mosquitto.Start()
			}
			time.Sleep(time.Millisecond) // as at a table: what comes all at once is lost with one message
		}
		tab.waitFor((life + 1) * each)
		lost = max(lost, reader.Missing((life+1)*each))
	}
	brokertest.Until(t, "the reader has every event", func() bool { return reader.Missing(kills*each) == 0 })
	t.Logf("after %d kills the reader lacked up to %d events of %d that were acknowledged", kills, lost, kills*each)
	if lost == 0 || tab.log.Count("the pit requests events again") == 0 {
		t.Error("nothing was lost, so that nothing is shown")
	}
}

// BenchmarkKilledBroker counts what mosquitto loses at a SIGKILL, for the table in
// pit/README.md: of the events that it acknowledged, those that a reader never got.
func BenchmarkKilledBroker(b *testing.B) {
	for name, settings := range map[string][]string{
		"persistence false":       {"persistence false"},
		"persistence true":        {"persistence true"},
		"autosave_interval 1":     {"persistence true", "autosave_interval 1"},
		"autosave_on_changes":     {"persistence true", "autosave_interval 1", "autosave_on_changes true"},
		"autosave_on_changes 100": {"persistence true", "autosave_interval 100", "autosave_on_changes true"},
	} {
		for _, away := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/reader away %v", name, away), func(b *testing.B) { killedBroker(b, settings, away) })
		}
	}
}

func killedBroker(b *testing.B, settings []string, away bool) {
	const kills, each = 8, 200
	lost, kept := 0, 0
	var took time.Duration
	for b.Loop() {
		all := append(slices.Clone(settings), "allow_anonymous true", "max_queued_messages 0",
			"max_inflight_messages 0", "persistence_location "+b.TempDir()+"/")
		mosquitto := brokertest.StartMosquitto(b, all...)
		tab := newTable(b, "tcp://"+mosquitto.Addr(), newJournal(0))
		reader := brokertest.KeepLedger(b, mosquitto.Addr(), tab.name, false)
		brokertest.Publish(b, mosquitto.Addr(), "other/table", []byte("x"))
		mosquitto.Stop() // in order: the session of the reader is saved
		mosquitto.Start()
		reader.AwaitSubscription()
		tab.start()
		for life := range uint64(kills) {
			if away {
				reader.Client.Disconnect(100)
			}
			start := time.Now()
			for n := range uint64(each) {
				tab.journal.add(1)
				time.Sleep(5 * time.Millisecond) // as at a busy table, which is what is measured
				if n == each/2 {
					mosquitto.Kill()
					mosquitto.Start()
				}
			}
			tab.waitFor((life + 1) * each)
			took += time.Since(start)
			if away {
				reader.Client.Connect().Wait()
			}
			brokertest.Until(b, "the reader has the last event", func() bool { return reader.Has((life + 1) * each) })
		}
		lost += reader.Missing(kills * each)
		late := brokertest.Subscribe(b, mosquitto.Addr(), "other/+")
		brokertest.Publish(b, mosquitto.Addr(), "other/end", nil) // what is retained comes before it
		brokertest.Until(b, "the late reader has all", func() bool {
			all := late.Messages()
			return len(all) > 0 && all[len(all)-1].Topic == "other/end"
		})
		kept += len(late.Messages()) - 1
	}
	b.ReportMetric(float64(lost)/float64(b.N)/kills, "lost/kill")
	b.ReportMetric(float64(kept)/float64(b.N), "retained")
	b.ReportMetric(0, "ns/op")
}
