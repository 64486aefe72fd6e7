package main

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit"
	"github.com/sabot-table/sabot/pit/store"
)

// dealsNow deals by the clock of today: a pit compares what a table says with when it says it.
func (d *dealt) dealsNow(rounds int) {
	d.night.Now, d.night.Apart = time.Now().Add(d.ahead), 10*time.Millisecond
	d.night.Rounds(rounds)
}

// tablesAt are so many tables at a broker.
func tablesAt(t *testing.T, broker string, many int) (tables []*dealt) {
	t.Helper()
	folder := processes.FastDir(t)
	for i := range many {
		d := newTable(t, folder, fmt.Sprintf("bj-%d", i+1), uint64(i+1)*100)
		d.open(broker)
		tables = append(tables, d)
	}
	return tables
}

// nodes are several sabot-pit on one database.
type nodes struct {
	t       *testing.T
	configs []string
	runs    []*processes.Process
}

func startNodes(t *testing.T, broker, source string, count int) *nodes {
	n := &nodes{t: t, runs: make([]*processes.Process, count)}
	for i := range count {
		config := filepath.Join(t.TempDir(), "pit.yaml")
		text, err := os.ReadFile(pitConfig(t, broker, source))
		if err != nil {
			t.Fatal(err)
		}
		text = []byte(strings.Replace(string(text), "mqtt:", fmt.Sprintf("mqtt:\n  reader: pit-%d", i+1), 1))
		if err := os.WriteFile(config, text, 0o600); err != nil {
			t.Fatal(err)
		}
		n.configs = append(n.configs, config)
		n.start(i)
	}
	return n
}

func (n *nodes) start(i int) {
	n.runs[i] = processes.Start(n.t, processes.Binary(n.t, "sabot-pit"), "--config", n.configs[i])
}

// TestNodesKeepEverythingOnce: three nodes share one database; each is killed in turn while tables are dealt at, and
// started again, and the database is killed under all of them. A dead node's tables are kept by the others within five
// seconds, and in the end every record is there once.
func TestNodesKeepEverythingOnce(t *testing.T) {
	tier.Soak(t, "three pits and a PostgreSQL server")
	server := journaltest.NewPostgres(t)
	source := server.Source()
	mosquitto := brokertest.StartMosquitto(t)
	tables := tablesAt(t, mosquitto.Addr(), 6)
	for _, d := range tables {
		d.dealsNow(5)
	}
	n := startNodes(t, mosquitto.Addr(), source, 3)
	seen := openAlone(t, source)
	complete := func() bool { return allKept(t, seen, tables) }
	wait(t, "the nodes keep all tables", complete)
	for turn := range 6 {
		dies := turn % len(n.runs)
		if turn == 4 {
			server.Kill()
		} else {
			n.runs[dies].Kill()
		}
		died := time.Now()
		for _, d := range tables {
			d.dealsNow(2)
		}
		if turn == 4 {
			server.Start()
		}
		wait(t, "the others keep all tables", complete)
		t.Logf("all is kept %v after a death", time.Since(died).Round(100*time.Millisecond))
		if turn != 4 {
			n.start(dies)
		}
		for _, d := range tables {
			d.dealsNow(1)
		}
	}
	wait(t, "the nodes keep the rest", complete)
	n.stop()
	onceAndCounted(t, seen, tables)
}

// openAlone opens the store of pits that have ended, with the gaming day of their configurations.
func openAlone(t testing.TB, source string) *store.Store {
	t.Helper()
	berlin := system.Zone(t, "Europe/Berlin")
	s, err := store.Open(t.Context(), store.Options{
		Source: source, Day: store.Day{Begins: time.Duration(pit.Default().Store.DayBegins), Zone: berlin},
		Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// allKept says whether a database has all that the tables have recorded.
func allKept(t *testing.T, s *store.Store, tables []*dealt) bool {
	t.Helper()
	return len(lacks(t, s, tables)) == 0
}

// lacks says of which tables a database does not have all that they have recorded.
func lacks(t *testing.T, s *store.Store, tables []*dealt) (list []string) {
	t.Helper()
	for _, d := range tables {
		_, record, _, err := s.Position(t.Context(), d.name)
		switch head := headOf(t, d.folder); {
		case err != nil:
			list = append(list, fmt.Sprintf("%s: %v", d.name, err))
		case record != head:
			list = append(list, fmt.Sprintf("%s: %d of %d", d.name, record, head))
		}
	}
	return list
}

// waitForAll waits until a database has all of tables that are no longer dealt at, and as long as it gets more of them:
// that may take a while on a busy machine.
func waitForAll(t *testing.T, what string, s *store.Store, tables []*dealt) {
	t.Helper()
	for had := lacks(t, s, tables); len(had) > 0; {
		now := had
		brokertest.UntilEvery(t, 100*time.Millisecond, what+" has more of "+strings.Join(had, ", "), func() bool {
			now = lacks(t, s, tables)
			return !slices.Equal(now, had)
		})
		had = now
	}
}

// stop ends the nodes, whose logs say nothing of what must not happen.
func (n *nodes) stop() {
	n.t.Helper()
	for _, p := range n.runs {
		p.Stop()
		soundLog(n.t, p)
	}
}

// soundLog refuses a log that says what must not happen.
func soundLog(t *testing.T, p *processes.Process) {
	t.Helper()
	for line := range strings.Lines(p.Log()) {
		for _, never := range []string{"rewritten", "panic", "another program writes", "IN DOUBT", "deadlock"} {
			if strings.Contains(line, never) {
				t.Errorf("a log says %s", line)
			}
		}
	}
}

// onceAndCounted refuses a database that does not have each record once, or figures that do not follow from them.
func onceAndCounted(t *testing.T, s *store.Store, tables []*dealt) {
	t.Helper()
	for _, d := range tables {
		requireOnce(t, s, d.name, d.folder, 0)
	}
	if differ, err := s.Compare(t.Context(), nil); err != nil || len(differ) > 0 {
		t.Errorf("the figures do not follow from the records: %v, %v", differ, err)
	}
}

// TestFailover: PostgreSQL's primary dies while tables are dealt at, and its standby is promoted. The nodes go on there
// by themselves, and every record is in it once.
func TestFailover(t *testing.T) {
	tier.Soak(t, "a PostgreSQL server with its standby")
	for name, dies := range map[string]func(*journaltest.Postgres){
		"killed": (*journaltest.Postgres).Kill, "without a word": (*journaltest.Postgres).Freeze,
	} {
		t.Run(name, func(t *testing.T) { failover(t, dies) })
	}
}

func failover(t *testing.T, dies func(*journaltest.Postgres)) {
	primary := journaltest.NewPostgres(t)
	source := primary.Source()
	standby := primary.Standby()
	either := primary.Either(source, standby)
	mosquitto := brokertest.StartMosquitto(t)
	tables := tablesAt(t, mosquitto.Addr(), 4)
	n := startNodes(t, mosquitto.Addr(), "'"+either+"'", 2)
	before := openAlone(t, source)
	for _, d := range tables {
		d.dealsNow(5)
	}
	wait(t, "the nodes keep all tables", func() bool { return allKept(t, before, tables) })
	for _, d := range tables {
		d.dealsNow(20)
	}
	dies(primary) // while these are kept
	for _, d := range tables {
		d.dealsNow(5)
	}
	wait(t, "the nodes say that their database is away", func() bool {
		return strings.Contains(n.runs[0].Log(), "DATABASE CANNOT BE USED")
	})
	standby.Promote()
	began := time.Now()
	after := openAlone(t, either)
	wait(t, "the nodes keep all tables in the other one", func() bool { return allKept(t, after, tables) })
	t.Logf("all is kept %v after the standby was promoted", time.Since(began).Round(100*time.Millisecond))
	n.stop()
	onceAndCounted(t, after, tables)
}

// backupCommands are those of docs/floor.md that copy the database and restore it, for a server of the test's and a
// database of a user who has nothing else there.
func backupCommands(t *testing.T, server *journaltest.Postgres) (copies string, restores []string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/floor.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "## Backup and restore of the database\n")
	section, _, _ = strings.Cut(section, "\n## ")
	here := strings.NewReplacer("sudo -u postgres ", "", "db-1.casino.example", server.Address(), "sslmode=verify-full",
		"sslmode=disable", "/media/stick", ".")
	var lines []string
	for line := range strings.Lines(section) {
		if command, is := strings.CutPrefix(line, "    "); is {
			lines = append(lines, strings.ReplaceAll(here.Replace(strings.TrimSpace(command)), "pit@", "owner@"))
		}
	}
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "pg_dump ") {
		t.Fatalf("the commands are %q", lines)
	}
	lines[1] = strings.Replace(lines[1], "--owner pit ", "--owner owner ", 1)
	return lines[0], lines[1:]
}

// TestRestoredDatabase: a copy of the database that was made while nodes wrote is made a database again, by the
// commands of docs/floor.md; what was recorded since comes from the tables, once.
func TestRestoredDatabase(t *testing.T) {
	tier.Soak(t, "a PostgreSQL server, and two starts of two nodes")
	server := journaltest.NewPostgres(t)
	source := server.Owned("owner", "pit")
	copies, restores := backupCommands(t, server)
	mosquitto := brokertest.StartMosquitto(t)
	tables := tablesAt(t, mosquitto.Addr(), 3)
	for _, d := range tables {
		d.dealsNow(10)
	}
	n := startNodes(t, mosquitto.Addr(), source, 2)
	before := openAlone(t, source)
	wait(t, "the nodes keep all tables", func() bool { return allKept(t, before, tables) })
	for _, d := range tables {
		d.dealsNow(10)
	}
	server.Shell(copies)
	for _, d := range tables {
		d.dealsNow(10)
	}
	n.stop()
	for _, line := range restores {
		server.Shell(line)
	}
	restored := strings.Replace(source, "/pit?", "/pit2?", 1)
	n = startNodes(t, mosquitto.Addr(), restored, 2)
	after := openAlone(t, restored)
	wait(t, "the nodes keep what was recorded since", func() bool { return allKept(t, after, tables) })
	n.stop()
	onceAndCounted(t, after, tables)
}
