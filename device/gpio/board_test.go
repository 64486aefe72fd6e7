package gpio

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	periph "periph.io/x/conn/v3/gpio"

	"github.com/sabot-table/sabot/device/keys"
)

// fakeLine is a line whose kernel is this test: the records of its edges come through
// a pipe.
type fakeLine struct {
	t        *testing.T
	refuses  error
	level    periph.Level
	pull     periph.Pull
	edge     periph.Edge
	from, to *os.File
	number   uint32
	outs     []periph.Level
	closed   bool
}

func (l *fakeLine) In(pull periph.Pull, edge periph.Edge) error {
	if l.refuses != nil {
		return l.refuses
	}
	l.pull, l.edge = pull, edge
	var err error
	l.from, l.to, err = os.Pipe()
	return err
}

func (l *fakeLine) Out(level periph.Level) error {
	if l.refuses != nil {
		return l.refuses
	}
	l.outs = append(l.outs, level)
	return nil
}

func (l *fakeLine) Read() periph.Level       { return l.level }
func (l *fakeLine) descriptor() (int, error) { return int(l.from.Fd()), nil }

func (l *fakeLine) Close() {
	l.closed = true
	if l.from != nil {
		l.from.Close()
		l.to.Close()
	}
}

// record is how the kernel writes an edge of a line that changes to a level.
func (l *fakeLine) record(at time.Duration, high bool) []byte {
	l.number++
	record := make([]byte, eventSize)
	binary.NativeEndian.PutUint64(record[eventTime:], uint64(at))
	id := uint32(2)
	if high {
		id = 1
	}
	binary.NativeEndian.PutUint32(record[eventID:], id)
	binary.NativeEndian.PutUint32(record[eventNumber:], l.number)
	return record
}

func (l *fakeLine) happens(at time.Duration, high bool) {
	l.t.Helper()
	if _, err := l.to.Write(l.record(at, high)); err != nil {
		l.t.Fatal(err)
	}
}

// bench opens lines of the pi's first chip, from line 0 on.
func bench(t *testing.T, inputs, outputs []string) (*Board, []*fakeLine) {
	t.Helper()
	lines := make([]*fakeLine, len(inputs)+len(outputs))
	for i := range lines {
		lines[i] = &fakeLine{t: t}
	}
	b, err := openFakes(inputs, outputs, lines)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.release)
	return b, lines
}

func openFakes(inputs, outputs []string, lines []*fakeLine) (*Board, error) {
	parse := func(texts []string, read func(string) (Line, error)) (parsed []Line) {
		for _, text := range texts {
			l, err := read(text)
			if err != nil {
				panic(err)
			}
			l.Use = "the " + text
			parsed = append(parsed, l)
		}
		return parsed
	}
	return open(pi, parse(inputs, ParseInput), parse(outputs, ParseOutput), func(at place) line { return lines[at.number] })
}

func TestWaitReadsEdges(t *testing.T) {
	b, lines := bench(t, []string{"gpiochip0:0", "gpiochip0:1 active-high", "gpiochip0:2 active-high pull-none"}, nil)
	for i, want := range []periph.Pull{periph.PullUp, periph.PullDown, periph.PullNoChange} {
		if lines[i].pull != want || lines[i].edge != periph.BothEdges {
			t.Errorf("line %d has the pull %v and tells %v", i, lines[i].pull, lines[i].edge)
		}
	}
	lines[0].happens(100, false)
	lines[0].happens(400, true)
	lines[1].happens(300, true)
	lines[2].happens(200, true)
	want := []keys.Edge{
		{Key: 0, Closed: true, At: 100}, {Key: 2, Closed: true, At: 200}, {Key: 1, Closed: true, At: 300}, {Key: 0, At: 400},
	}
	edges, now, err := b.Wait(t.Context(), keys.Never)
	if !slices.Equal(edges, want) || now == 0 || err != nil {
		t.Errorf("got %v at %v, %v\nwant %v", edges, now, err, want)
	}
}

// More edges come than the kernel keeps.
func TestLostEdges(t *testing.T) {
	b, lines := bench(t, []string{"gpiochip0:0"}, nil)
	for at := range 20 {
		lines[0].happens(time.Duration(at), at%2 == 0)
	}
	lines[0].number += 3
	lines[0].happens(30, false)
	lines[0].happens(31, true)
	edges, _, err := b.Wait(t.Context(), keys.Never)
	if err != nil || len(edges) != 22 {
		t.Fatalf("%d edges, %v", len(edges), err)
	}
	for i, e := range edges {
		if e.Lost != (i == 20) {
			t.Errorf("edge %d: lost before it %t", i, e.Lost)
		}
	}
}

// A wait ends with its deadline, with its context, and with an edge.
func TestWaitEnds(t *testing.T) {
	b, lines := bench(t, []string{"gpiochip0:0"}, nil)
	_, now, err := b.Closed()
	if err != nil {
		t.Fatal(err)
	}
	until := now + 20*time.Millisecond
	if edges, now, err := b.Wait(t.Context(), until); len(edges) != 0 || now < until || err != nil {
		t.Errorf("waiting until %v gave %v at %v, %v", until, edges, now, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if edges, _, err := b.Wait(ended, keys.Never); len(edges) != 0 || err != nil {
		t.Errorf("an ended wait gave %v, %v", edges, err)
	}
	waited := make(chan []keys.Edge)
	go func() {
		edges, _, _ := b.Wait(t.Context(), keys.Never)
		waited <- edges
	}()
	lines[0].happens(1, false)
	if edges := <-waited; len(edges) != 1 {
		t.Errorf("the edge is %v", edges)
	}
}

// A vanished chip is reported, after what was read before.
func TestChipVanishes(t *testing.T) {
	b, lines := bench(t, []string{"gpiochip0:0", "gpiochip0:1"}, nil)
	lines[0].happens(1, false)
	lines[1].to.Close()
	edges, _, err := b.Wait(t.Context(), keys.Never)
	if len(edges) != 1 || !errors.Is(err, ErrGone) {
		t.Errorf("got %v, %v", edges, err)
	}
	const want = "read the gpiochip0:1 (gpiochip0:1): the GPIO chip is gone"
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := b.events.await(keys.Never); !errors.Is(err, ErrGone) {
		t.Errorf("waiting on a line that is gone: %v", err)
	}
}

func TestClosedAtTheStart(t *testing.T) {
	b, lines := bench(t, []string{"gpiochip0:0", "gpiochip0:1 active-high", "gpiochip0:2"}, nil)
	lines[1].level, lines[2].level = periph.High, periph.High
	closed, now, err := b.Closed()
	if want := []bool{true, true, false}; !slices.Equal(closed, want) || now == 0 || err != nil {
		t.Errorf("closed are %v at %v, %v", closed, now, err)
	}
}

// Outputs are off at the start and at the end, whichever level that is.
func TestOutputs(t *testing.T) {
	b, lines := bench(t, []string{"gpiochip0:0"}, []string{"gpiochip0:1", "gpiochip0:2 active-low"})
	for _, on := range []bool{true, false, true} {
		for i := range 2 {
			if err := b.Set(i, on); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	high := []periph.Level{false, true, false, true, false}
	low := []periph.Level{true, false, true, false, true}
	if !slices.Equal(lines[1].outs, high) || !slices.Equal(lines[2].outs, low) {
		t.Errorf("active high was set to %v, active low to %v", lines[1].outs, lines[2].outs)
	}
	for i, l := range lines {
		if !l.closed {
			t.Errorf("line %d was not released", i)
		}
	}
}

// Close reports what could not be switched off, but not that a chip is gone.
func TestCloseTells(t *testing.T) {
	for _, c := range []struct {
		err  error
		told bool
	}{{errors.New(syscall.ENODEV.Error()), false}, {errors.New(syscall.EIO.Error()), true}} {
		b, lines := bench(t, nil, []string{"gpiochip0:0"})
		lines[0].refuses = c.err
		if err := b.Close(); (err != nil) != c.told || !lines[0].closed {
			t.Errorf("after %v: %v", c.err, err)
		}
		if err := b.Close(); err != nil {
			t.Errorf("closed again: %v", err)
		}
	}
}

// A line that is not available is reported, and those already taken are released.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		err  error
		line string
		is   error
		want string
	}{
		{errors.New("line_request ioctl: " + syscall.EBUSY.Error()), "gpiochip0:1", ErrBusy, "`gpioinfo` shows which"},
		{errors.New(syscall.EOPNOTSUPP.Error()), "gpiochip0:1", nil, "write pull-none, and fit a resistor"},
		{errors.New(syscall.EINVAL.Error()), "gpiochip0:1 pull-none", nil, listHint},
		{errors.New(syscall.ENODEV.Error()), "gpiochip0:1", ErrGone, "the GPIO chip is gone"},
		{errors.New("odd"), "gpiochip0:1", nil, "odd"},
	} {
		lines := []*fakeLine{{t: t}, {t: t, refuses: c.err}, {t: t}}
		_, err := openFakes([]string{"gpiochip0:0", c.line}, []string{"gpiochip0:2"}, lines)
		if err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "the gpiochip0:1") {
			t.Errorf("%v gives %v", c.err, err)
		}
		if !lines[0].closed || len(lines[2].outs) > 0 {
			t.Errorf("after %v, line 0 was released: %t", c.err, lines[0].closed)
		}
	}
	refusing := &fakeLine{t: t, refuses: errors.New(syscall.EBUSY.Error())}
	if _, err := openFakes(nil, []string{"gpiochip0:0"}, []*fakeLine{refusing}); !errors.Is(err, ErrBusy) {
		t.Errorf("a busy output gives %v", err)
	}
}
