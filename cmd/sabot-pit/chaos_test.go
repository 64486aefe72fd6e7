package main

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

var (
	clusterStays = flag.Bool("cluster.stays", false, "TestRunCluster runs a cluster until it is interrupted")
	chaosFor     = flag.Duration("chaos.for", time.Duration(tier.Times(0, 1))*time.Minute,
		"for how long TestChaos ends what a floor consists of; 0 for not at all")
	chaosSeed   = flag.Uint64("chaos.seed", 1, "what ends, when")
	chaosTables = flag.Int("chaos.tables", 60, "how many tables are dealt at, of TestChaos and TestRunCluster")
	chaosOnly   = flag.String("chaos.only", "", "only what this regular expression finds")
	chaosLogs   = flag.String("chaos.logs", "", "the folder for the logs of the nodes, since their last start")
	chaosPace   = flag.Duration("chaos.pace", 8*time.Second, "how long a table takes for a round")
)

// room deals at tables while everything around them ends and begins.
type room struct {
	*cluster
	seats  []*seated
	stop   context.CancelFunc
	deals  sync.WaitGroup
	looked chan struct{}
	mu     sync.Mutex
	done   map[string]int
	// late is how long a record took at most from its table into the database, full how long after a deed it took at
	// most until no record waited longer than a second, and gaps how long pages were away.
	late, full time.Duration
	ended      []time.Time // deeds since
	gaps       pageGaps
}

// seated is a table that is dealt at.
type seated struct {
	*dealt
	number  int
	brokers func(of int) string
	mu      sync.Mutex // of its night
}

// openRoom is a floor in a box, of whose tables a third is in the house of one machine.
func openRoom(t *testing.T) *room {
	t.Helper()
	others := *chaosTables / 3
	ctx, r := dealtAt(t, openCluster(t, *chaosTables-others, others))
	r.visits(ctx)
	return r
}

// dealtAt deals at all tables of a cluster, and of its group, until the room rests.
func dealtAt(t *testing.T, c *cluster) (context.Context, *room) {
	r := &room{cluster: c, done: map[string]int{}, looked: make(chan struct{})}
	ctx, stop := context.WithCancel(t.Context())
	r.stop = stop
	r.sit(ctx, c.seats(), c.brokers)
	if g := c.group; g != nil {
		r.sit(ctx, g.seats(c), g.brokers)
	}
	go r.look(ctx)
	return ctx, r
}

// sit deals at tables.
func (r *room) sit(ctx context.Context, seats []*dealt, brokers func(of int) string) {
	for i, d := range seats {
		s, seed := &seated{dealt: d, number: i, brokers: brokers}, uint64(len(r.seats))
		r.seats = append(r.seats, s)
		r.deals.Go(func() { s.deal(ctx, seed) })
	}
}

// at are the tables of a site, "" for all.
func (r *room) at(site string) (tables []*dealt) {
	for _, s := range r.seats {
		if site == "" || s.name.Site() == site {
			tables = append(tables, s.dealt)
		}
	}
	return tables
}

// deal deals round after round.
func (s *seated) deal(ctx context.Context, seed uint64) {
	dice := rand.New(rand.NewPCG(*chaosSeed, seed))
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Duration(float64(*chaosPace) * (0.5 + dice.Float64()))):
		}
		s.round(ctx)
	}
}

// head is the table's last record, 0 while it is switched off.
func (s *seated) head() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop == nil {
		return 0
	}
	head, _, err := s.night.Journal.Head()
	if err != nil {
		return 0
	}
	return head
}

// goal is how long a page may lack what a table has said: what takes longer is told.
const goal = 12 * time.Second

// look follows how long records take into the database.
func (r *room) look(ctx context.Context) {
	defer close(r.looked)
	db, err := sql.Open("pgx", r.dsn(r.watch))
	if err != nil {
		r.t.Error(err)
		return
	}
	defer db.Close()
	type mark struct {
		record uint64
		at     time.Time
	}
	marks := map[*seated]mark{}
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(500 * time.Millisecond):
		}
		heads := headsIn(ctx, db)
		for _, s := range r.seats {
			if s.name.Site() != clusterSite {
				continue
			}
			was, waits := marks[s]
			switch {
			case waits && heads[s.name.Name()] >= was.record:
				if took := time.Since(was.at); took > goal {
					r.t.Logf("%s  %s has waited %v for the database", time.Now().Format("15:04:05"), s.name,
						took.Round(100*time.Millisecond))
				}
				r.late = max(r.late, time.Since(was.at))
				delete(marks, s)
			case !waits && s.head() > heads[s.name.Name()]:
				marks[s] = mark{s.head(), time.Now()}
			}
		}
		oldest := time.Duration(0)
		for _, m := range marks {
			oldest = max(oldest, time.Since(m.at))
		}
		if oldest < time.Second && len(heads) > 0 {
			r.serves()
		}
	}
}

// headsIn is how far the database has each table, empty while it cannot be asked.
func headsIn(ctx context.Context, db *sql.DB) map[string]uint64 {
	ctx, stop := context.WithTimeout(ctx, 3*time.Second)
	defer stop()
	heads := map[string]uint64{}
	rows, err := db.QueryContext(ctx,
		`SELECT place.name, journal.head FROM place JOIN journal ON journal.id = place.journal`)
	if err != nil {
		return heads
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var head uint64
		if rows.Scan(&name, &head) == nil {
			heads[name] = head
		}
	}
	return heads
}

// rest stops dealing, waits until the database has everything, and looks whether it has it once.
func (r *room) rest() {
	r.t.Helper()
	r.stop()
	r.deals.Wait()
	<-r.looked
	r.gaps.wait()
	began := time.Now()
	seen, tables := openAlone(r.t, r.dsn(r.watch)), r.at(clusterSite)
	waitForAll(r.t, "the database", seen, tables)
	r.t.Logf("everything is kept %v after the last round; a record took %v at most from its table into the database",
		time.Since(began).Round(100*time.Millisecond), r.late.Round(100*time.Millisecond))
	r.t.Logf("%v at most from the end of a deed to full service, with others between; the floor's page was away "+
		"for %v "+
		"at most at one node, and for %v at all of them", r.full.Round(100*time.Millisecond),
		r.gaps.one.Round(100*time.Millisecond), r.gaps.all.Round(100*time.Millisecond))
	if g := r.group; g != nil { // while all run, since what is missing is fetched from the tables
		g.hub.end(r.t, "the hub", r.at(""))
		g.house.end(r.t, "the house of one machine", r.at(otherSite))
	}
	for _, n := range r.nodes {
		n.run.Stop()
		soundLog(r.t, n.run)
		if *chaosLogs != "" {
			if err := os.WriteFile(filepath.Join(*chaosLogs, n.name+".log"), []byte(n.run.Log()), 0o600); err != nil {
				r.t.Error(err)
			}
		}
	}
	onceAndCounted(r.t, seen, tables)
	jackpotAddsUp(r.t, seen, tables)
}

// serves notes that everything is kept as it comes.
func (r *room) serves() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, at := range r.ended {
		r.full = max(r.full, time.Since(at))
	}
	r.ended = nil
}

// TestRunCluster is a floor in a box, to be looked at: make run-cluster.
func TestRunCluster(t *testing.T) {
	if !*clusterStays {
		tier.Elsewhere(t, "make run-cluster starts it")
	}
	ctx, stop := signal.NotifyContext(t.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	r := openRoom(t)
	for _, n := range r.nodes {
		fmt.Printf("%s  %s\n", n.name, n.run.URL)
	}
	fmt.Printf("%s, a house of one machine  %s\nthe group  %sgroup\n", otherSite, r.group.house.run.URL,
		r.group.hub.run.URL)
	fmt.Printf("enter as manager, with the password %q\ndatabase  %s\n%d tables; end it with Ctrl-C\n", housePass,
		r.dsn(r.watch), len(r.seats))
	<-ctx.Done() // Ctrl-C is for all of them, so that nothing is left to be compared
	r.stop()
	r.deals.Wait()
	<-r.looked
	r.gaps.wait()
}

// deed is something that ends, and begins again.
type deed struct {
	name string
	does func(r *room, dice *rand.Rand)
}

// pause is between so many seconds and so many, of the time that the killed programs keep.
func pause(dice *rand.Rand, least, most float64) {
	time.Sleep(time.Duration((least + dice.Float64()*(most-least)) * float64(time.Second)))
}

// shut shuts gates for a while.
func shut(dice *rand.Rand, gates ...*brokertest.Gate) {
	for _, g := range gates {
		g.Shut()
	}
	pause(dice, 1, 8)
	for _, g := range gates {
		g.Open()
	}
}

// startAgain starts a node as its unit does: again where it has ended since the database was not reached.
func (r *room) startAgain(i int, dice *rand.Rand) {
	for {
		p, err := processes.TryStart(r.t, r.program, "--config", r.nodes[i].config)
		if err == nil {
			r.nodes[i].run = p
			return
		}
		if !strings.Contains(err.Error(), "check that the database exists and runs") {
			r.t.Fatal(err)
		}
		r.t.Logf("%s is started again: its database was not reached", r.nodes[i].name)
		pause(dice, 2, 2)
	}
}

// programs end one at a time, and lines and tables beside them.
var programs = []deed{
	{"a node is killed", func(r *room, dice *rand.Rand) {
		i := dice.IntN(len(r.nodes))
		r.nodes[i].run.Kill()
		pause(dice, 0, 8)
		r.startAgain(i, dice)
	}},
	{"a node stops as its service does", func(r *room, dice *rand.Rand) {
		i := dice.IntN(len(r.nodes))
		r.nodes[i].run.Stop()
		pause(dice, 0, 3)
		r.startAgain(i, dice)
	}},
	{"a node hangs", func(r *room, dice *rand.Rand) {
		process := r.nodes[dice.IntN(len(r.nodes))].run.PID()
		_ = syscall.Kill(process, syscall.SIGSTOP)
		pause(dice, 1, 10)
		_ = syscall.Kill(process, syscall.SIGCONT)
	}},
	{"the primary is killed, the standby promoted", func(r *room, dice *rand.Rand) {
		r.failover((*journaltest.Postgres).Kill, func() { pause(dice, 0, 5) })
	}},
	{"the primary says nothing any more, the standby is promoted", func(r *room, dice *rand.Rand) {
		r.failover((*journaltest.Postgres).Freeze, func() { pause(dice, 2, 6) })
	}},
	{"the primary crashes and comes back", func(r *room, dice *rand.Rand) {
		r.servers[0].Kill()
		pause(dice, 0, 5)
		r.servers[0].Start()
	}},
	{"the primary's disk does not answer", func(r *room, dice *rand.Rand) {
		r.servers[0].Pause()
		pause(dice, 0.5, 2)
		r.servers[0].Resume()
	}},
	{"the standby is away", func(r *room, dice *rand.Rand) {
		r.servers[1].Kill()
		pause(dice, 0, 5)
		r.servers[1].Start()
	}},
	{"the hub is killed", func(r *room, dice *rand.Rand) { r.group.hub.dies(r.cluster, dice) }},
	{"the pit of the house of one machine is killed", func(r *room, dice *rand.Rand) {
		r.group.house.dies(r.cluster, dice)
	}},
}

var lines = []deed{
	{"a node's line to the database is cut", func(r *room, dice *rand.Rand) {
		n := r.nodes[dice.IntN(len(r.nodes))]
		shut(dice, n.store[0], n.store[1])
	}},
	{"the lines of tables to a node are cut", func(r *room, dice *rand.Rand) {
		shut(dice, r.nodes[dice.IntN(len(r.nodes))].tables)
	}},
	{"a node's lines to the others are cut", func(r *room, dice *rand.Rand) {
		n := r.nodes[dice.IntN(len(r.nodes))]
		gates := slices.Collect(maps.Values(n.routes))
		for _, other := range r.nodes {
			if other != n {
				gates = append(gates, other.routes[n.name])
			}
		}
		shut(dice, gates...)
	}},
	{"a house's line to the hub is cut", func(r *room, dice *rand.Rand) {
		shut(dice, r.group.lines[[]string{clusterSite, otherSite}[dice.IntN(2)]])
	}},
	{"tables' clocks are set", func(r *room, dice *rand.Rand) {
		for range 1 + dice.IntN(5) {
			s := r.seats[dice.IntN(len(r.seats))]
			s.mu.Lock()
			s.ahead = time.Duration(dice.IntN(120)) * time.Second // health tells the true time
			s.mu.Unlock()
		}
	}},
	{"tables are started anew", func(r *room, dice *rand.Rand) {
		for range 1 + dice.IntN(5) {
			r.seats[dice.IntN(len(r.seats))].restart()
		}
	}},
}

// restart ends a table and starts it again, with another node first.
func (s *seated) restart() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, asks := s.night.Asks(); asks {
		return // by other tests: here a table begins a new shoe
	}
	s.dealt.stop()
	s.number++
	s.dealt.open(s.brokers(s.number))
}

// wreck does one deed after the other.
func (r *room) wreck(until time.Time, deeds []deed, lane uint64) {
	dice := rand.New(rand.NewPCG(*chaosSeed, 1<<32+lane))
	for time.Now().Before(until) {
		d := deeds[dice.IntN(len(deeds))]
		r.t.Logf("%s  %s", time.Now().Format("15:04:05"), d.name)
		d.does(r, dice)
		r.mu.Lock()
		r.done[d.name]++
		r.ended = append(r.ended, time.Now())
		r.mu.Unlock()
		pause(dice, 1, 10)
	}
}

// TestChaos: nodes, tables and the database's servers end, and lines are cut, as a seed says, while tables are dealt
// at. Afterwards each record of each table is in the database once, in order, byte for byte, and no round is counted
// twice.
func TestChaos(t *testing.T) {
	if *chaosFor == 0 {
		tier.Elsewhere(t, "make chaos starts it, and make soak")
	}
	r := openRoom(t)
	until := time.Now().Add(*chaosFor)
	var lanes sync.WaitGroup
	only, err := regexp.Compile(*chaosOnly)
	if err != nil {
		t.Fatal(err)
	}
	for lane, deeds := range [][]deed{programs, lines} {
		deeds = slices.DeleteFunc(slices.Clone(deeds), func(d deed) bool { return !only.MatchString(d.name) })
		if len(deeds) == 0 {
			continue
		}
		lanes.Go(func() { r.wreck(until, deeds, uint64(lane)) })
	}
	lanes.Wait()
	for _, name := range slices.Sorted(maps.Keys(r.done)) {
		t.Logf("%3d times %s", r.done[name], name)
	}
	r.rest()
}
