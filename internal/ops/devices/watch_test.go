package devices

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/testkit/devicetest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/shoe/makes"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// seenTerminal is what a technician has seen.
type seenTerminal struct {
	mu      sync.Mutex
	text    bytes.Buffer
	changed chan struct{}
}

func newTerminal() *seenTerminal { return &seenTerminal{changed: make(chan struct{}, 1)} }

func (t *seenTerminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case t.changed <- struct{}{}:
	default:
	}
	return t.text.Write(p)
}

func (t *seenTerminal) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}

// shows waits until a line that matches the pattern was seen this many times.
func (t *seenTerminal) shows(tb testing.TB, pattern string, times int) {
	tb.Helper()
	line := regexp.MustCompile("(?m)^" + pattern)
	timeout := time.After(processes.Deadline)
	for len(line.FindAllString(t.String(), -1)) < times {
		select {
		case <-t.changed:
		case <-timeout:
			tb.Fatalf("waited in vain for %d lines like %q in\n%s", times, pattern, t)
		}
	}
}

const clock = `\d\d:\d\d:\d\d\.\d{3}  `

// TestWatchShoe: bytes, frames and cards of a simulated shoe, through unplugging. The
// shoe keeps every card.
func TestWatchShoe(t *testing.T) {
	shoe, err := shoesim.New(shoesim.Options{Cards: []card.Card{card.Of(1, card.Spades), card.Unread, card.Joker}})
	if err != nil {
		t.Fatal(err)
	}
	defer shoe.Close()
	c := config.Default()
	c.Shoe.Port = shoe.Path()
	out, ctx, stop := newTerminal(), t.Context(), context.CancelFunc(nil)
	ctx, stop = context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- Watch(ctx, c, out, true) }()

	out.shows(t, clock+`shoe  EVENT  up SIM-1`, 1)
	out.shows(t, clock+`shoe  >      ([0-9a-f]{2} +)+\|`, 1)
	out.shows(t, clock+`shoe  <      ([0-9a-f]{2} +)+\|`, 1)
	out.shows(t, clock+`shoe  frame  > host-hello protocol=`, 1)
	out.shows(t, clock+`shoe  frame  < heartbeat boot=`, 1)
	draw(t, shoe)
	out.shows(t, clock+`shoe  frame  < card boot=\d+ seq=1 `, 1)
	out.shows(t, clock+`shoe  EVENT  card AS, number [0-9a-f]{8}/1$`, 1)
	draw(t, shoe)
	out.shows(t, clock+`shoe  EVENT  card \?\?, number [0-9a-f]{8}/2$`, 1)
	if err := shoe.Unplug(); err != nil {
		t.Fatal(err)
	}
	out.shows(t, clock+`shoe  EVENT  down: .*the port is gone`, 1)
	if err := shoe.Replug(); err != nil {
		t.Fatal(err)
	}
	out.shows(t, clock+`shoe  EVENT  up SIM-1`, 2)
	draw(t, shoe)
	out.shows(t, clock+`shoe  EVENT  card JOKER, number [0-9a-f]{8}/3$`, 1)
	if s := shoe.State(); s.Queued != 3 {
		t.Errorf("the shoe keeps %d cards, want 3", s.Queued)
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("the watch ended with %v", err)
	}
}

// TestWatchShoeWithHistory: what a table has stored before is not missing from a watch.
func TestWatchShoeWithHistory(t *testing.T) {
	sim, err := shoesim.New(shoesim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer sim.Close()
	for range 3 {
		draw(t, sim)
	}
	c := config.Default()
	c.Shoe.Port = sim.Path()
	m, open, err := c.Shoe.Open()
	if err != nil {
		t.Fatal(err)
	}
	table := m.New(shoe.Options{Open: open, Log: slog.New(slog.DiscardHandler)})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- table.Run(ctx, func(e shoe.Event) { table.Stored(e.Position) }) }()
	if _, err := sim.Await(t.Context(), func(s shoesim.State) bool {
		return s.Last == 3 && s.Queued == 0
	}); err != nil {
		t.Fatal(err)
	}
	stop()
	<-ended

	ctx, stop = context.WithCancel(t.Context())
	out := newTerminal()
	go func() { ended <- Watch(ctx, c, out, false) }()
	out.shows(t, clock+`shoe  EVENT  up SIM-1`, 1)
	draw(t, sim)
	out.shows(t, clock+`shoe  EVENT  card .*, number [0-9a-f]{8}/4$`, 1)
	stop()
	if err := <-ended; err != nil || strings.Contains(out.String(), "gap") || strings.Contains(out.String(), "lost") {
		t.Errorf("the watch of a healthy shoe ended with %v after\n%s", err, out)
	}
}

// TestWatchShoeWithKey: the watch has the table's key.
func TestWatchShoeWithKey(t *testing.T) {
	key := wire.Secret{1, 2, 3}
	sim, err := shoesim.New(shoesim.Options{Key: &key})
	if err != nil {
		t.Fatal(err)
	}
	defer sim.Close()
	c := config.Default()
	c.Shoe.Port, c.Shoe.KeyFile = sim.Path(), filepath.Join(t.TempDir(), "shoe-key")
	if err := os.WriteFile(c.Shoe.KeyFile, []byte(hex.EncodeToString(key[:])+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	out, ended := newTerminal(), make(chan error, 1)
	go func() { ended <- Watch(ctx, c, out, false) }()
	out.shows(t, clock+`shoe  EVENT  up SIM-1`, 1)
	stop()
	if err := <-ended; err != nil {
		t.Errorf("the watch ended with %v", err)
	}
	if _, err := watchShoe(config.Shoe{Driver: "sabot", Port: sim.Path(), KeyFile: c.Shoe.KeyFile +
		".missing"}); err == nil {
		t.Error("a shoe whose key cannot be read can be watched")
	}
}

func draw(t *testing.T, shoe *shoesim.Shoe) {
	t.Helper()
	if _, err := shoe.Draw(); err != nil {
		t.Fatal(err)
	}
}

// TestWatchAnotherMake: the watch names the shoe that is on the line in place of the configured one.
func TestWatchAnotherMake(t *testing.T) {
	sim, err := shoesim.New(shoesim.Options{Kind: shoesim.AngelEye})
	if err != nil {
		t.Fatal(err)
	}
	defer sim.Close()
	c := config.Default()
	c.Shoe.Port = sim.Path()
	ctx, stop := context.WithCancel(t.Context())
	out, ended := newTerminal(), make(chan error, 1)
	go func() { ended <- Watch(ctx, c, out, false) }()
	out.shows(t, clock+`shoe  says   port .* is open`, 1)
	for range 5 {
		draw(t, sim)
	}
	out.shows(t, clock+`shoe  EVENT  down: .*this looks like another make of shoe: set shoe.driver: angel-eye`, 1)
	stop()
	if err := <-ended; err != nil {
		t.Errorf("the watch ended with %v", err)
	}
}

// TestWatchWithoutBytes shows only what the bytes mean.
func TestWatchWithoutBytes(t *testing.T) {
	shoe, err := shoesim.New(shoesim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer shoe.Close()
	c := config.Default()
	c.Shoe.Port = shoe.Path()
	ctx, stop := context.WithCancel(t.Context())
	out, ended := newTerminal(), make(chan error, 1)
	go func() { ended <- Watch(ctx, c, out, false) }()
	out.shows(t, clock+`shoe  EVENT  up SIM-1`, 1)
	draw(t, shoe)
	out.shows(t, clock+`shoe  EVENT  card `, 1)
	stop()
	if err := <-ended; err != nil || regexp.MustCompile(`(?m)`+clock+`shoe  (<|>|frame)`).MatchString(out.String()) {
		t.Errorf("the watch ended with %v after\n%s", err, out)
	}
}

// TestWatchParts: any part can join in; its reports are also on the character display, and
// its failure ends the watch.
func TestWatchParts(t *testing.T) {
	c := config.Default().LCD
	c.Bus = "/dev/i2c-1"
	display := devicetest.NewDisplay(uint16(c.Address), 1)
	show := newShow(c)
	show.open = func() (i2c.BusCloser, error) { return display, nil }
	broken := errors.New("the board is gone")
	seen := make(chan struct{})
	keys := func(_ context.Context, tell teller) error {
		for i := range 4 {
			tell("keys", frame, fmt.Sprintf("GPIO5 closed %d", i))
			tell("keys", event, fmt.Sprintf("card pressed %d", i))
		}
		<-seen
		return broken
	}
	out, ended := newTerminal(), make(chan error, 1)
	go func() {
		ended <- watch(t.Context(), []watched{keys, show.run}, &printer{out: out, bytes: true, now: time.Now}, show)
	}()
	out.shows(t, clock+`keys  frame  GPIO5 closed 3`, 1)
	out.shows(t, clock+`keys  EVENT  card pressed 3`, 1)
	out.shows(t, clock+`lcd   says   level=INFO msg="the character display is ready"`, 1)
	wantRows(t, display, "SABOT WATCH ♠♥♦♣äöü…", "2 card pressed 1", "3 card pressed 2", "4 card pressed 3")
	close(seen)
	if err := <-ended; !errors.Is(err, broken) {
		t.Errorf("the watch ended with %v", err)
	}
	wantRows(t, display, "WATCH ENDED", "", "", "")
}

func wantRows(t *testing.T, display *devicetest.Display, want ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), processes.Deadline)
	defer cancel()
	err := display.Await(ctx, func(rows [4]string, _ bool) bool {
		for i, row := range rows {
			if strings.TrimRight(row, " ") != want[i] {
				return false
			}
		}
		return true
	})
	if err != nil {
		t.Error(err)
	}
}

// TestWatchNobodyReads: closing the terminal ends the watch, with the reason.
func TestWatchNobodyReads(t *testing.T) {
	tells := func(ctx context.Context, tell teller) error {
		tell("keys", event, "pressed")
		<-ctx.Done()
		return ctx.Err()
	}
	for writes := range 2 {
		p := &printer{out: &closing{left: writes}, now: time.Now}
		if err := watch(t.Context(), []watched{tells}, p, newShow(config.LCD{})); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("after %d writes the watch ended with %v", writes, err)
		}
	}
}

// closing is a terminal that is closed after some writes.
type closing struct{ left int }

func (c *closing) Write(p []byte) (int, error) {
	if c.left == 0 {
		return 0, io.ErrClosedPipe
	}
	c.left--
	return len(p), nil
}

// TestWatchedShoes: every driver that a configuration may name can be watched at its usual
// speed.
func TestWatchedShoes(t *testing.T) {
	for _, name := range makes.Names() {
		if _, err := watchShoe(config.Shoe{Driver: name, Port: "/dev/ttyS0"}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWatchUnknownShoe: an unknown driver cannot be watched.
func TestWatchUnknownShoe(t *testing.T) {
	for _, s := range []config.Shoe{
		{Driver: "other", Port: "/dev/ttyS0", Baud: 9600},
		{Driver: "sabot", Port: "nowhere", Baud: 9600},
		{Driver: "sabot", Port: "/dev/ttyS0", Baud: -1},
	} {
		if _, err := watchShoe(s); err == nil {
			t.Errorf("%+v can be watched", s)
		}
	}
}
