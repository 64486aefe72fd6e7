//go:build gpiosim

package gpiosim_test

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

	"github.com/sabot-table/sabot/device/gpio"
	"github.com/sabot-table/sabot/device/keys"
	"github.com/sabot-table/sabot/sim-hardware/gpiosim"
)

// The table's chip, and one that a test removes. They are made before any test, since the library looks for chips only
// once.
var table, doomed *gpiosim.Chip

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
	if table, err = gpiosim.Usual.New("table", "sim-table", []string{"CARD", "REST", "", "SENSOR", "LAMP", ""}); err == nil {
		doomed, err = gpiosim.Usual.New("doomed", "sim-doomed", []string{"DOOMED"})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	if err := errors.Join(table.Close(), doomed.Close()); err != nil {
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
		if err := b.Close(); err != nil && !errors.Is(err, gpio.ErrGone) {
			t.Error(err)
		}
	})
	return b
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
func TestEdges(t *testing.T) {
	b := open(t, []string{"CARD", "sim-table:1 active-high", table.Name() + ":2"})
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
func TestPresses(t *testing.T) {
	told := watched(t, time.Hour)
	for range 3 {
		for key, line := range []int{card, rest} {
			pull(t, line, false)
			time.Sleep(hold)
			pull(t, line, true)
			tells(t, told, keys.Short, key)
			time.Sleep(keys.UsualWindow)
		}
	}
}

func TestLongPress(t *testing.T) {
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
func TestHeldAtTheStart(t *testing.T) {
	pull(t, sensor, true)
	b := open(t, []string{"SENSOR active-high pull-none"})
	if closed, _, err := b.Closed(); err != nil || !closed[0] {
		t.Errorf("closed are %v, %v", closed, err)
	}
}

// More edges than the kernel keeps while nothing reads them: this is noticed, and the last one is the line's true
// state.
func TestLostEdges(t *testing.T) {
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
func TestOutputs(t *testing.T) {
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

// Waiting for a vanished chip's edges and setting its outputs both report the loss.
func TestVanishes(t *testing.T) {
	b := open(t, []string{"DOOMED pull-none"})
	waited := make(chan error)
	go func() {
		for {
			if _, _, err := b.Wait(t.Context(), keys.Never); err != nil {
				waited <- err
				return
			}
		}
	}()
	if err := doomed.Vanish(); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-waited:
		if !errors.Is(err, gpio.ErrGone) || !strings.Contains(err.Error(), "DOOMED") {
			t.Errorf("the wait ended with %v", err)
		}
		t.Log(err)
	case <-time.After(time.Minute):
		t.Fatal("the chip is gone, but nothing reported it")
	}
}

// What a killed program leaves behind depends on the driver: this logs what the simulator does.
func TestKilled(t *testing.T) {
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
	if _, err := gpio.Open(nil, parse(t, gpio.ParseOutput, "LAMP")); !errors.Is(err, gpio.ErrBusy) {
		t.Errorf("a line that another program has: %v", err)
	} else {
		t.Log(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	t.Logf("after a kill, the lamp's line is high: %t", high(t, lamp))
	open(t, nil, "LAMP")
	if high(t, lamp) {
		t.Error("the lamp is lit after the next start")
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
		time.Sleep(time.Hour)
	}
}

// The time from a contact to this program, for the record.
func TestLatency(t *testing.T) {
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
	t.Logf("from the edge's time to its reading: median %v, 99th of 100 %v, slowest %v", times[100], times[198], times[199])
}
