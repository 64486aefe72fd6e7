package shoesim

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.bug.st/serial"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe/card"
)

// generous is how long a test waits for what must happen; it never has to wait that long.
const generous = 30 * time.Second

func startShoe(t *testing.T, o Options) *Shoe {
	t.Helper()
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("closing the shoe: %v", err)
		}
	})
	return s
}

// portHost runs a host on a real serial port until it is killed or the port vanishes.
type portHost struct {
	host *host
	port io.ReadWriteCloser
	done sync.WaitGroup
	gone bool // the port vanished
}

func startHost(t *testing.T, path string, d *disk, commands ...wire.Message) *portHost {
	t.Helper()
	port, err := serial.Open(path, &serial.Mode{BaudRate: 115200})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(port.SetReadTimeout(20*time.Millisecond), port.ResetInputBuffer()); err != nil {
		t.Fatal(err)
	}
	return hostAt(port, d, commands...)
}

func hostAt(port io.ReadWriteCloser, d *disk, commands ...wire.Message) *portHost {
	p := &portHost{host: &host{disk: d, commands: commands}, port: port}
	p.done.Go(p.run)
	return p
}

func (p *portHost) run() {
	started := time.Now()
	buf := make([]byte, 256)
	for n := 0; ; {
		out := p.host.Step(time.Since(started), buf[:n], nil)
		_, errWrite := p.port.Write(out)
		var errRead error
		n, errRead = p.port.Read(buf)
		if errors.Is(errRead, device.ErrTimeout) {
			errRead = nil
		}
		if errors.Join(errWrite, errRead) != nil {
			p.gone = true
			return
		}
	}
}

// kill ends the host without a word to the shoe.
func (p *portHost) kill(t *testing.T) {
	t.Helper()
	p.port.Close()
	p.done.Wait()
}

func await(t *testing.T, s *Shoe, wanted func(State) bool) State {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), generous)
	defer cancel()
	state, err := s.Await(ctx, wanted)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

func inSession(s State) bool  { return s.InSession }
func allStored(s State) bool  { return s.InSession && s.Queued == 0 }
func notGreeted(s State) bool { return !s.InSession }

func drawAll(t *testing.T, s *Shoe, n int) []card.Card {
	t.Helper()
	var drawn []card.Card
	for range n {
		c, err := s.Draw()
		if err != nil {
			t.Fatal(err)
		}
		drawn = append(drawn, c)
	}
	return drawn
}

// cards returns what the host stored, as cards.
func (d *disk) cards() []card.Card {
	var all []card.Card
	for _, m := range d.events {
		switch {
		case m.Type != wire.Card:
		case m.Rank == wire.RankUnread:
			all = append(all, card.Unread)
		case m.Rank == wire.RankJoker:
			all = append(all, card.Joker)
		default:
			all = append(all, card.Of(card.Rank(m.Rank), card.Suit(m.Suit-wire.Spades)))
		}
	}
	return all
}

func TestAHostThatIsKilledLosesNoCard(t *testing.T) {
	s := startShoe(t, Options{Seed: 1, CutAfter: 7})
	var d disk
	first := startHost(t, s.Path(), &d)
	drawn := drawAll(t, s, 5)
	await(t, s, allStored)
	first.kill(t)
	drawn = append(drawn, drawAll(t, s, 5)...)

	second := startHost(t, s.Path(), &d)
	await(t, s, allStored)
	second.kill(t)
	if got := d.cards(); !slices.Equal(got, drawn) {
		t.Errorf("stored %v\ndrawn  %v", got, drawn)
	}
	if d.events[7].Type != wire.CutCard {
		t.Errorf("after 7 cards came %s instead of the cut card", d.events[7].String())
	}
	if len(first.host.lost)+len(second.host.lost) != 0 {
		t.Errorf("losses reported: %v, %v", first.host.lost, second.host.lost)
	}
}

// No host opens the port for a long while; the shoe keeps running, and what waits in the terminal is not old when a
// host comes.
func TestWithoutAHostTheShoeDoesNotStop(t *testing.T) {
	s := startShoe(t, Options{Seed: 2})
	drawn := drawAll(t, s, 40)
	for range 5000 {
		if err := s.Log(wire.LevelInfo, "nobody reads what this line says"); err != nil {
			t.Fatal(err)
		}
	}
	var d disk
	h := startHost(t, s.Path(), &d)
	await(t, s, allStored)
	h.kill(t)
	if got := d.cards(); !slices.Equal(got, drawn) {
		t.Errorf("stored %v\ndrawn  %v", got, drawn)
	}
}

// A host that does not read in the middle of a session must not stop the shoe.
func TestAHostThatStopsReadingDoesNotStopTheShoe(t *testing.T) {
	s := startShoe(t, Options{Seed: 2})
	var d disk
	h := startHost(t, s.Path(), &d)
	await(t, s, inSession)
	h.kill(t)
	for range 5000 {
		if err := s.Log(wire.LevelInfo, "nobody reads what this line says"); err != nil {
			t.Fatal(err)
		}
	}
	if fault := s.State().Fault; fault != nil {
		t.Error(fault)
	}
}

func TestUnplugAndReplug(t *testing.T) {
	s := startShoe(t, Options{Seed: 3})
	var d disk
	h := startHost(t, s.Path(), &d)
	drawn := drawAll(t, s, 3)
	await(t, s, allStored)
	if err := s.Unplug(); err != nil {
		t.Fatal(err)
	}
	h.done.Wait()
	h.port.Close()
	if !h.gone {
		t.Error("the host did not see its port vanish")
	}
	if _, err := os.Lstat(s.Path()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the port's name still exists: %v", err)
	}
	drawn = append(drawn, drawAll(t, s, 3)...)
	if err := errors.Join(s.Replug(), s.Replug()); err != nil {
		t.Fatal(err)
	}
	again := startHost(t, s.Path(), &d)
	await(t, s, allStored)
	again.kill(t)
	if got := d.cards(); !slices.Equal(got, drawn) {
		t.Errorf("stored %v\ndrawn  %v", got, drawn)
	}
}

func TestRebootLosesTheQueueAndSaysSo(t *testing.T) {
	s := startShoe(t, Options{Seed: 4, Boot: 0xFFFFFFFF})
	var d disk
	h := startHost(t, s.Path(), &d, wire.Message{Type: wire.Lock, Locked: true})
	await(t, s, func(s State) bool { return s.Locks == wire.LockedByHost && s.Queued == 0 })
	h.kill(t)
	if err := s.Reboot(); err != nil {
		t.Fatal(err)
	}
	if state := await(t, s, notGreeted); state.Boot != 1 || state.Locks != 0 || state.Last != 0 {
		t.Errorf("after the restart: %+v", state)
	}
	again := startHost(t, s.Path(), &d)
	drawAll(t, s, 1)
	await(t, s, func(s State) bool { return s.Last == 1 && allStored(s) })
	again.kill(t)
	if !slices.Equal(again.host.lost, []uint32{0}) || d.boot != 1 || d.seq != 1 {
		t.Errorf("lost %v, stored up to %d/%d", again.host.lost, d.boot, d.seq)
	}
}

func TestABadLineIsSurvived(t *testing.T) { synctest.Test(t, aBadLineIsSurvived) }

func aBadLineIsSurvived(t *testing.T) {
	every := func(n int) func([]byte) []byte {
		seen := 0
		return func(p []byte) []byte {
			out := slices.Clone(p)
			for i := range out {
				if seen++; seen%n == 0 {
					out[i] ^= 0x21
				}
			}
			return out
		}
	}
	s := startShoe(t, Options{Seed: 5, Memory: true, Boot: 1, ToHost: every(397), FromHost: every(211)})
	port, err := s.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var d disk
	h := hostAt(port, &d)
	drawn := drawAll(t, s, 60)
	state := await(t, s, allStored)
	h.kill(t)
	if got := d.cards(); !slices.Equal(got, drawn) {
		t.Errorf("stored %v\ndrawn  %v", got, drawn)
	}
	if state.Counts.Resent == 0 || state.Counts.Refused == 0 || len(h.host.faults) == 0 {
		t.Errorf("the line was not bad enough to show anything: %+v", state.Counts)
	}
}

func TestWhatAHandCanDo(t *testing.T) {
	listed := []card.Card{
		card.Of(card.Ace, card.Spades), card.Of(card.King, card.Clubs), card.Joker, card.Unread,
		card.Of(5, card.Hearts),
	}
	s := startShoe(t, Options{Cards: listed})
	var d disk
	h := startHost(t, s.Path(), &d, wire.Message{Type: wire.Lamp, Light: wire.LightGreen})
	await(t, s, func(s State) bool { return s.Light == wire.LightGreen })
	drawAll(t, s, 4)
	wrong, err := s.DrawWrong(14, wire.Spades)
	if wrong != listed[4] {
		t.Errorf("drew %s", wrong)
	}
	_, errEmpty := s.Draw()
	if !errors.Is(errEmpty, ErrEmpty) {
		t.Errorf("empty shoe: %v", errEmpty)
	}
	err = errors.Join(err, s.CutCard(), s.Reload(), s.DrawCard(card.Joker),
		s.Key(1, true), s.Key(1, false), s.RaiseAlarm(wire.AlarmCover, 0), s.ClearAlarm(wire.AlarmCover),
		s.Log(wire.LevelInfo, "hello"))
	if err != nil {
		t.Fatal(err)
	}
	if c, err := s.DrawUnread(); err != nil || c != listed[0] {
		t.Errorf("unread %s, %v", c, err)
	}
	await(t, s, allStored)
	h.kill(t)
	want := append(slices.Clone(listed[:4]), card.Unread, card.Joker, card.Unread)
	if got := d.cards(); !slices.Equal(got, want) {
		t.Errorf("stored %v, want %v", got, want)
	}
	var code *wire.CardCodeError
	if !errors.As(errors.Join(h.host.faults...), &code) || code.Rank != 14 {
		t.Errorf("faults %v", h.host.faults)
	}
	if !slices.Equal(h.host.texts, []string{"hello"}) {
		t.Errorf("texts %q", h.host.texts)
	}
}

func TestMistakesOfTheHandAreRefused(t *testing.T) {
	s := startShoe(t, Options{Cards: []card.Card{card.Joker}})
	for name, err := range map[string]error{
		"a card that is not there": s.DrawCard(card.Of(2, card.Clubs)),
		"key 0":                    s.Key(0, true),
		"key 9":                    s.Key(9, true),
		"return to a shoe":         s.Return(card.Joker),
	} {
		if err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	if got := s.State(); got.Last != 0 || got.CardsLeft != 1 {
		t.Errorf("mistakes had effects: %+v", got)
	}
	if _, err := New(Options{Decks: -1}); err == nil {
		t.Error("a negative number of decks was accepted")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Draw(); !errors.Is(err, ErrClosed) {
		t.Errorf("drawing from a closed shoe: %v", err)
	}
	if err := s.Replug(); !errors.Is(err, ErrClosed) {
		t.Errorf("plugging in a closed shoe: %v", err)
	}
}

func TestTheLockedExitGivesNoCard(t *testing.T) {
	s := startShoe(t, Options{})
	var d disk
	h := startHost(t, s.Path(), &d, wire.Message{Type: wire.Lock, Locked: true})
	await(t, s, func(s State) bool { return s.Locks != 0 })
	if _, err := s.Draw(); !errors.Is(err, ErrLocked) {
		t.Errorf("drew from a locked shoe: %v", err)
	}
	h.kill(t)
}

func TestAShufflerTakesCardsBack(t *testing.T) {
	s := startShoe(t, Options{Decks: 1, Continuous: true})
	drawn := drawAll(t, s, 52)
	if _, err := s.Draw(); !errors.Is(err, ErrEmpty) {
		t.Errorf("drawing from an empty shuffler: %v", err)
	}
	if err := s.Return(drawn[:5]...); err != nil {
		t.Fatal(err)
	}
	again := drawAll(t, s, 5)
	slices.Sort(again)
	slices.Sort(drawn[:5])
	if !slices.Equal(again, drawn[:5]) {
		t.Errorf("returned %v, drew %v", drawn[:5], again)
	}
}

func TestThePortHasTheRequestedName(t *testing.T) {
	link := filepath.Join(t.TempDir(), "table7")
	s := startShoe(t, Options{Link: link})
	if s.Path() != link {
		t.Errorf("path %s", s.Path())
	}
	var d disk
	h := startHost(t, link, &d)
	await(t, s, inSession)
	h.kill(t)
	if _, err := New(Options{Link: filepath.Join(link, "below", "a", "file")}); err == nil {
		t.Error("a name that cannot be made was accepted")
	}
}

func TestAwaitEndsWithItsContextAndWithTheShoe(t *testing.T) {
	s := startShoe(t, Options{})
	never := func(State) bool { return false }
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Await(ctx, never); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Await(t.Context(), never); !errors.Is(err, ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}
