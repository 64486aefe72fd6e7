package shoetest

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/shoe/sabot"
)

// patience is the deadline for what must happen eventually.
const patience = 60 * time.Second

const digits = "c0ffee00112233445566778899aabbcc"

// bench is the table's driver connected to a C shoe, and a journal.
type bench struct {
	t    *testing.T
	shoe *CShoe
	key  *wire.Secret

	mu      sync.Mutex
	journal []shoe.Event // numbered events, in the order in which they came
	alarms  []string
	last    []shoe.Position // stored, at most one
	stop    func()
	driver  *sabot.Driver
}

// bothWays runs a test with a shoe without a key and with one that has it, at once: most of the time they wait for each
// other. The compiler's sanitizers watch the shoe.
func bothWays(t *testing.T, line func() CLine, test func(b *bench)) {
	program := sanitized(t, "shoe")
	for name, keyed := range map[string]bool{"without a key": false, "with a key": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := &bench{t: t, stop: func() {}}
			t.Cleanup(func() { b.stop() })
			o := COptions{Program: program, Boot: 1, Line: line()}
			if keyed {
				o.KeyFile = b.keyFile()
			}
			b.shoe = StartC(t, o)
			test(b)
		})
	}
}

// good is a line without faults.
func good() CLine { return CLine{} }

// keyFile gives the driver the key, and returns the file with it.
func (b *bench) keyFile() string {
	b.t.Helper()
	key, err := wire.ParseSecret(digits)
	b.must(err)
	b.key = &key
	path := filepath.Join(b.t.TempDir(), "key")
	b.must(os.WriteFile(path, []byte(digits+"\n"), 0o600))
	return path
}

func (b *bench) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// start runs a new driver, as after a restart of the host: what was stored is known.
func (b *bench) start() {
	b.t.Helper()
	b.stop()
	address, err := device.ParseAddress(b.shoe.Path())
	b.must(err)
	open, err := device.NewOpener(address, device.Settings{Baud: 115200})
	b.must(err)
	driver := sabot.New(shoe.Options{
		Open: open, Stored: b.last, Key: b.key, Commands: true,
		Log: slog.New(slog.DiscardHandler),
	})
	b.driver = driver
	ctx, cancel := context.WithCancel(b.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- driver.Run(ctx, func(e shoe.Event) { b.take(driver, e) }) }()
	b.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
			b.t.Errorf("Run returned %v", err)
		}
	})
}

// take stores an event at once.
func (b *bench) take(driver *sabot.Driver, e shoe.Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e.Kind == shoe.AlarmRaised {
		b.alarms = append(b.alarms, e.Code)
	}
	if e.Position == (shoe.Position{}) {
		return
	}
	b.journal, b.last = append(b.journal, e), []shoe.Position{e.Position}
	driver.Stored(e.Position)
}

func (b *bench) draw(c card.Card) {
	b.t.Helper()
	b.must(b.shoe.Draw(c.String()))
}

// await waits until something holds of the shoe.
func (b *bench) await(holds func(CState) bool) error {
	ctx, cancel := context.WithTimeout(b.t.Context(), patience)
	defer cancel()
	return b.shoe.Await(ctx, holds)
}

// settle waits until the shoe has nothing more to report.
func (b *bench) settle() {
	b.t.Helper()
	err := b.await(func(s CState) bool { return s.InSession && s.Queued == 0 })
	if err != nil {
		b.t.Fatalf("%v; %+v", err, b.driver.Stats())
	}
}

// cards returns those in the journal, and what was lost.
func (b *bench) cards() (all []card.Card, gaps int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.journal {
		switch e.Kind {
		case shoe.Drawn:
			all = append(all, e.Card)
		case shoe.Gap:
			gaps++
		}
	}
	return all, gaps
}

// want compares the journal with the cards that were drawn.
func (b *bench) want(drawn []card.Card) {
	b.t.Helper()
	got, gaps := b.cards()
	if !slices.Equal(got, drawn) || gaps != 0 {
		b.t.Errorf("the journal has %d cards and %d gaps\n%v\ndrawn %d\n%v", len(got), gaps, got, len(drawn), drawn)
	}
}

// deck is cards in random order, with the Joker and an unread one.
func deck(random *rand.Rand) []card.Card {
	cards := slices.AppendSeq([]card.Card{card.Joker, card.Unread}, card.All)
	random.Shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
	return cards
}

// Noise in both directions, and a table that is killed over and over in the middle of the shoe's queue: every card
// comes, once and in order, without a false alarm.
func TestNoiseAndRestartsOfTheTable(t *testing.T) {
	tier.Soak(t, "the shoe in C and the table for hours of their time")
	line := func() CLine { return CLine{ToHost: noise(3), FromHost: noise(4)} }
	bothWays(t, line, func(b *bench) {
		var drawn []card.Card
		for i, c := range deck(rand.New(rand.NewPCG(1, 2)))[:tier.Times(20, 54)] {
			if i%9 == 0 {
				b.start()
			}
			b.draw(c)
			drawn = append(drawn, c)
			if i%20 == 10 {
				b.settle()
			}
		}
		b.settle()
		b.want(drawn)
		if s := b.driver.Stats(); len(b.alarms) != 0 || s.Tampered != [len(s.Tampered)]uint64{} {
			b.t.Errorf("alarms %v; %+v", b.alarms, s)
		}
	})
}

// noise changes, loses or repeats about one byte in 200.
func noise(seed uint64) func([]byte) []byte {
	random := rand.New(rand.NewPCG(seed, 0))
	var mu sync.Mutex
	return func(p []byte) []byte {
		mu.Lock()
		defer mu.Unlock()
		var out []byte
		for _, b := range p {
			switch random.IntN(600) {
			case 0:
				out = append(out, b^byte(1+random.IntN(255)))
			case 1:
			case 2:
				out = append(out, b, b)
			default:
				out = append(out, b)
			}
		}
		return out
	}
}

// The cable is out while cards are drawn.
func TestCableOut(t *testing.T) {
	bothWays(t, good, func(b *bench) {
		cards := deck(rand.New(rand.NewPCG(5, 6)))[:tier.Times(20, 54)]
		b.start()
		for i, c := range cards {
			if i%10 == 5 {
				b.must(b.shoe.Unplug())
			}
			b.draw(c)
			if i%10 == 9 {
				b.must(b.shoe.Replug())
				b.settle()
			}
		}
		b.settle()
		b.want(cards)
	})
}

// The shoe loses its power in the middle of its queue. What it had reported is there, and what it had not is reported
// lost, once; nothing comes twice, and what it draws afterwards comes.
func TestPowerCutAtTheShoe(t *testing.T) {
	bothWays(t, good, func(b *bench) {
		cards := deck(rand.New(rand.NewPCG(7, 8)))
		b.start()
		for _, c := range cards[:10] {
			b.draw(c)
		}
		b.settle()
		b.must(b.shoe.Unplug())
		for _, c := range cards[10:20] {
			b.draw(c)
		}
		b.must(b.shoe.Restart(2))
		b.must(b.shoe.Replug())
		for _, c := range cards[20:30] {
			b.draw(c)
		}
		b.settle()
		got, gaps := b.cards()
		if want := slices.Concat(cards[:10], cards[20:30]); !slices.Equal(got, want) || gaps != 1 {
			b.t.Errorf("%d gaps, and the cards %v\nwant 1 gap, and %v", gaps, got, want)
		}
	})
}

// A shoe that has used up the numbers of its boot starts anew once all of them are stored: no card is lost, and none
// comes twice.
func TestAfterTheLastNumber(t *testing.T) {
	bothWays(t, good, func(b *bench) {
		const old = 2
		cards := deck(rand.New(rand.NewPCG(10, 11)))
		b.must(b.shoe.RestartAfter(old, math.MaxUint32-3))
		b.start()
		for _, c := range cards[:3] {
			b.draw(c)
		}
		b.must(b.await(func(s CState) bool { return s.Boot != old }))
		b.settle()
		for _, c := range cards[3:6] {
			b.draw(c)
		}
		b.settle()
		// This host is new to the shoe, which then starts anew.
		if got, gaps := b.cards(); !slices.Equal(got, cards[:6]) || gaps != 2 {
			b.t.Errorf("%d gaps, and the cards %v\nwant 2 gaps, and %v", gaps, got, cards[:6])
		}
	})
}

// Commands reach the hardware, and a shoe with a locked exit gives no card.
func TestLockLampAndKeys(t *testing.T) {
	bothWays(t, good, func(b *bench) {
		b.start()
		b.must(b.driver.SetLock(b.t.Context(), true))
		b.driver.SetLamp(wire.LightAmber)
		b.must(b.await(func(s CState) bool { return s.Locks == 1 && s.Lights == 2 }))
		if err := b.shoe.Draw(card.Joker.String()); err == nil {
			b.t.Error("a card came out of a locked exit")
		}
		b.must(b.driver.SetLock(b.t.Context(), false))
		b.must(b.await(func(s CState) bool { return s.Locks == 0 }))
		for _, command := range []string{
			"key 2 down", "key 2 up", "cut", "alarm 5", "over 5", "alarm 200 7", "hand 1",
			"hand 0", "log all well",
		} {
			_, err := b.shoe.Command(command)
			b.must(err)
		}
		b.settle()
		b.mu.Lock()
		defer b.mu.Unlock()
		var told []string
		for _, e := range b.journal {
			told = append(told, e.Kind.String()+" "+e.Code)
		}
		want := []string{
			"locked host", "unlocked ", "key 2", "other key-released 2", "cut-card ", "alarm-raised cover",
			"alarm-cleared cover",
			"alarm-raised alarm-200", "locked by-hand", "unlocked ",
		}
		if !slices.Equal(told, want) {
			b.t.Errorf("the shoe reported %q\nwant %q", told, want)
		}
	})
}

// An attacker repeats what the shoe sends: the table notices, and takes nothing twice.
func TestRepeatedFramesAreNoticed(t *testing.T) {
	line := func() CLine {
		return CLine{ToHost: func(p []byte) []byte { return append(bytes.Clone(p), p...) }}
	}
	bothWays(t, line, func(b *bench) {
		cards := deck(rand.New(rand.NewPCG(9, 9)))[:20]
		b.start()
		for _, c := range cards {
			b.draw(c)
		}
		b.settle()
		b.want(cards)
		if noticed := slices.Contains(b.alarms, "tampering-replayed"); noticed != (b.key != nil) {
			b.t.Errorf("alarms %q", b.alarms)
		}
	})
}
