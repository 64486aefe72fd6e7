//go:build gpiosim

package gpio_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sabot-table/sabot/device/gpio"
	"github.com/sabot-table/sabot/device/keys"
	"github.com/sabot-table/sabot/internal/testkit/board/guest"
)

// The table's chip, and one of which the kernel itself has lines.
var table, shared *guest.Chip

// The lines of the table's chip.
const (
	card, rest, nameless, sensor, lamp, lock = 0, 1, 2, 3, 4, 5
)

// lampVariable makes this program hold the lamp until it is killed.
const lampVariable = "GPIOSIM_HOLD_LAMP"

func TestMain(m *testing.M) {
	if os.Getenv(lampVariable) != "" {
		holdLamp()
	}
	var err error
	if table, err = guest.UsualKernel.New("table", "sim-table",
		[]string{"CARD", "REST", "", "SENSOR", "LAMP", ""}); err == nil {
		shared, err = guest.UsualKernel.New("shared", "sim-shared", []string{"FREE", "WIRE", "SELECT", "NAMELESS"},
			guest.Held{Line: 1, By: "onewire@0"}, guest.Held{Line: 2, By: "spi0 CS0"})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	if err := errors.Join(table.Close(), shared.Close()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

func parse(t *testing.T, read func(string) (gpio.Line, error), texts ...string) []gpio.Line {
	t.Helper()
	var parsed []gpio.Line
	for _, text := range texts {
		l, err := read(text)
		if err != nil {
			t.Fatal(err)
		}
		l.Use = text
		parsed = append(parsed, l)
	}
	return parsed
}

func open(t *testing.T, inputs []string, outputs ...string) *gpio.Board {
	t.Helper()
	b, err := gpio.Open(parse(t, gpio.ParseInput, inputs...), parse(t, gpio.ParseOutput, outputs...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// missing returns the one reason why lines are missing, nil if none is.
func missing(t *testing.T, b *gpio.Board) (contacts []int, why error) {
	t.Helper()
	list, _ := b.Missing()
	switch len(list) {
	case 0:
		return nil, nil
	case 1:
		return list[0].Contacts, list[0].Err
	}
	t.Fatalf("missing are %v", list)
	return nil, nil
}

func pull(t *testing.T, line int, up bool) {
	t.Helper()
	if err := table.Pull(line, up); err != nil {
		t.Fatal(err)
	}
}

// edges waits until there are n.
func edges(t *testing.T, b *gpio.Board, n int) []keys.Edge {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var all []keys.Edge
	for len(all) < n && ctx.Err() == nil {
		got, _, err := b.Wait(ctx, keys.Never)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, got...)
	}
	if len(all) != n {
		t.Fatalf("%d edges came, not %d: %v", len(all), n, all)
	}
	return all
}

// Contacts to ground, to the supply, by name, by number and without a name: the edges
// come with the kernel's times, and in their order.
func TestKernelEdges(t *testing.T) {
	b := open(t, []string{"CARD", "sim-table:1 active-high", table.Name() + ":2"})
	if contacts, why := missing(t, b); why != nil {
		t.Fatal(contacts, why)
	}
	closed, before, err := b.Closed()
	if err != nil || slices.Contains(closed, true) {
		t.Fatalf("closed are %v, %v", closed, err)
	}
	pull(t, nameless, false)
	pull(t, card, false)
	pull(t, rest, true)
	pull(t, card, true)
	got := edges(t, b, 4)
	_, after, err := b.Closed()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []keys.Edge{{Key: 2, Closed: true}, {Key: 0, Closed: true}, {Key: 1, Closed: true}, {Key: 0}} {
		is := got[i]
		if is.Key != want.Key || is.Closed != want.Closed || is.Lost || is.At <= before || is.At >= after {
			t.Errorf("edge %d is %+v, want %+v between %v and %v", i, is, want, before, after)
		}
		before = is.At
	}
}

// watched are the contacts CARD and REST as a table has them, with this time for a long press of CARD. Their events
// come from the channel.
func watched(t *testing.T, long time.Duration) <-chan keys.Event {
	t.Helper()
	b := open(t, []string{"CARD", "REST"})
	f := keys.New(keys.Settings{
		Contacts: []keys.Contact{{Call: true, Long: true}, {Call: true}},
		Debounce: keys.UsualDebounce, Long: long, Window: keys.UsualWindow, Stuck: time.Hour,
	})
	ctx, stop := context.WithCancel(t.Context())
	told, begun, ended := make(chan keys.Event, 16), make(chan struct{}), make(chan error)
	go func() {
		ended <- keys.Watch(ctx, begins{b, begun}, f, func(e keys.Event, _ time.Duration) { told <- e })
	}()
	<-begun
	t.Cleanup(func() {
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	return told
}

func tells(t *testing.T, told <-chan keys.Event, kind keys.Kind, key int) {
	t.Helper()
	select {
	case e := <-told:
		if e.Kind != kind || e.Key != key {
			t.Fatalf("got %+v, want %s of %d", e, kind, key)
		}
	case <-time.After(time.Minute):
		t.Fatalf("no %s of %d", kind, key)
	}
}

// hold is longer than the debounce time. It does no harm if it becomes longer on a busy machine.
const hold = 60 * time.Millisecond

// Presses, through the filter and in the kernel's time.
func TestKernelPresses(t *testing.T) {
	told := watched(t, time.Hour)
	for range 3 {
		for key, line := range []int{card, rest} {
			pull(t, line, false)
			time.Sleep(hold) // the kernel's chips keep the kernel's time
			pull(t, line, true)
			tells(t, told, keys.Short, key)
			time.Sleep(keys.UsualWindow) // of the kernel's time, so that the next press begins
		}
	}
}

func TestKernelLongPress(t *testing.T) {
	told := watched(t, 2*hold)
	pull(t, card, false)
	tells(t, told, keys.Long, 0)
	pull(t, card, true)
}

// begins reports when the contacts are being watched.
type begins struct {
	*gpio.Board
	begun chan struct{}
}

func (b begins) Closed() (closed []bool, now time.Duration, err error) {
	defer close(b.begun)
	return b.Board.Closed()
}

// A contact that is closed when the line is requested. The resistor is the board's: a pull of the chip would undo the
// simulator's.
func TestKernelHeldAtTheStart(t *testing.T) {
	pull(t, sensor, true)
	b := open(t, []string{"SENSOR active-high pull-none"})
	if closed, _, err := b.Closed(); err != nil || !closed[0] {
		t.Errorf("closed are %v, %v", closed, err)
	}
}

// More edges than the kernel keeps while nothing reads them: this is noticed, and the last one is the line's true
// state.
func TestKernelLostEdges(t *testing.T) {
	b := open(t, []string{"CARD"})
	for range 30 {
		pull(t, card, false)
		pull(t, card, true)
	}
	pull(t, card, false)
	got, _, err := b.Wait(t.Context(), keys.Never)
	if err != nil || len(got) == 0 {
		t.Fatalf("%d edges, %v", len(got), err)
	}
	lost := slices.ContainsFunc(got, func(e keys.Edge) bool { return e.Lost })
	if last := got[len(got)-1]; !lost || !last.Closed || len(got) >= 61 {
		t.Errorf("%d edges, some lost: %t, the last %+v", len(got), lost, last)
	}
	pull(t, card, true)
}

func high(t *testing.T, line int) bool {
	t.Helper()
	is, err := table.High(line)
	if err != nil {
		t.Fatal(err)
	}
	return is
}

// Outputs are off when they are requested, follow Set, and are off at the end.
func TestKernelOutputs(t *testing.T) {
	b, err := gpio.Open(nil, parse(t, gpio.ParseOutput, "LAMP", "sim-table:5 active-low"))
	if err != nil {
		t.Fatal(err)
	}
	states := [][2]bool{{high(t, lamp), high(t, lock)}}
	for _, on := range []bool{true, false, true} {
		for i := range 2 {
			if err := b.Set(i, on); err != nil {
				t.Fatal(err)
			}
		}
		states = append(states, [2]bool{high(t, lamp), high(t, lock)})
	}
	if want := [][2]bool{{false, true}, {true, false}, {false, true}, {true, false}}; !slices.Equal(states, want) {
		t.Errorf("the lines were %v, want %v", states, want)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if high(t, lamp) {
		t.Error("the lamp is lit after the end")
	}
}

// doom makes a chip whose contact and lamp a test loses.
func doom(t *testing.T) *guest.Chip {
	t.Helper()
	c, err := guest.UsualKernel.New("doomed", "sim-doomed", []string{"DOOMED", "GLOW"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// deviceOf is what a chip is a part of, as the kernel names it.
func deviceOf(t *testing.T, c *guest.Chip) string {
	t.Helper()
	is, err := gpio.ReadChip("/dev/" + c.Name())
	if err != nil {
		t.Fatal(err)
	}
	return is.Device
}

// next waits for one edge.
func next(t *testing.T, b *gpio.Board) keys.Edge {
	t.Helper()
	return edges(t, b, 1)[0]
}

// However a chip is named, it is lost and comes back under another number: its contact is gone, and found as it is; its
// lamp is what it was set to meanwhile; and another chip, which may have its number now, is left alone.
func TestKernelComesBackUnderAnotherNumber(t *testing.T) {
	for _, by := range []string{"name", "label", "device", "number"} {
		t.Run(by, func(t *testing.T) {
			doomed := doom(t)
			was := doomed.Name()
			chip := map[string]string{"label": "sim-doomed", "device": deviceOf(t, doomed), "number": was}[by]
			contact, glow := chip+":0 active-high pull-none", chip+":1"
			if by == "name" {
				contact, glow = "DOOMED active-high pull-none", "GLOW"
			}
			b := open(t, []string{contact, "CARD"}, glow)
			if err := doomed.Vanish(); err != nil {
				t.Fatal(err)
			}
			if e := next(t, b); !e.Gone || e.Key != 0 {
				t.Fatalf("after the loss came %+v", e)
			}
			contacts, why := missing(t, b)
			if !slices.Equal(contacts, []int{0}) || !errors.Is(why, gpio.ErrGone) {
				t.Errorf("missing are %v: %v", contacts, why)
			}
			t.Log(why)
			other, err := guest.UsualKernel.New("other", "sim-other", []string{"", ""})
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			// Kernels before 6.5 do not give away the number of a chip that was in use.
			t.Logf("it was %s, and the other chip is %s", was, other.Name())
			if err := b.Set(0, true); err != nil {
				t.Error(err)
			}
			pull(t, card, false)
			if e := next(t, b); e.Key != 1 || !e.Closed {
				t.Errorf("the other chip's contact gives %+v", e)
			}
			pull(t, card, true)
			next(t, b)
			if err := errors.Join(doomed.Appear(), doomed.Pull(0, true)); err != nil {
				t.Fatal(err)
			}
			if doomed.Name() == was {
				t.Fatalf("it is %s again", was)
			}
			if e := next(t, b); !e.Back || e.Key != 0 || !e.Closed {
				t.Errorf("it came back as %+v", e)
			}
			if glows, err := doomed.High(1); !glows || err != nil {
				t.Errorf("the lamp is lit: %t, %v", glows, err)
			}
			if contacts, why := missing(t, b); why != nil {
				t.Errorf("still missing are %v: %v", contacts, why)
			}
			if err := doomed.Pull(0, false); err != nil {
				t.Fatal(err)
			}
			if e := next(t, b); e.Key != 0 || e.Closed || e.Lost {
				t.Errorf("the first edge is %+v", e)
			}
			for i := range 2 {
				if high, err := other.High(i); high || err != nil {
					t.Errorf("line %d of the other chip is high: %t, %v", i, high, err)
				}
			}
		})
	}
}

// A chip that comes after the start.
func TestKernelComesLate(t *testing.T) {
	b := open(t, []string{"DOOMED active-high pull-none"}, "GLOW")
	if _, why := missing(t, b); !errors.Is(why, gpio.ErrNoLine) {
		t.Errorf("missing: %v", why)
	}
	if err := b.Set(0, true); err != nil {
		t.Error(err)
	}
	doomed := doom(t)
	if e := next(t, b); !e.Back || e.Closed {
		t.Errorf("it came as %+v", e)
	}
	if glows, err := doomed.High(1); !glows || err != nil {
		t.Errorf("the lamp is lit: %t, %v", glows, err)
	}
}

// Lines that the kernel has are named with who has them; the others of the chip work.
func TestKernelHoldsLines(t *testing.T) {
	b := open(t, []string{"FREE", "WIRE", "SELECT"})
	list, _ := b.Missing()
	for i, says := range []string{
		"open WIRE (WIRE): GPIO line busy: onewire@0 (the kernel's 1-Wire) has it: remove dtoverlay=w1-gpio",
		"open SELECT (SELECT): GPIO line busy: spi0 CS0 (the kernel's SPI) has it: `sudo raspi-config nonint do_spi 1`",
	} {
		if i >= len(list) || !slices.Equal(list[i].Contacts, []int{i + 1}) || !errors.Is(list[i].Err, gpio.ErrBusy) ||
			!strings.HasPrefix(list[i].Err.Error(), says) {
			t.Errorf("missing are %v, want %s", list, says)
		}
	}
	if err := shared.Pull(0, false); err != nil {
		t.Fatal(err)
	}
	if e := next(t, b); e.Key != 0 || !e.Closed {
		t.Errorf("the free line gives %+v", e)
	}
	if err := shared.Pull(0, true); err != nil {
		t.Fatal(err)
	}
}

// What a killed program leaves behind depends on the driver: this logs what the simulator does.
func TestKernelKilled(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), lampVariable+"=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(time.Minute)
	for !high(t, lamp) {
		if time.Now().After(deadline) {
			t.Fatal("the other program does not light the lamp")
		}
	}
	waiting := open(t, nil, "LAMP")
	if _, why := missing(t, waiting); !errors.Is(why, gpio.ErrBusy) ||
		!strings.Contains(why.Error(), fmt.Sprintf("@%d has it", cmd.Process.Pid)) {
		t.Errorf("a line that another program has: %v", why)
	} else {
		t.Log(why)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	t.Logf("after a kill, the lamp's line is high: %t", high(t, lamp))
	_, changed := waiting.Missing()
	for {
		if _, _, err := waiting.Wait(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		if _, why := missing(t, waiting); why == nil {
			break
		}
	}
	<-changed
	if high(t, lamp) {
		t.Error("the lamp is lit after the line was taken")
	}
}

func holdLamp() {
	l, err := gpio.ParseOutput("LAMP")
	if err == nil {
		var b *gpio.Board
		if b, err = gpio.Open(nil, []gpio.Line{l}); err == nil {
			err = b.Set(0, true)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for {
		_ = unix.Pause() // until it is killed
	}
}

// The time from a contact to this program, for the record.
func TestKernelLatency(t *testing.T) {
	b := open(t, []string{"CARD"})
	var times []time.Duration
	for i := range 200 {
		pull(t, card, i%2 == 1)
		e := edges(t, b, 1)[0]
		_, now, err := b.Closed()
		if err != nil {
			t.Fatal(err)
		}
		times = append(times, now-e.At)
	}
	slices.Sort(times)
	t.Logf("from the edge's time to its reading: median %v, 99th of 100 %v, slowest %v", times[100], times[198],
		times[199])
}
