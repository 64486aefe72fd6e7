package sabot

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// world is a shoe's firmware, a line that does as it likes, this side's link, and a table that handles and stores when
// it likes. All of it may fail.
type world struct {
	t   *rapid.T
	now time.Time
	*firmware
	shoes []*firmware                  // the one on the line, and those that lie beside it
	boots uint32                       // that the shoes have had
	drawn map[shoe.Position]shoe.Event // what truly happened

	toHost, toShoe []byte
	cut, bad       bool   // the cable is out; the line damages what it carries
	deaf           bool   // nothing reaches the shoe
	past           []byte // what the line brought to the host since then
	pastSince      time.Time
	// What an attacker on the line makes of the frames that pass.
	meddleToHost, meddleToShoe func(frames [][]byte) [][]byte

	// Each side's key, nil for none.
	hostKey, shoeKey *wire.Secret
	nonces           uint64
	told             []shoe.Event // about the link and its alarms, to the table

	link    *link
	decoder wire.Decoder
	handled []shoe.Event // by the table, not durable yet
	journal []shoe.Event // durable
	reboots int
	swaps   int
}

// firmware is one shoe's.
type firmware struct {
	start time.Time // of the shoe's boot
	core  *shoesim.Core
	boot  uint32
}

func newWorld(t *rapid.T, hostKey, shoeKey *wire.Secret) *world {
	w := &world{
		t: t, now: time.Unix(1, 0), drawn: map[shoe.Position]shoe.Event{}, hostKey: hostKey, shoeKey: shoeKey,
	}
	w.shoes = []*firmware{{}, {}, {}}
	for _, w.firmware = range w.shoes {
		w.startShoe()
	}
	w.startHost()
	return w
}

func (w *world) startShoe() {
	w.boots++
	w.boot, w.start = w.boots, w.now
	w.core = shoesim.NewCore(shoesim.Identity{Serial: "P", Capabilities: wire.CanLock}, w.boot)
	if w.shoeKey != nil {
		w.core.Secure(*w.shoeKey, uint64(w.boot))
	}
}

// startHost starts with what the journal holds; the rest of the memory is lost.
func (w *world) startHost() {
	w.handled = nil
	w.link = newLink(positionsIn(w.journal)...)
	w.decoder = wire.Decoder{}
	if w.hostKey != nil {
		w.link.secure(*w.hostKey, w.nonce)
		w.decoder.Guard = w.link.security.guard
	}
	w.link.opened(w.now)
}

// positionsIn are the last positions of each boot in a journal, the latest first.
func positionsIn(journal []shoe.Event) (list []shoe.Position) {
	for _, e := range slices.Backward(journal) {
		known := func(p shoe.Position) bool { return p.Boot == e.Position.Boot }
		if !slices.ContainsFunc(list, known) {
			list = append(list, e.Position)
		}
	}
	return list
}

// swap puts another shoe on the line. What was on its way is lost.
func (w *world) swap(to *firmware) {
	if to != w.firmware {
		w.swaps++
	}
	w.firmware, w.toHost, w.toShoe = to, nil, nil
}

func (w *world) nonce() wire.Nonce {
	w.nonces++
	return wire.Nonce(w.nonces)
}

func (w *world) shoeTime() time.Duration { return w.now.Sub(w.start) }

func (w *world) draw() {
	if w.core.Queued() >= wire.LockAt-1 {
		return // the exit is locked
	}
	rank := wire.Rank(rapid.IntRange(0, 13).Draw(w.t, "rank"))
	suit := wire.NoSuit
	if rank != wire.RankUnread {
		suit = wire.Suit(rapid.IntRange(1, 4).Draw(w.t, "suit"))
	}
	w.core.Card(w.shoeTime(), rank, suit, 99)
	p := shoe.Position{Boot: w.boot, Seq: w.core.Last()}
	w.drawn[p] = shoe.Event{Kind: shoe.Drawn, Card: cardOf(rank, suit)}
}

// pass lets time pass, in steps as short as the line is fast.
func (w *world) pass(span time.Duration) {
	for end := w.now.Add(span); w.now.Before(end); {
		w.now = w.now.Add(20 * time.Millisecond)
		toShoe := w.carry(w.toShoe, w.meddleToShoe)
		if w.deaf {
			toShoe = nil
		}
		w.toHost = w.core.Step(w.shoeTime(), toShoe, w.toHost)
		w.toShoe = nil
		arrived := w.carry(w.toHost, w.meddleToHost)
		w.toHost = nil
		again := w.again()
		w.past = append(w.past, arrived...)
		arrived = append(bytes.Clone(again), arrived...)
		w.decoder.Feed(arrived, func(m wire.Message, err error) { w.link.receive(w.now, m, err) })
		if err := w.link.tick(w.now); err != nil {
			w.link.closed(w.now, err)
			w.link.opened(w.now)
			w.decoder.Reset()
		}
		w.toShoe = w.link.appendOutput(nil)
	}
}

// carry is the line: what goes in comes out, if it is good and nobody meddles.
func (w *world) carry(b []byte, meddle func([][]byte) [][]byte) []byte {
	if meddle != nil {
		b = bytes.Join(meddle(framesOf(b)), nil)
	}
	switch {
	case w.cut || len(b) == 0:
		return nil
	case !w.bad:
		return b
	}
	b = bytes.Clone(b)
	i := rapid.IntRange(0, len(b)-1).Draw(w.t, "where")
	switch rapid.IntRange(0, 5).Draw(w.t, "fault") {
	case 0:
		return b[:i]
	case 1:
		b[i] ^= byte(rapid.IntRange(1, 255).Draw(w.t, "flip"))
	case 2:
		return append(b, b[i:]...)
	case 3:
		return append(b[:i:i], append([]byte{1, 2, 0, 3}, b[i:]...)...)
	case 4:
		return append(b[:i:i], b[i+1:]...)
	}
	return b
}

// framesOf cuts what a side sent at once into its frames.
func framesOf(b []byte) [][]byte {
	frames := bytes.SplitAfter(b, []byte{0})
	return frames[:len(frames)-1] // there is nothing after the last zero
}

// again occasionally repeats what came in the last moments. Frames from longer ago than a hello's repetition do not
// come back.
func (w *world) again() (repeated []byte) {
	if w.bad && len(w.past) > 0 && rapid.IntRange(0, 9).Draw(w.t, "again") == 0 {
		repeated = w.past
	}
	if w.now.Sub(w.pastSince) > wire.HelloEvery/2 {
		w.past, w.pastSince = nil, w.now
	}
	return repeated
}

func (w *world) handle() {
	for {
		e, ok := w.link.queue.events.Pop()
		if !ok {
			return
		}
		if e.Position == (shoe.Position{}) {
			w.told = append(w.told, e)
		} else {
			w.handled = append(w.handled, e)
		}
	}
}

func (w *world) store() {
	if len(w.handled) == 0 {
		return
	}
	w.journal = append(w.journal, w.handled...)
	for _, e := range w.handled {
		w.link.durable(e.Position)
	}
	w.handled = nil
}

func (w *world) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"draw":        func(*rapid.T) { w.draw() },
		"draw many":   func(*rapid.T) { w.drawMany() },
		"pass":        func(*rapid.T) { w.pass(100 * time.Millisecond) },
		"pass long":   func(*rapid.T) { w.pass(2 * time.Second) },
		"handle":      func(*rapid.T) { w.handle() },
		"store":       func(*rapid.T) { w.store() },
		"plug":        func(*rapid.T) { w.cut = !w.cut },
		"noise":       func(*rapid.T) { w.bad = !w.bad },
		"deaf":        func(*rapid.T) { w.deaf = !w.deaf },
		"swap":        func(t *rapid.T) { w.swap(rapid.SampledFrom(w.shoes).Draw(t, "shoe")) },
		"host dies":   func(*rapid.T) { w.startHost() },
		"shoe reboot": func(t *rapid.T) { w.reboot(t) },
		"": func(t *rapid.T) {
			if len(w.link.queue.events) > 2*queueLimit+2 {
				t.Fatalf("the queue grew to %d events", len(w.link.queue.events))
			}
		},
	}
}

func (w *world) drawMany() {
	for range rapid.IntRange(2, 100).Draw(w.t, "cards") {
		w.draw()
	}
}

func (w *world) reboot(t *rapid.T) {
	if rapid.IntRange(0, 3).Draw(t, "reboot") != 0 {
		t.Skip()
	}
	w.reboots++
	w.startShoe()
}

// settleAll settles with each shoe, the present one last.
func (w *world) settleAll() error {
	present := w.firmware
	if w.swaps > 0 {
		for _, other := range w.shoes {
			w.swap(other)
			if err := w.settle(); err != nil {
				return err
			}
		}
	}
	w.swap(present)
	return w.settle()
}

// settle repairs everything and waits until nothing is left to do.
func (w *world) settle() error {
	w.cut, w.bad, w.deaf = false, false, false
	for range 100 {
		w.pass(time.Second)
		w.handle()
		w.store()
		if w.core.Queued() == 0 && w.core.InSession() && w.link.up {
			return nil
		}
	}
	return fmt.Errorf("100 s on a good line, and the shoe still has %d of %d events", w.core.Queued(), w.core.Last())
}

// check compares the journal with what truly happened.
func (w *world) check() error {
	var at shoe.Position
	taken := map[shoe.Position]bool{}
	for i, e := range w.journal {
		if err := w.checkStep(at, e); err != nil {
			return fmt.Errorf("entry %d of the journal: %w", i, err)
		}
		if e.Kind != shoe.Gap && taken[e.Position] {
			return fmt.Errorf("entry %d of the journal: %v came before", i, e.Position)
		}
		at = e.Position
		taken[at] = taken[at] || e.Kind != shoe.Gap
	}
	for _, s := range w.shoes {
		for seq := uint32(1); seq <= s.core.Last() && w.swaps > 0; seq++ {
			if p := (shoe.Position{Boot: s.boot, Seq: seq}); !taken[p] {
				return fmt.Errorf("%v never came, and its shoe was there", p)
			}
		}
	}
	for _, e := range w.told {
		if e.Kind == shoe.Reused {
			return fmt.Errorf("the boot %s is said to be used twice", e.Code)
		}
	}
	if last := w.core.Last(); last > 0 && at != (shoe.Position{Boot: w.boot, Seq: last}) {
		return fmt.Errorf("the journal ends at %v, the shoe at %d of boot %d", at, last, w.boot)
	}
	return nil
}

func (w *world) checkStep(at shoe.Position, e shoe.Event) error {
	truth := w.drawn[e.Position]
	switch {
	case e.Kind == shoe.Gap && w.reboots == 0 && w.swaps == 0:
		return fmt.Errorf("a gap at %v, but the shoe never restarted", e.Position)
	case e.Kind == shoe.Gap && e.Missing != 0:
		return fmt.Errorf("%d events reported lost up to %v, but no other host took any", e.Missing, e.Position)
	case e.Kind == shoe.Gap:
		return nil
	case at.Boot != 0 && e.Position.Boot != at.Boot:
		return fmt.Errorf("%v follows %v without a gap", e.Position, at)
	case e.Position.Seq != at.Seq+1:
		return fmt.Errorf("%v follows %v", e.Position, at)
	case truth.Kind == shoe.Drawn && (e.Kind != truth.Kind || e.Card != truth.Card):
		return fmt.Errorf("%v arrived as %v %v, but was %v", e.Position, e.Kind, e.Card, truth.Card)
	default:
		return nil
	}
}

// bothWays runs a test with a shoe without a key and with one that has it.
func bothWays(t *testing.T, test func(t *testing.T, key *wire.Secret)) {
	t.Run("without a key", func(t *testing.T) { test(t, nil) })
	t.Run("with a key", func(t *testing.T) { test(t, &wire.Secret{5, 4, 3}) })
}

// Whatever is lost, repeated or damaged on the line, whichever side dies, and however
// often shoes are exchanged: the journal holds exactly the cards drawn, those of each shoe
// in order, none twice, and none is missing without a gap; there is a gap only where a
// shoe lost its queue, or another one came.
func TestNothingIsLostSilently(t *testing.T) {
	bothWays(t, nothingIsLostSilently)
}

func nothingIsLostSilently(t *testing.T, key *wire.Secret) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, key, key)
		t.Repeat(w.actions())
		if err := w.settleAll(); err != nil {
			t.Fatal(err)
		}
		if err := w.check(); err != nil {
			t.Fatal(err)
		}
	})
}

// The check of the property above would notice.
func TestCheckNotices(t *testing.T) {
	for name, spoil := range map[string]func(*world){
		"a card twice":         func(w *world) { w.journal = append(w.journal, w.journal[2]) },
		"a card missing":       func(w *world) { w.journal = append(w.journal[:1], w.journal[2]) },
		"another card":         func(w *world) { w.journal[1].Card = card.None },
		"the last one lost":    func(w *world) { w.journal = w.journal[:2] },
		"a needless gap":       func(w *world) { w.journal[2].Kind = shoe.Gap },
		"another boot's":       func(w *world) { w.journal[2].Position.Boot++ },
		"settled far too soon": func(w *world) { w.draw() },
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				w := newWorld(t, nil, nil)
				for range 3 {
					w.draw()
				}
				if err := errors.Join(w.settle(), w.check()); err != nil {
					t.Fatalf("before it is spoiled: %v", err)
				}
				if spoil(w); w.check() == nil {
					t.Fatal("not noticed")
				}
			})
		})
	}
}
