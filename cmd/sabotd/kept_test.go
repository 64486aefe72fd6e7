package main

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// TestThePitKeepsTheTable: table, broker and pit are killed in turn in mid-round, and in the end the pit's database
// has the table's journal, byte for byte.
func TestThePitKeepsTheTable(t *testing.T) {
	tier.Soak(t, "built programs run for seconds")
	tier.Landing(t, "it needs a pit, too")
	t.Parallel()
	binary := processes.Binary(t, "sabot-pit")
	w := newWorld(t, nil)
	w.hurry()
	config := filepath.Join(w.dir, "pit.yaml")
	write(t, config,
		fmt.Sprintf("site: test\nmqtt: {broker: \"tcp://%s\"}\nstore: {source: %s, time_zone: Europe/Berlin}\nweb: "+
			"{listen: \"127.0.0.1:0\"}\n",
			w.broker.Addr(), filepath.Join(w.dir, "pit.db")))
	pit := processes.Start(t, binary, "--config", config)
	rounds, kills := tier.Times[uint64](2, 6), tier.Times(3, 12)
	process := w.start()
	d := w.deal(rounds)
	for n := range kills {
		d.stop(6)
		switch n % 3 {
		case 0:
			process.Kill()
			process = w.start()
		case 1:
			w.broker.Kill()
			w.broker.Start()
		case 2:
			pit.Kill()
			pit = processes.Start(t, binary, "--config", config)
		}
		d.goOn(nil)
	}
	d.finish()
	compare := func() processes.Ended {
		return processes.Run(t, binary, "compare", "--config", config, "--table", "bj-1", "--journal", w.path)
	}
	brokertest.Until(t, "the pit has all of the journal", func() bool { return compare().Status == 0 })
	process.Stop()
	process = w.start() // so that what was written at the end is kept, too
	brokertest.Until(t, "the pit has the end", func() bool { return compare().Status == 0 })
	process.Stop()
	pit.Stop()
	t.Log(compare().Out)
}
