package main

import (
	"bytes"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
)

var kills = flag.Int("kills", tier.Times(10, 30),
	"how often TestEverythingIsKeptOnce kills the pit and the broker, at least 10")

// TestEverythingIsKeptOnce: the pit and the broker are killed again and again while tables are dealt at, the database
// goes away under a running pit, tables are started anew, one gets a new journal, and at one an earlier state of the
// journal is restored. Afterwards every record of every journal is in the database once, byte for byte, every round
// is counted once, and what was rolled back is named.
func TestEverythingIsKeptOnce(t *testing.T) {
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(processes.FastDir(t), "pit.db")
		everythingIsKeptOnce(t, file, nil)
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		tier.Soak(t, "a PostgreSQL server of its own")
		t.Parallel()
		server := journaltest.NewPostgres(t)
		everythingIsKeptOnce(t, server.Source(), server)
	})
}

// everythingIsKeptOnce is the test with one database, whose server is nil if it has none.
func everythingIsKeptOnce(t *testing.T, source string, server *journaltest.Postgres) {
	dice := rand.New(rand.NewPCG(1, 2))
	mosquitto := brokertest.StartMosquitto(t)
	folder := processes.FastDir(t)
	config := pitConfig(t, mosquitto.Addr(), source)
	tables := []*dealt{
		newTable(t, folder, "bj-1", 100), newTable(t, folder, "bj-2", 200),
		newTable(t, folder, "bj-3", 300),
	}
	for _, d := range tables {
		d.open(mosquitto.Addr())
		d.night.Rounds(40)
	}
	seen, err := store.Open(t.Context(), store.Options{Source: source, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer seen.Close()
	heads := func() map[topic.Table]topic.Head {
		all, err := seen.Heads(t.Context())
		if err != nil {
			return nil // the database is away
		}
		return all
	}
	before := filepath.Join(folder, "before")
	var formers []string // journals of bj-2
	lost := 0            // records of bj-3 that are rolled back
	var log strings.Builder
	for n := range *kills {
		p := processes.Start(t, processes.Binary(t, "sabot-pit"), "--config", config)
		had := heads()
		tables[n%3].night.Rounds(2)
		if dice.IntN(4) > 0 { // else nothing was kept by this pit
			wait(t, "the pit keeps more", func() bool { return more(heads(), had) })
			tables[n%3].night.Rounds(1 + dice.IntN(20)) // and is interrupted somewhere in these
		}
		was := strings.Contains(p.Log(), "INFO MQTT connection to the tables")
		mosquitto.Kill()
		tables[(n+1)%3].night.Rounds(1)
		mosquitto.Start()
		if server != nil && n%5 == 4 {
			server.Kill()
			tables[n%3].night.Rounds(2)
			wait(t, "the pit says that its database is away", func() bool {
				return strings.Contains(p.Log(), "DATABASE CANNOT BE USED")
			})
			server.Start()
			wait(t, "the pit says that its database is back", func() bool {
				return strings.Contains(p.Log(), "the pit's database works again")
			})
		}
		switch n % 10 {
		case 2, 7:
			tables[0].stop()
			tables[0].open(mosquitto.Addr())
		case 3: // an earlier state of this one is restored with the next kill
			tables[2].stop()
			tables[2].copyTo(before)
			tables[2].open(mosquitto.Addr())
			tables[2].night.Rounds(5)
			wait(t, "the pit has what will be rolled back", func() bool { return kept(t, config, tables[2]) })
		case 4:
			tables[2].stop()
			lost += int(headOf(t, tables[2].folder) - headOf(t, before))
			remove(t, tables[2].folder)
			if err := os.Rename(before, tables[2].folder); err != nil {
				t.Fatal(err)
			}
			tables[2].open(mosquitto.Addr())
			wait(t, "what was rolled back is named", func() bool {
				return strings.Contains(p.Log(), "A TABLE'S RECORD IS IN DOUBT")
			})
		case 6: // another journal
			wait(t, "the former journal is complete", func() bool { return kept(t, config, tables[1]) })
			tables[1].stop()
			formers = append(formers, filepath.Join(folder, fmt.Sprint("former-", n)))
			tables[1].copyTo(formers[len(formers)-1])
			remove(t, tables[1].folder)
			tables[1].open(mosquitto.Addr())
		}
		if dice.IntN(2) > 0 { // else it has not come back
			wait(t, "the pit is back at its broker", func() bool {
				return strings.Contains(p.Log(), "the MQTT connection to the tables is back") ||
					!was && strings.Contains(p.Log(), "INFO MQTT connection to the tables") // there for the first time
			})
		}
		tables[(n+2)%3].night.Rounds(1 + dice.IntN(20))
		p.Kill()
		log.WriteString(p.Log())
	}
	complete(t, config, tables)
	if !strings.Contains(log.String(), "bj-3 was rolled back") {
		t.Error("the log does not say that bj-3 was rolled back")
	}
	if strings.Contains(log.String(), "rewritten") || strings.Contains(log.String(), "panic") {
		t.Errorf("the log says\n%s", log.String())
	}
	s, err := store.Open(t.Context(), store.Options{Source: source, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	requireOnce(t, s, tables[0].name, tables[0].folder, 0)
	requireOnce(t, s, tables[1].name, tables[1].folder, 0)
	for _, former := range formers {
		requireOnce(t, s, tables[1].name, former, 0)
	}
	requireOnce(t, s, tables[2].name, tables[2].folder, lost)
	if differ, err := s.Compare(t.Context(), nil); err != nil || len(differ) > 0 {
		t.Errorf("the figures do not follow from the records: %v, %v", differ, err)
	}
}

// more says whether something has been kept since: more of a table's journal, or the first of another one, which may
// have fewer records than the former had.
func more(heads, had map[topic.Table]topic.Head) bool {
	for table, now := range heads {
		if was := had[table]; now.ID != was.ID || now.Record > was.Record {
			return true
		}
	}
	return false
}

// complete lets the pit keep the rest: in make soak by sabot-pit refill, which waits until nothing new is heard for a
// while.
func complete(t *testing.T, config string, tables []*dealt) {
	t.Helper()
	sabotPit := processes.Binary(t, "sabot-pit")
	if tier.InSoak() {
		got := processes.Run(t, sabotPit, "refill", "--config", config)
		if got.Status != 0 || !strings.Contains(got.Out, "complete: the database has all records of 3 tables") {
			t.Fatalf("refill: %s%s", got.Out, got.Err)
		}
		return
	}
	p := processes.Start(t, sabotPit, "--config", config)
	for _, d := range tables {
		wait(t, "the pit has all of "+d.name.Name(), func() bool { return kept(t, config, d) })
	}
	p.Stop()
}

// requireOnce refuses a store that does not have every record of a journal byte for byte, and so many that the
// journal has no more, or that does not count each of its rounds once.
func requireOnce(t *testing.T, s *store.Store, table topic.Table, folder string, more int) {
	t.Helper()
	r, err := journal.OpenReadOnly(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	found, err := s.Check(t.Context(), table, r, nil)
	if err != nil || !found.Same() || len(found.Extra) != min(more, 100) {
		t.Errorf("%s has %+v, %v, and %d records were rolled back", table, found, err, more)
	}
	ended := map[uint64]bool{} // by the record that ended it
	for rec, err := range r.Records(1) {
		if err != nil {
			t.Fatal(err)
		}
		for line := range rec.Lines() {
			ended[rec.Seq] = ended[rec.Seq] || bytes.HasPrefix(line, []byte(`{"out":"finished"`))
		}
		if !ended[rec.Seq] {
			delete(ended, rec.Seq)
		}
	}
	rounds, err := s.Rounds(t.Context(), store.RoundQuery{Tables: []topic.Table{table}, Limit: 1 << 20})
	rounds = slices.DeleteFunc(rounds, func(one store.Round) bool { return one.Journal != r.ID() })
	if err != nil {
		t.Fatal(err)
	}
	counted := 0
	for _, round := range rounds {
		if ended[round.Last] {
			counted++
			delete(ended, round.Last)
		} else if more == 0 {
			t.Errorf("%s: round %d, which ends with record %d, is counted and not in the journal, or counted twice",
				table, round.Number, round.Last)
		}
	}
	if len(ended) > 0 || counted == 0 {
		t.Errorf("%s: %d rounds are counted, and %d are not: %v", table, counted, len(ended), ended)
	}
	t.Logf("%s, journal %s: %d records byte for byte, %d rounds", table, r.ID(), found.Records, counted)
}

// headOf is a journal's last record.
func headOf(t *testing.T, folder string) uint64 {
	t.Helper()
	r, err := journal.OpenReadOnly(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	head, _, err := r.Head()
	if err != nil {
		t.Fatal(err)
	}
	return head
}

func wait(t testing.TB, what string, holds func() bool) {
	t.Helper()
	brokertest.Until(t, what, holds)
}

func remove(t testing.TB, folder string) {
	t.Helper()
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
}
