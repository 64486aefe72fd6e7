package simtest_test

import (
	"bytes"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sabot-table/sabot/device/gpio"
	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/host/paneldriver"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/simtest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/irregularity"
)

var (
	stormFor = flag.Duration("storm.for", time.Duration(tier.Times(0, 2))*time.Minute,
		"how long storms are played; if 0, only a few are")
	stormSeed   = flag.Uint64("storm.seed", 0, "the seed of the only storm")
	stormScript = flag.String("storm.script", "", "a file with the script of the only storm")
	stormTimes  = flag.Int("storm.times", 1, "how often the only storm is played")
	stormLog    = flag.Bool("storm.log", false, "write what happens in the only storm")
	stormFirst  = flag.Bool("storm.first", false, "end with the first finding, and do not shrink it")
	stormMakes  = flag.String("storm.makes", "sabot,sabot,angel-eye,bee-tek",
		"the makes of shoes, each as often as it is there")
)

// stormTable is the real daemon as a table of the storm.
type stormTable struct {
	*host.Daemon
	*host.Board
}

func (t stormTable) Close() error { return t.Daemon.Close() }

// startStorm starts the daemon in a simulated world.
func startStorm(s simtest.Surroundings) (simtest.Table, error) {
	c := config.Default()
	if !s.Apart {
		c.KeysApart = -1 // the simulated dealer calls faster than a person could
	}
	c.BoxMax = config.Amount(s.BoxMax)
	c.Site, c.Table, c.House = simtest.Site, simtest.Name, s.House
	c.Shoe.Driver, c.Shoe.Port = s.Make, "/dev/simulated"
	c.Journal.Path, c.Web.Listen, c.MQTT.Broker = s.Folder+"/journal", "127.0.0.1:0", "tcp://simulated"
	c.Supervisors.Proof = authority.None
	if s.Key != nil {
		c.Shoe.KeyFile = s.Folder + "/shoe.key"
		if err := os.WriteFile(c.Shoe.KeyFile, fmt.Appendf(nil, "%x\n", s.Key[:]), 0o600); err != nil {
			return nil, err
		}
	}
	if s.Keys != nil {
		wireKeys(&c)
	}
	d, err := host.Open(c, simtest.Houses(), "storm", s.Log,
		host.WithPanel(func([]gpio.Line, []gpio.Line) (paneldriver.Board, error) { return s.Keys, nil }),
		host.WithOutside(host.Outside{
			Disk: s.Disk, Shoe: s.Shoe, Broker: s.Broker, Page: bubble.Listen(), Now: s.Now,
		}))
	if err != nil {
		return nil, err
	}
	return stormTable{d, d.Board}, nil
}

// wireKeys connects the storm's panel. Only who has turned its key may put something right.
func wireKeys(c *config.Config) {
	c.Keys.Dealer = config.PerKey{}
	for i, key := range simtest.Keys {
		line := fmt.Sprint("K", i)
		if key == simtest.SupervisorKey {
			c.Keys.Supervisor = line
		} else {
			c.Keys.Dealer[key] = line
		}
	}
	c.LongPress.Does = config.PerKey{simtest.LongKey: simtest.LongDoes}
	c.Signals = config.Signals{Green: "L0", Amber: "L1", Red: "L2", Buzzer: "L3", Lock: "L4"}
	c.Supervisors.Proof, c.Supervisors.KeyHolder = authority.Key, simtest.SupervisorKey
}

// allCorrected is after how many table-hours every correction has been taken: of the rarest, three in 50.
const allCorrected = 200

// fewStorms are played where no time for them is given.
const fewStorms = 2

// TestStorm plays a few storms, which are the same each time. Where it is given a time it plays such until half of it
// is over, and then those of the run's own seed; until the first finding, only the former. A seed or a script plays
// only that, as often as said.
func TestStorm(t *testing.T) {
	pool := &stormPool{}
	defer pool.close()
	switch {
	case *stormScript != "":
		text, err := os.ReadFile(*stormScript)
		if err != nil {
			t.Fatal(err)
		}
		s, err := simtest.Parse(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		replayStorm(t, pool, s)
	case *stormSeed != 0:
		replayStorm(t, pool, simtest.Plan(*stormSeed, makes()))
	case *stormFor == 0:
		runStorms(t, pool, simtest.Plan, 1, few)
	case *stormFirst:
		runStorms(t, pool, simtest.Plan, 1, during(*stormFor))
	default:
		ofThisRun := tier.SeedOf(t) % 1e12
		t.Logf("storms with the seeds from 1 and, of this run, from %d", ofThisRun)
		runStorms(t, pool, simtest.Plan, 1, during(*stormFor/2))
		runStorms(t, pool, simtest.Plan, ofThisRun, during(*stormFor/2))
	}
}

// few says for few storms that they go on.
func few(played uint64) bool { return played < fewStorms }

// TestStormInsider plays storms in which somebody without the keys is at the table's files between two starts, as
// TestStorm plays the others: whatever he did is told by an audit with the audit key and the pit's witness, each start
// deals again, and none ends the table.
func TestStormInsider(t *testing.T) {
	pool := &stormPool{}
	defer pool.close()
	plan := func(seed uint64, makes []string) simtest.Script {
		return simtest.WithInsider(simtest.Plan(seed, makes))
	}
	switch {
	case *stormSeed != 0:
		replayStorm(t, pool, plan(*stormSeed, makes()))
	case *stormFor == 0:
		runStorms(t, pool, plan, 1, few)
	default:
		runStorms(t, pool, plan, 1, during(*stormFor/4))
		runStorms(t, pool, plan, tier.SeedOf(t)%1e12, during(*stormFor/4))
	}
}

// replayStorm plays one script as often as said, in this process if what happens is to be seen.
func replayStorm(t *testing.T, pool *stormPool, s simtest.Script) {
	t.Log("\n" + s.String())
	for range *stormTimes {
		var r simtest.Result
		if *stormLog {
			r = playStorm(t, s, slog.New(slog.NewTextHandler(os.Stdout, nil)))
		} else {
			r = pool.play(s)
		}
		for _, f := range r.Findings {
			t.Error(f)
		}
	}
}

// during says for a time that storms go on, however many were played.
func during(d time.Duration) func(uint64) bool {
	end := time.Now().Add(d)
	return func(uint64) bool { return time.Now().Before(end) }
}

// runStorms plays storms with the seeds from one on, for as long as they go on, and shrinks what finds something.
func runStorms(t *testing.T, pool *stormPool, plan func(uint64, []string) simtest.Script, seed uint64,
	goOn func(played uint64) bool,
) {
	began := time.Now()
	var tally simtest.Tally
	var next atomic.Uint64
	next.Store(seed)
	var mu sync.Mutex
	found := map[string]int{}
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for !(*stormFirst && t.Failed()) {
				plays := next.Add(1) - 1
				if !goOn(plays - seed) {
					return
				}
				s := plan(plays, makes())
				r := pool.play(s)
				mu.Lock()
				tally.Add(r)
				first := len(r.Findings) > 0 && found[r.Findings[0].Kind] == 0
				if len(r.Findings) > 0 {
					found[r.Findings[0].Kind]++
				}
				mu.Unlock()
				if len(r.Findings) == 0 {
					continue
				}
				t.Errorf("seed %d after %.0f table-hours finds:\n%v", s.Seed, tally.Hours(), r.Findings)
				if first && !*stormFirst {
					t.Errorf("seed %d is as short as this; play it with -storm.script:\n%s", s.Seed,
						shrinkStorm(pool, s, r.Findings[0].Kind))
				}
			}
		})
	}
	workers.Wait()
	if tally.Hours() > allCorrected && !*stormFirst {
		for _, what := range simtest.Corrections() {
			if tally.Inputs[what] == 0 {
				t.Errorf("in %.0f table-hours no table has taken %q", tally.Hours(), what)
			}
		}
	}
	t.Logf("seeds from %d: %s\nfindings: %v", seed, tally.Report(time.Since(began)), found)
}

// shrinkStorm shrinks a script that finds something. What depends on the scheduling of goroutines is played a few
// times.
func shrinkStorm(pool *stormPool, s simtest.Script, kind string) simtest.Script {
	return simtest.Shrink(s, func(s simtest.Script) bool {
		for range 3 {
			if r := pool.play(s); slices.ContainsFunc(r.Findings, func(f simtest.Finding) bool {
				return f.Kind == kind
			}) {
				return true
			}
		}
		return false
	})
}

func makes() []string { return strings.Split(*stormMakes, ",") }

// TestStormsThatFound plays again what once found something.
func TestStormsThatFound(t *testing.T) {
	pool := &stormPool{}
	defer pool.close()
	for _, one := range []struct{ what, script string }{
		{
			"the dealer goes on with a card that lies open after a correction, and waits for none that is there",
			`storm seed=74 make=angel-eye house=strict rounds=10 pace=20ms
card 105 reboot
card 134 mishap what=move dice=891149 after=1s
`,
		},
		{
			"the key Card that is touched in the payment pays the next bettor alone",
			`storm seed=156 make=bee-tek house=st-moritz-65 rounds=5 pace=100ms panel
card 61 keys-away keys=all after=100ms for=8s held=card
`,
		},
	} {
		s, err := simtest.Parse(strings.NewReader(one.script))
		if err != nil {
			t.Fatal(err)
		}
		if r := pool.play(s); len(r.Findings) > 0 {
			t.Errorf("%s: %v", one.what, r.Findings)
		}
	}
}

// TestStormPlugsAgain: noise that takes the link of an Angel Eye while a card is drawn needs a person who plugs the
// adapter in again, and only that: nobody draws the card that would bring the link back.
func TestStormPlugsAgain(t *testing.T) {
	pool := &stormPool{}
	defer pool.close()
	s, err := simtest.Parse(strings.NewReader(`storm seed=3 make=angel-eye house=baden rounds=3 pace=100ms
card 20 unplug for=1ms
card 21 noise cards=1 burst=1 run=1 bits=0.1
`))
	if err != nil {
		t.Fatal(err)
	}
	r := pool.play(s)
	if len(r.Findings) > 0 {
		t.Error(r.Findings)
	}
	if code := irregularity.ShoeOffline.String(); r.Held[code] == 0 {
		t.Errorf("%s was never put right by a person: %v", code, r.Held)
	}
}
