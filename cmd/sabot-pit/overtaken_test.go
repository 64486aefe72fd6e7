package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
)

// TestOvertaken: while the pit is down, an earlier state of a table's journal is restored, and the table deals on
// until it is beyond all that the pit has. The pit names it, whether the broker still tells the table how far it had
// come, so that its journal goes on above that, or not, so that other records have the same numbers.
func TestOvertaken(t *testing.T) {
	for name, c := range map[string]struct {
		remembers bool
		says      string
	}{
		"the broker remembers": {true, "was rolled back: it goes on without record"},
		"the broker forgets":   {false, "was rewritten: its record "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mosquitto, folder := brokertest.StartMosquitto(t), processes.FastDir(t)
			config := pitConfig(t, mosquitto.Addr(), filepath.Join(folder, "pit.db"))
			d, before := newTable(t, folder, "bj-1", 1), filepath.Join(folder, "before")
			d.open(mosquitto.Addr())
			d.night.Rounds(5)
			d.stop()
			d.copyTo(before)
			d.open(mosquitto.Addr())
			d.night.Rounds(5)
			p := processes.Start(t, processes.Binary(t, "sabot-pit"), "--config", config)
			wait(t, "the pit has what will be rolled back", func() bool { return kept(t, config, d) })
			p.Kill()

			d.stop()
			had := headOf(t, d.folder)
			remove(t, d.folder)
			if err := os.Rename(before, d.folder); err != nil {
				t.Fatal(err)
			}
			if !c.remembers {
				d.heard = journal.Heard{}
			}
			d.open(mosquitto.Addr())
			for head, _, err := d.night.Journal.Head(); head <= had+10; head, _, err = d.night.Journal.Head() {
				if err != nil {
					t.Fatal(err)
				}
				d.night.Rounds(1)
			}
			heard := brokertest.Subscribe(t, mosquitto.Addr(), d.name.Topic(topic.KindHealth))
			wait(t, "the broker has heard how far the table is", func() bool {
				all := heard.Messages()
				var h topic.Health
				return len(all) > 0 && json.Unmarshal(all[len(all)-1].Payload, &h) == nil && h.Journal.Head != nil &&
					h.Journal.Head.Record > had
			})
			p = processes.Start(t, processes.Binary(t, "sabot-pit"), "--config", config)
			wait(t, "what was done is named", func() bool {
				return strings.Contains(p.Log(), "A TABLE'S RECORD IS IN DOUBT")
			})
			if !strings.Contains(p.Log(), c.says) {
				t.Errorf("the log says\n%s", p.Log())
			}
		})
	}
}
