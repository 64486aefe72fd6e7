package main

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

var earlierPrograms = flag.String("versions.earlier", "",
	"the folder with sabotd and sabot-pit of an earlier version, for TestVersions: make versions-test")

// programs are those of a version.
type programs struct{ name, sabotd, pit string }

// pairing is which version of the table runs beside which version of the pit.
type pairing struct{ table, pit programs }

// TestVersions: a table and a pit of two versions run beside each other, and each is upgraded on its own: a table with
// its journal, a pit with its database. A table of this version may then play for a house that the earlier one does not
// know. In the end the pit has each record of the journal, byte for byte, and the figures follow from them.
func TestVersions(t *testing.T) {
	if *earlierPrograms == "" {
		tier.Elsewhere(t, "make versions-test builds an earlier version, and starts it")
	}
	was := programs{"earlier", filepath.Join(*earlierPrograms, "sabotd"), filepath.Join(*earlierPrograms, "sabot-pit")}
	is := programs{"this", processes.Binary(t, "sabotd"), processes.Binary(t, "sabot-pit")}
	for order, pairs := range map[string][]pairing{
		"the pit first":   {{was, was}, {was, is}, {is, is}},
		"the table first": {{was, was}, {is, was}, {is, is}},
	} {
		for _, house := range []string{"wiesbaden", "hole", "linked"} {
			t.Run(order+", "+house, func(t *testing.T) {
				t.Parallel()
				upgraded(t, pairs, house)
			})
		}
	}
}

// upgraded plays the nights of a table and a pit, from the table's upgrade on by the rules of a house.
func upgraded(t *testing.T, pairs []pairing, house string) {
	w := newWorldWith(t, shoesim.Options{Kind: shoesim.Sabot}) // without a Joker, which not all of these houses have
	config := w.pitConfig()
	rounds := uint64(0)
	for _, pair := range pairs {
		if pair.table.name == "this" && house != "wiesbaden" {
			file, err := filepath.Abs("../../internal/testkit/tabletest/" + house + ".yaml")
			if err != nil {
				t.Fatal(err)
			}
			w.house = "house_file: " + file
		}
		rounds += w.night(config, pair)
	}
	last := pairs[len(pairs)-1].pit
	if got := processes.Run(t, last.pit, "compare", "--config", config); got.Status != 0 {
		t.Errorf("the figures do not follow from the records: %s", first(got.Out))
	}
	if house == "wiesbaden" {
		w.audited(rounds)
	}
	back := processes.Run(t, pairs[0].pit.pit, "compare", "--config", config)
	contains(t, back.Err, "it was written by a newer version of sabot-pit", "install that version again")
}

// first is the first line of a text.
func first(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// pitConfig writes the configuration of a pit that hears the world's table.
func (w *world) pitConfig() (config string) {
	config = filepath.Join(w.dir, "pit.yaml")
	write(w.t, config, fmt.Sprintf("site: test\nmqtt: {broker: \"tcp://%s\"}\nstore: {source: %q, time_zone: "+
		"Europe/Berlin}\nweb: {listen: %q}\n", w.broker.Addr(), filepath.Join(w.dir, "pit.db"), system.Address(w.t)))
	return config
}

// night deals at a table of one version beside a pit of another, until that has everything. Half of the rounds are
// dealt before the pit runs, which fetches them, and half while it hears them.
func (w *world) night(config string, pair pairing) (rounds uint64) {
	w.t.Helper()
	const half = 5
	w.earlier = pair.table.sabotd
	table := w.start()
	w.deal(half).finish()
	pit := processes.Start(w.t, pair.pit.pit, "--config", config)
	w.deal(half).finish()
	what := fmt.Sprintf("%s pit has all of %s table", pair.pit.name, pair.table.name)
	brokertest.Until(w.t, what, func() bool {
		return processes.Run(w.t, pair.pit.pit, "compare", "--config", config, "--table", "bj-1", "--journal",
			w.path).Status == 0
	})
	table.Stop()
	pit.Stop()
	w.t.Logf("%s; the pit says\n%s", what, loud(pit.Log()))
	return 2 * half
}

// loud are a log's warnings and errors.
func loud(log string) string {
	var lines strings.Builder
	for line := range strings.Lines(log) {
		if strings.Contains(line, "level=WARN") || strings.Contains(line, "level=ERROR") {
			lines.WriteString(line)
		}
	}
	return lines.String()
}
