// What follows is a character display in software: a bus of periph's on which a PCF8574 with an HD44780 answers.
// It interprets the bus as the chips' data sheets say, down to the half byte that is taken where E falls, and notes
// what a real display would not have understood.

package devicetest

import (
	"context"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"syscall"
	"time"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
)

// The expander's lines.
const (
	registerSelect = 1 << iota
	readNotWrite
	enable
	light
)

// onBus is how long a byte takes at 100 kHz, including its acknowledgement.
const onBus = 90 * time.Microsecond

// rowAt is where in the controller's memory each row of a 20 by 4 display begins.
var rowAt = [4]int{0x00, 0x40, 0x14, 0x54}

const columns = 20

// Display is the display and its bus. Its methods may be called from any goroutine.
type Display struct {
	address uint16
	random  *rand.Rand

	mu        sync.Mutex
	plugged   bool
	port      byte
	chip      controller
	transfers int
	bytes     int
	changed   chan struct{}
}

var _ i2c.BusCloser = (*Display)(nil)

// NewDisplay returns a display that has just been switched on. The seed decides what its
// memory holds at first.
func NewDisplay(address uint16, seed uint64) *Display {
	d := &Display{address: address, random: rand.New(rand.NewPCG(seed, 0)), changed: make(chan struct{})}
	d.Plug()
	return d
}

// Plug connects the display, which powers it on.
func (d *Display) Plug() {
	d.mu.Lock()
	defer d.mu.Unlock()
	faults := d.chip.faults
	d.plugged, d.port = true, 0xFF
	d.chip = powered(time.Now(), func() byte { return byte(d.random.Uint32()) })
	d.chip.faults = faults
	d.announce()
}

// Unplug disconnects it.
func (d *Display) Unplug() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.plugged = false
	d.announce()
}

// Disturb is a spark near the wires: the controller takes half a byte that was never sent, and puts what follows
// together wrongly.
func (d *Display) Disturb(half byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	faults := d.chip.faults
	d.chip.take(time.Now(), half&0x0F, false)
	d.chip.faults = faults
	d.announce()
}

// Tx transfers bytes. Without power nothing answers.
func (d *Display) Tx(address uint16, w, r []byte) error {
	took, err := d.transfer(address, w, r)
	time.Sleep(took)
	return err
}

func (d *Display) transfer(address uint16, w, r []byte) (took time.Duration, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if address != d.address || !d.plugged {
		return onBus, fmt.Errorf("address %#x: %w", address, syscall.EREMOTEIO)
	}
	begun := time.Now()
	for i, b := range w {
		d.set(begun.Add(time.Duration(i+1)*onBus), b)
	}
	for i := range r {
		r[i] = d.port
	}
	d.transfers++
	d.bytes += len(w) + len(r)
	d.announce()
	return time.Duration(1+len(w)+len(r)) * onBus, nil
}

// set sets the expander's lines.
func (d *Display) set(now time.Time, b byte) {
	old := d.port
	d.port = b
	const registers = registerSelect | readNotWrite
	switch {
	case old&enable == 0 && b&enable != 0 && (old^b)&registers != 0:
		d.fault("RS or R/W changes together with E: it must come before")
	case old&enable != 0 && b&enable == 0 && b&readNotWrite == 0:
		if (old^b)&^enable != 0 {
			d.fault("the lines change while E falls: they must hold")
		}
		d.chip.take(now, old>>4, old&registerSelect != 0)
	}
}

func (d *Display) fault(what string) { d.chip.faults = append(d.chip.faults, what) }

// announce wakes those waiting in Await. The lock is held.
func (d *Display) announce() {
	close(d.changed)
	d.changed = make(chan struct{})
}

// SetSpeed ignores the speed: there is only one.
func (d *Display) SetSpeed(physic.Frequency) error { return nil }

// Close does nothing.
func (d *Display) Close() error { return nil }

// String names the bus.
func (d *Display) String() string { return "simulated display" }

// Screen returns what a person sees: rows of 20 characters, and whether the light is on. An unknown character is ▒; all
// rows of a display that is off, or without power, are blank.
func (d *Display) Screen() (rows [4]string, lit bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.screen()
}

func (d *Display) screen() (rows [4]string, lit bool) {
	for row := range rows {
		var line strings.Builder
		for column := range columns {
			line.WriteRune(d.char(row, column))
		}
		rows[row] = line.String()
	}
	return rows, d.plugged && d.port&light != 0
}

func (d *Display) char(row, column int) rune {
	c := &d.chip
	switch {
	case !d.plugged, !c.on:
		return ' '
	case c.rows == 1 && row%2 == 1:
		return '▒' // a display that was not set to two rows has only one
	}
	start := rowAt[row] &^ 0x3F
	code := c.ram[start+(rowAt[row]-start+column+c.shift)%40]
	return c.shape(code)
}

// shape is how a code looks.
func (c *controller) shape(code byte) rune {
	switch {
	case code < 0x10:
		at := int(code&7) * 8
		if char, known := shapes[[8]byte(c.glyphRAM[at:at+8])]; known {
			return char
		}
		return '▒'
	case code == '\\':
		return '¥'
	case code >= ' ' && code <= '}':
		return rune(code)
	case code == 0x7E:
		return '→'
	}
	return '▒'
}

//go:embed glyphs.txt
var drawings string

// shapes are the characters drawn in glyphs.txt.
var shapes = readShapes(drawings)

func readShapes(text string) map[[8]byte]rune {
	known := make(map[[8]byte]rune)
	for block := range strings.SplitSeq(text, "\n\n") {
		lines := strings.Fields(block)
		if len(lines) != 9 {
			continue // the remark at the head
		}
		var rows [8]byte
		for i, line := range lines[1:] {
			for _, dot := range line {
				rows[i] <<= 1
				if dot == '#' {
					rows[i]++
				}
			}
		}
		known[rows] = []rune(lines[0])[0]
	}
	return known
}

// Await waits until the screen is as wanted.
func (d *Display) Await(ctx context.Context, wanted func(rows [4]string, lit bool) bool) error {
	for {
		d.mu.Lock()
		rows, lit := d.screen()
		changed := d.changed
		d.mu.Unlock()
		if wanted(rows, lit) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("the display did not become as wanted, it shows %q: %w", rows, ctx.Err())
		}
	}
}

// Faults returns what a real display would not have understood, since New.
func (d *Display) Faults() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.chip.faults
}

// Did returns what the controller did since the last call, one step a line.
func (d *Display) Did() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	did := d.chip.did
	d.chip.did = nil
	return did
}

// Traffic returns how many transfers the display took since the last call, and their
// bytes without the address.
func (d *Display) Traffic() (transfers, bytes int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	transfers, bytes = d.transfers, d.bytes
	d.transfers, d.bytes = 0, 0
	return transfers, bytes
}
