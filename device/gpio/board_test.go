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
	dead     error // why its level cannot be read
	lies     bool  // it gives a level nevertheless
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
	l.pull, l.edge, l.number, l.closed = pull, edge, 0, false
	var err error
	l.from, l.to, err = os.Pipe()
	return err
}

func (l *fakeLine) Out(level periph.Level) error {
	if l.refuses != nil {
		return l.refuses
	}
	l.outs, l.closed = append(l.outs, level), false
	return nil
}

func (l *fakeLine) high() (bool, error) {
	if l.lies {
		return bool(l.level), nil
	}
	return bool(l.level), l.dead
}

func (l *fakeLine) descriptor() int { return int(l.from.Fd()) }

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

// fakeKernel has chips that a test adds and removes.
type fakeKernel struct {
	list  []Chip
	err   error
	lines map[string][]*fakeLine // by the chip's label
}

func (k *fakeKernel) chips() ([]Chip, error) { return slices.Clone(k.list), k.err }

func (k *fakeKernel) line(c Chip, number int) line { return k.lines[c.Label][number] }

func (k *fakeKernel) there(_ Chip, l line) error { return l.(*fakeLine).dead }

// add adds a chip under a number.
func (k *fakeKernel) add(name string, c Chip) {
	c.Name = name
	k.list = append(k.list, c)
}

// remove removes a chip: its lines are dead, and the next reads say so.
func (k *fakeKernel) remove(t *testing.T, label string) {
	t.Helper()
	k.list = slices.DeleteFunc(k.list, func(c Chip) bool { return c.Label == label })
	for _, l := range k.lines[label] {
		l.dead = syscall.ENODEV
		if l.to != nil && !l.closed {
			l.to.Close()
		}
	}
}

// revive makes the lines of a chip new ones.
func (k *fakeKernel) revive(label string) {
	for i := range k.lines[label] {
		k.lines[label][i].dead = nil
	}
}

func newKernel(t *testing.T, chips ...Chip) *fakeKernel {
	k := &fakeKernel{lines: map[string][]*fakeLine{}}
	for _, c := range chips {
		k.list = append(k.list, c)
		for range c.Lines {
			k.lines[c.Label] = append(k.lines[c.Label], &fakeLine{t: t})
		}
	}
	return k
}

func lines(t *testing.T, read func(string) (Line, error), texts []string) (parsed []Line) {
	t.Helper()
	for _, text := range texts {
		l, err := read(text)
		if err != nil {
			t.Fatal(err)
		}
		l.Use = "the " + text
		parsed = append(parsed, l)
	}
	return parsed
}

func openOn(t *testing.T, k *fakeKernel, inputs, outputs []string) *Board {
	t.Helper()
	b, err := open(lines(t, ParseInput, inputs), lines(t, ParseOutput, outputs), k)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// bench opens lines of the pi's first chip, from line 0 on.
func bench(t *testing.T, inputs, outputs []string) (*Board, []*fakeLine) {
	t.Helper()
	k := newKernel(t, pi[0])
	b := openOn(t, k, inputs, outputs)
	if missing, _ := b.Missing(); len(missing) > 0 {
		t.Fatal(missing)
	}
	return b, k.lines[pi[0].Label]
}

// misses checks which lines are missing, and why.
func misses(t *testing.T, b *Board, contacts, outputs []int, why error, says string) {
	t.Helper()
	missing, _ := b.Missing()
	if len(missing) != 1 || !slices.Equal(missing[0].Contacts, contacts) ||
		!slices.Equal(missing[0].Outputs, outputs) ||
		!errors.Is(missing[0].Err, why) || !strings.Contains(missing[0].Err.Error(), says) {
		t.Errorf("missing are %v, want the contacts %v and the outputs %v, %v: %s", missing, contacts,
			outputs, why, says)
	}
}

// later has a board turn at a later time, and returns what it reports.
func later(t *testing.T, b *Board) []keys.Edge {
	t.Helper()
	now, err := monotonic()
	if err != nil {
		t.Fatal(err)
	}
	b.sought = now - again
	b.turn(now, now)
	return slices.Clone(b.edges)
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
		{Key: 0, Closed: true, At: 100},
		{Key: 2, Closed: true, At: 200},
		{Key: 1, Closed: true, At: 300},
		{Key: 0, At: 400},
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

// A vanished chip is reported after what was read before, and its contacts are open; those of another work on.
func TestChipVanishes(t *testing.T) {
	k := newKernel(t, pi[0], pi[1])
	b := openOn(t, k, []string{"gpiochip0:0", "gpiochip1:0", "OUT3"}, []string{"gpiochip1:1"})
	card, rest := k.lines["pinctrl-bcm2711"][0], k.lines["mcp23017"][0]
	rest.happens(1, false)
	k.remove(t, "mcp23017")
	edges, _, err := b.Wait(t.Context(), keys.Never)
	if len(edges) != 3 || edges[0] != (keys.Edge{Key: 1, Closed: true, At: 1}) || !edges[1].Gone || !edges[2].Gone ||
		err != nil {
		t.Errorf("got %v, %v", edges, err)
	}
	misses(t, b, []int{1, 2}, []int{0}, ErrGone,
		"read the gpiochip1:0 (gpiochip1:0), the OUT3 (OUT3), the gpiochip1:1 (gpiochip1:1): the GPIO chip is gone")
	card.happens(2, false)
	if edges, _, err := b.Wait(t.Context(), keys.Never); len(edges) != 1 ||
		edges[0] != (keys.Edge{Key: 0, Closed: true, At: 2}) || err != nil {
		t.Errorf("the other chip's edges are %v, %v", edges, err)
	}
	if err := b.Set(0, true); err != nil {
		t.Error(err)
	}
	misses(t, b, []int{1, 2}, []int{0}, ErrGone, "gone")
}

// A chip that comes back under another number is found again, however its lines are named, and another chip that has
// its number is left alone. Its outputs are what they were set to meanwhile.
func TestComesBackUnderAnotherNumber(t *testing.T) {
	expander := Chip{Label: "mcp23017", Device: "1-0020", Lines: []Info{{}, {}, {}, {Name: "OUT3"}}}
	for _, named := range []string{"gpiochip1:", "mcp23017:", "1-0020:"} {
		k := newKernel(t, pi[0])
		k.add("gpiochip1", expander)
		for range expander.Lines {
			k.lines["mcp23017"] = append(k.lines["mcp23017"], &fakeLine{t: t, level: periph.High})
		}
		b := openOn(t, k, []string{named + "0", "gpiochip0:0", named + "2"}, []string{"OUT3"})
		k.remove(t, "mcp23017")
		if edges := later(t, b); len(edges) != 2 || !edges[0].Gone || !edges[1].Gone {
			t.Fatalf("%s: after the loss %v", named, edges)
		}
		if err := b.Set(0, true); err != nil {
			t.Error(err)
		}
		// Another chip takes its number, and has as many lines.
		k.add("gpiochip1", Chip{Label: "other", Device: "1-0021", Lines: make([]Info, 4)})
		k.lines["other"] = []*fakeLine{{t: t}, {t: t}, {t: t}, {t: t}}
		if edges := later(t, b); len(edges) != 0 {
			t.Errorf("%s: %v of another chip", named, edges)
		}
		k.list = slices.DeleteFunc(k.list, func(c Chip) bool { return c.Label == "other" })
		k.add("gpiochip7", expander)
		k.revive("mcp23017")
		k.lines["mcp23017"][2].level = periph.Low
		edges := later(t, b)
		if len(edges) != 2 || !edges[0].Back || edges[0].Closed || !edges[1].Back || !edges[1].Closed {
			t.Errorf("%s: back are %v", named, edges)
		}
		if missing, _ := b.Missing(); len(missing) > 0 {
			t.Errorf("%s: missing are still %v", named, missing)
		}
		if outs := k.lines["mcp23017"][3].outs; !slices.Equal(outs, []periph.Level{false, true}) {
			t.Errorf("%s: the output was %v", named, outs)
		}
		k.lines["mcp23017"][0].happens(1<<40, false)
		if edges := later(t, b); len(edges) != 1 || edges[0].Key != 0 || !edges[0].Closed || edges[0].Lost {
			t.Errorf("%s: the first edge is %v", named, edges)
		}
	}
}

// The number of a lost chip is not its name: another chip that takes it has other lines.
func TestAnotherChipHasTheNumber(t *testing.T) {
	k := newKernel(t, Chip{Name: "gpiochip0", Label: "mcp23017", Device: "1-0020", Lines: make([]Info, 2)})
	b := openOn(t, k, []string{"gpiochip0:1"}, nil)
	k.remove(t, "mcp23017")
	later(t, b)
	k.add("gpiochip0", Chip{Label: "mcp23017", Device: "1-0021", Lines: make([]Info, 2)})
	k.revive("mcp23017")
	if edges := later(t, b); len(edges) > 0 {
		t.Errorf("the contact is back: %v", edges)
	}
	misses(t, b, []int{0}, nil, ErrGone, "gone")
}

// A chip that comes after the start is used from then on.
func TestLateChip(t *testing.T) {
	k := newKernel(t)
	k.err = noChip(chipPaths, nil)
	b := openOn(t, k, []string{"GPIO2"}, []string{"GPIO3"})
	misses(t, b, []int{0}, []int{0}, ErrNoChip, "this machine has no GPIO")
	if closed, _, err := b.Closed(); closed[0] || err != nil {
		t.Errorf("a missing contact is closed: %v, %v", closed, err)
	}
	if err := b.Set(0, true); err != nil {
		t.Error(err)
	}
	_, changed := b.Missing()
	*k = *newKernel(t, pi[0])
	edges := later(t, b)
	if want := (keys.Edge{Key: 0, Back: true, Closed: true}); len(edges) != 1 || edges[0].Back != want.Back ||
		edges[0].Closed != want.Closed {
		t.Errorf("found are %v", edges)
	}
	select {
	case <-changed:
	default:
		t.Error("nobody is told that the lines are there")
	}
	if outs := k.lines[pi[0].Label][3].outs; !slices.Equal(outs, []periph.Level{true}) {
		t.Errorf("the output was %v", outs)
	}
}

// A chip that is there but no longer answers, as an expander without power, is gone since it last answered: a contact
// that closed since then is not known to be held.
func TestSilentChip(t *testing.T) {
	b, lines := bench(t, []string{"gpiochip0:0"}, nil)
	now, err := monotonic()
	if err != nil {
		t.Fatal(err)
	}
	lines[0].happens(now, false)
	if edges, _, err := b.Wait(t.Context(), keys.Never); len(edges) != 1 || err != nil {
		t.Fatalf("%v, %v", edges, err)
	}
	_, proved, _ := b.Closed()
	lines[0].dead = noReply
	edges, at, err := b.Wait(t.Context(), proved+20*time.Millisecond)
	if len(edges) != 1 || !edges[0].Gone || edges[0].At > proved || at < proved || err != nil {
		t.Errorf("the loss is %v at %v, which worked at %v; %v", edges, at, proved, err)
	}
	lines[0].dead = nil
	if edges := later(t, b); len(edges) != 1 || !edges[0].Back || !edges[0].Closed {
		t.Errorf("back is %v", edges)
	}
}

// An expander that does not answer reads as low, which is closed: it is missing until it answers, and its key switch is
// off.
func TestExpanderThatDoesNotAnswer(t *testing.T) {
	k := newKernel(t, pi[1])
	k.lines["mcp23017"][0].dead, k.lines["mcp23017"][3].dead = noReply, noReply
	k.lines["mcp23017"][0].lies = true
	b := openOn(t, k, []string{"mcp23017:0"}, []string{"OUT3"})
	misses(t, b, []int{0}, []int{0}, ErrGone, noReply.Error())
	if closed, _, err := b.Closed(); closed[0] || err != nil {
		t.Errorf("a contact that cannot be read is closed: %v, %v", closed, err)
	}
	if edges := later(t, b); len(edges) > 0 {
		t.Errorf("it says %v", edges)
	}
	k.revive("mcp23017")
	k.lines["mcp23017"][0].level = periph.High
	if edges := later(t, b); len(edges) != 1 || !edges[0].Back || edges[0].Closed {
		t.Errorf("back is %v", edges)
	}
	// Its driver would leave what it takes for an output as it is.
	if out := k.lines["mcp23017"][3]; out.from == nil || len(out.outs) == 0 {
		t.Error("the output was not made an input first")
	}
}

func TestBus(t *testing.T) {
	for _, c := range []struct {
		device, path string
		address      int
		ok           bool
	}{
		{"1-0020", "/dev/i2c-1", 0x20, true},
		{"11-0027", "/dev/i2c-11", 0x27, true},
		{"gpio-sim.0", "", 0, false},
		{"1-1.2", "", 0, false},
		{"fe200000.gpio", "", 0, false},
	} {
		if path, address, ok := (Chip{Device: c.device}).Bus(); path != c.path || address != c.address || ok != c.ok {
			t.Errorf("%s is at %q, %#x, %t", c.device, path, address, ok)
		}
	}
}

func TestClosedAtTheStart(t *testing.T) {
	b, lines := bench(t, []string{"gpiochip0:0", "gpiochip0:1 active-high", "gpiochip0:2"}, nil)
	lines[1].level, lines[2].level = periph.High, periph.High
	closed, now, err := b.Closed()
	if want := []bool{true, true, false}; !slices.Equal(closed, want) || now == 0 || err != nil {
		t.Errorf("closed are %v at %v, %v", closed, now, err)
	}
	lines[0].dead = noReply
	if closed, _, err := b.Closed(); closed[0] || err != nil {
		t.Errorf("a contact that cannot be read is closed: %v, %v", closed, err)
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
	for i, l := range lines[:3] {
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

// A line that is not available is reported, with who has it; the others work.
func TestRefused(t *testing.T) {
	busy := errors.New("line_request ioctl: " + syscall.EBUSY.Error())
	for _, c := range []struct {
		err  error
		user string
		line string
		is   error
		want string
	}{
		{
			busy, "onewire@0", "gpiochip0:1", ErrBusy,
			"onewire@0 (the kernel's 1-Wire) has it: remove dtoverlay=w1-gpio from /boot/firmware/config.txt",
		},
		{busy, "w1", "gpiochip0:1", ErrBusy, "w1 (the kernel's 1-Wire) has it"},
		{
			busy, "spi0 CS0", "gpiochip0:1", ErrBusy,
			"spi0 CS0 (the kernel's SPI) has it: `sudo raspi-config nonint do_spi 1`",
		},
		{
			busy, "sabotd@812", "gpiochip0:1", ErrBusy,
			"sabotd@812 (a table's daemon) has it: one set of lines belongs to one table: `ps -fp 812` shows " +
				"which it is",
		},
		{busy, "blink@7", "gpiochip0:1", ErrBusy, "blink@7 has it: stop that program"},
		{busy, "", "gpiochip0:1", ErrBusy, "the kernel has it: use another line"},
		{errors.New(syscall.EOPNOTSUPP.Error()), "", "gpiochip0:1", nil, "write pull-none, and fit a resistor"},
		{errors.New(syscall.EINVAL.Error()), "", "gpiochip0:1 pull-none", nil, listHint},
		{errors.New(syscall.ENODEV.Error()), "", "gpiochip0:1", ErrGone, "the GPIO chip is gone"},
		{errors.New(noReply.Error()), "", "gpiochip0:1", ErrGone, "remote I/O error"},
		{errors.New("odd"), "", "gpiochip0:1", nil, "odd"},
	} {
		chip := pi[0]
		chip.Lines = slices.Clone(chip.Lines)
		chip.Lines[1].Used, chip.Lines[1].User = c.user != "", c.user
		k := newKernel(t, chip)
		k.lines[chip.Label][1].refuses = c.err
		b := openOn(t, k, []string{"gpiochip0:0", c.line}, []string{"gpiochip0:2"})
		why := c.is
		if why == nil {
			missing, _ := b.Missing()
			why = missing[0].Err
		}
		misses(t, b, []int{1}, nil, why, c.want)
		k.lines[chip.Label][1].refuses = nil
		if edges := later(t, b); len(edges) != 1 || edges[0].Key != 1 || !edges[0].Back {
			t.Errorf("once it is free: %v", edges)
		}
	}
}

// A line named in two ways is one contact, and the second use is missing.
func TestTwice(t *testing.T) {
	b := openOn(t, newKernel(t, pi[0]), []string{"GPIO4", "pinctrl-bcm2711:4"}, nil)
	misses(t, b, []int{1}, nil, ErrTwice,
		"open the pinctrl-bcm2711:4 (pinctrl-bcm2711:4): the GPIO line is used twice: it is the same line as the "+
			"GPIO4 (GPIO4): give each a line of its own")
}

// Where some chips may not be opened, that is why a line is not found.
func TestUnreadChips(t *testing.T) {
	k := newKernel(t, pi[0])
	k.err = noChip("/dev/gpiochip1", os.ErrPermission)
	b := openOn(t, k, []string{"OUT3"}, nil)
	misses(t, b, []int{0}, nil, ErrNoChip, "sudo usermod -aG gpio USER")
}
