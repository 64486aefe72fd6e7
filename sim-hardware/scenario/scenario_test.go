package scenario

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/datadriven"
	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/testkit/datatest"
	"github.com/sabot-table/sabot/internal/testkit/shoetest"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	event "github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/shoe/makes"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

//go:embed testdata/scripts testdata/play testdata/drivers
var testdata embed.FS

// TestParse reads the scripts of testdata/scripts; a good one is written as it was understood, and every fault of a bad
// one is reported.
func TestParse(t *testing.T) {
	datatest.Each(t, testdata, "testdata/scripts", func(t *testing.T, path string) {
		datatest.Run(t, testdata, path, func(t *testing.T, d *datadriven.TestData) string {
			s, err := Parse("test", d.Input)
			if err != nil {
				return err.Error() + "\n"
			}
			return s.String()
		})
	})
}

// TestPlay plays testdata/play to a shoe on a line in memory, in simulated time, and writes when each step was done and
// which card it took.
func TestPlay(t *testing.T) {
	datatest.Run(t, testdata, "testdata/play", func(t *testing.T, d *datadriven.TestData) string {
		s, err := Parse("test", d.Input)
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		kind := shoesim.Kind(d.Cmd)
		var out strings.Builder
		synctest.Test(t, func(t *testing.T) {
			shoe, err := shoesim.New(shoesim.Options{Kind: kind, Seed: s.Seed, Decks: 1, Memory: true})
			if err != nil {
				t.Fatal(err)
			}
			defer shoe.Close()
			begun := time.Now()
			err = s.Play(t.Context(), Hardware{Shoe: shoe}, func(step Step, c card.Card) {
				out.WriteString(strings.TrimSpace(time.Since(begun).String()+" "+step.String()+" "+c.String()) + "\n")
			})
			if err != nil {
				out.WriteString(err.Error() + "\n")
			}
		})
		return out.String()
	})
}

// TestDrivers plays testdata/drivers with a table that listens, and writes what it receives after each step, with the
// time in milliseconds.
func TestDrivers(t *testing.T) {
	datatest.Each(t, testdata, "testdata/drivers", func(t *testing.T, path string) {
		datatest.Run(t, testdata, path, func(t *testing.T, d *datadriven.TestData) string {
			s, err := Parse("test", d.Input)
			if err != nil {
				d.Fatalf(t, "%v", err)
			}
			var out string
			synctest.Test(t, func(t *testing.T) { out = withDriver(t, shoesim.Kind(d.Cmd), s) })
			return out
		})
	})
}

// withDriver plays a scenario to a driver, then waits five more seconds.
func withDriver(t *testing.T, kind shoesim.Kind, s Scenario) string {
	shoe, err := shoesim.New(shoesim.Options{Kind: kind, Seed: s.Seed, Decks: 1, Memory: true, Boot: 7})
	if err != nil {
		t.Fatal(err)
	}
	defer shoe.Close()
	log := stepLog{begun: time.Now()}
	defer listenTo(t, shoe, log.told)()
	synctest.Wait()
	s.Steps = append(s.Steps, Step{Verb: "wait", For: 5 * time.Second})
	err = s.Play(t.Context(), Hardware{Shoe: shoe}, func(step Step, _ card.Card) {
		synctest.Wait()
		log.done(step)
	})
	if err != nil {
		t.Error(err)
	}
	return log.out.String()
}

// stepLog records each step, followed by what the table was told by then.
type stepLog struct {
	begun   time.Time
	mu      sync.Mutex
	pending []toldAt
	out     strings.Builder
}

type toldAt struct {
	ms   int64
	what string
}

func (l *stepLog) now() int64 { return time.Since(l.begun).Milliseconds() }

func (l *stepLog) told(e event.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e.Err = nil
	l.pending = append(l.pending, toldAt{l.now(), shoetest.Describe(e)})
}

func (l *stepLog) done(s Step) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.pending) > 0 && l.pending[0].ms < l.now() {
		l.write()
	}
	if s.Verb != "wait" {
		fmt.Fprintf(&l.out, "%8d %s\n", l.now(), s)
	}
	for len(l.pending) > 0 {
		l.write()
	}
}

func (l *stepLog) write() {
	fmt.Fprintf(&l.out, "%8d   table: %s\n", l.pending[0].ms, l.pending[0].what)
	l.pending = l.pending[1:]
}

// listenTo is a table that takes what a shoe has, until stop.
func listenTo(t *testing.T, shoe *shoesim.Shoe, told func(event.Event)) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	m, err := makes.Named(string(shoe.Kind()))
	if err != nil {
		t.Fatal(err)
	}
	driver := m.New(event.Options{Open: shoe.Open, Log: slog.New(slog.DiscardHandler)})
	go func() {
		ended <- driver.Run(ctx, func(e event.Event) {
			told(e)
			driver.Stored(e.Position)
		})
	}()
	return func() {
		cancel()
		<-ended
	}
}

// withoutLines is a scenario without the lines of its script.
func withoutLines(steps []Step) []Step {
	for i := range steps {
		steps[i].Line = 0
		withoutLines(steps[i].Steps)
	}
	return steps
}

// FuzzParse: every script is read or refused with its line; what was read is written
// as a script that reads the same.
func FuzzParse(f *testing.F) {
	f.Add("seed 7\ndraw 4S # a card\nrepeat 3\nline to-host bits=1e-4 lost=1%\nend\n")
	f.Add("press card for 900ms\nchatter rest for 2s\nbounce 5ms\nbounce off\nhold box-3\n")
	f.Add("pull after 3\nspeed 9600 heard 4800\ndrip off\nhang 3s\nrandom 9\n")
	f.Fuzz(func(t *testing.T, script string) {
		s, err := Parse("script", script)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "script:") {
				t.Fatalf("the error has no line: %v", err)
			}
			return
		}
		again, err := Parse("again", s.String())
		if err != nil {
			t.Fatalf("%v\n%s", err, s)
		}
		if a, b := withoutLines(s.Steps), withoutLines(again.Steps); s.Seed != again.Seed || !reflect.DeepEqual(a, b) {
			t.Fatalf("%+v\nis written as\n%s\nand read as\n%+v", a, s, b)
		}
	})
}

// What chance chooses can be written as a script, and the same seed chooses the same.
func TestRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		steps := Random(rand.New(rand.NewPCG(seed, 0)))
		script := Scenario{Steps: steps}.String()
		read, err := Parse("random", script)
		if err != nil || !reflect.DeepEqual(withoutLines(read.Steps), steps) {
			t.Fatalf("%v\n%s", err, script)
		}
		if again := Random(rand.New(rand.NewPCG(seed, 0))); !reflect.DeepEqual(again, steps) {
			t.Fatalf("the seed %d chooses %v and %v", seed, steps, again)
		}
	})
}

// A long random scenario can be played to each make, and the shoe is plugged in at the
// end of it.
func TestRandomScenarios(t *testing.T) {
	for _, kind := range shoesim.Kinds() {
		synctest.Test(t, func(t *testing.T) {
			shoe, err := shoesim.New(shoesim.Options{Kind: kind, Memory: true})
			if err != nil {
				t.Fatal(err)
			}
			defer shoe.Close()
			defer listenTo(t, shoe, func(event.Event) {})()
			seen := map[string]int{}
			s := Scenario{Seed: 5, Steps: []Step{{Verb: random, Count: 2000}}}
			if err := s.Play(t.Context(), Hardware{Shoe: shoe}, func(s Step, _ card.Card) {
				seen[s.Verb]++
			}); err != nil {
				t.Fatal(err)
			}
			if state := shoe.State(); !state.Plugged || state.Fault != nil || seen["draw"] < 1000 || len(seen) < 12 {
				t.Errorf("%s: %+v after %v", kind, state, seen)
			}
		})
	}
}

// What chance chooses for keys can be written as a script, too, and the same seed chooses
// the same.
func TestRandomKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		steps := RandomKeys(rand.New(rand.NewPCG(seed, 0)), panelKeys)
		script := Scenario{Steps: steps}.String()
		read, err := Parse("random", script)
		if err != nil || !reflect.DeepEqual(withoutLines(read.Steps), steps) {
			t.Fatalf("%v\n%s", err, script)
		}
		if again := RandomKeys(rand.New(rand.NewPCG(seed, 0)), panelKeys); !reflect.DeepEqual(again, steps) {
			t.Fatalf("the seed %d chooses %v and %v", seed, steps, again)
		}
	})
}

// panelKeys are the keys of the simulated panel in these tests.
var panelKeys = []string{"card", "rest", "bets"}

// A long random scenario happens to a shoe and keys, or to keys alone; at the end no key is down.
func TestRandomAtKeys(t *testing.T) {
	for _, withShoe := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			on := Hardware{Panel: keysim.NewBank(keysim.BankOptions{Contacts: len(panelKeys)}), Keys: panelKeys}
			if withShoe {
				shoe, err := shoesim.New(shoesim.Options{Memory: true})
				if err != nil {
					t.Fatal(err)
				}
				defer shoe.Close()
				defer listenTo(t, shoe, func(event.Event) {})()
				on.Shoe = shoe
			}
			seen := map[string]int{}
			s := Scenario{Seed: 5, Steps: []Step{{Verb: random, Count: 1000}, {Verb: "wait", For: time.Minute}}}
			if err := s.Play(t.Context(), on, func(s Step, _ card.Card) { seen[s.Verb]++ }); err != nil {
				t.Fatal(err)
			}
			for verb := range keyVerbs {
				if seen[verb] < 5 {
					t.Errorf("%s happened %d times", verb, seen[verb])
				}
			}
			if withShoe != (seen["draw"] > 300) {
				t.Errorf("with a shoe %t, %d cards were drawn", withShoe, seen["draw"])
			}
			if closed, _, err := on.Panel.Closed(); err != nil || slices.Contains(closed, true) {
				t.Errorf("at the end keys are down: %v, %v", closed, err)
			}
		})
	}
}

// A step that needs missing hardware ends the scenario, and says what is missing.
func TestMissingHardware(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		panel := keysim.NewBank(keysim.BankOptions{Contacts: 1})
		for _, c := range []struct {
			script string
			on     Hardware
			want   string
		}{
			{
				"draw",
				Hardware{Panel: panel, Keys: []string{"card"}},
				"line 1 of the scenario, draw: there is no shoe to which this could happen",
			},
			{
				"wait 1s\npress card",
				Hardware{},
				"line 2 of the scenario, press: there are no keys to which this could happen",
			},
			{"bounce 5ms", Hardware{}, "line 1 of the scenario, bounce: there are no keys to which this could happen"},
			{
				"spark rest",
				Hardware{Panel: panel, Keys: []string{"card"}},
				"line 1 of the scenario, spark: there is no key rest; there are card",
			},
		} {
			s, err := Parse("test", c.script)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Play(t.Context(), c.on, nil); err == nil || err.Error() != c.want {
				t.Errorf("%q: %v\nwant %s", c.script, err, c.want)
			}
		}
	})
}

// A scenario ends with its context, even in the middle of a step.
func TestEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shoe, err := shoesim.New(shoesim.Options{Memory: true})
		if err != nil {
			t.Fatal(err)
		}
		defer shoe.Close()
		for _, script := range []string{"wait 1h", "draw 100 every 1h", "repeat 1000000\nwait 1s\nend"} {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			s, err := Parse("end", script)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Play(ctx, Hardware{Shoe: shoe}, nil); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%q ended with %v", script, err)
			}
			cancel()
		}
	})
}

// README.md names every step, and its example can be read.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for verb := range verbs {
		if !regexp.MustCompile("(?m)^\\| .*`" + verb + "[ `]").Match(text) {
			t.Errorf("README.md does not name the step %s", verb)
		}
	}
	var example strings.Builder
	for line := range strings.Lines(string(text)) {
		if code, found := strings.CutPrefix(line, "    "); found {
			example.WriteString(code)
		}
	}
	if s, err := Parse("README.md", example.String()); err != nil || len(s.Steps) < 5 {
		t.Errorf("the example is read as %v, %v", s, err)
	}
}
