// Package devicetest is what a table is wired to, in software: a character display on its bus, and whole machines as
// the kernel shows them.
package devicetest

import (
	"fmt"
	"time"
)

// The data sheet's times: for the power to settle, and for instructions.
const (
	settling   = 40 * time.Millisecond
	firstEight = 4100 * time.Microsecond
	nextEight  = 100 * time.Microsecond
	slow       = 1520 * time.Microsecond
	quick      = 37 * time.Microsecond
)

// controller is the HD44780: it takes halves of bytes and checks their timing.
type controller struct {
	eight    bool // takes eight bits, of which four are not connected
	waiting  bool // for the lower half of a byte
	upper    byte
	rows     int
	on       bool
	forward  bool
	moves    bool // the display shifts with each character written
	shift    int
	address  int
	glyphs   bool // the address is in the glyphs' memory
	ram      [128]byte
	glyphRAM [64]byte
	// eights counts the instructions for eight bits in a row since power-on.
	eights int
	ready  time.Time
	did    []string
	faults []string
}

// powered is a controller at power-on: the contents of its memory are undefined.
func powered(now time.Time, garbage func() byte) controller {
	c := controller{eight: true, rows: 1, forward: true, ready: now.Add(settling)}
	for i := range c.ram {
		c.ram[i] = garbage()
	}
	for i := range c.glyphRAM {
		c.glyphRAM[i] = garbage()
	}
	return c
}

// take is called when E falls.
func (c *controller) take(now time.Time, half byte, data bool) {
	if wait := c.ready.Sub(now); wait > 0 {
		c.faults = append(c.faults, fmt.Sprintf("%v too early after: %s", wait, c.last()))
	}
	switch {
	case c.eight:
		// The four lines that are not connected are pulled up.
		c.execute(now, half<<4|0x0F, data)
	case c.waiting:
		c.waiting = false
		c.execute(now, c.upper<<4|half, data)
	default:
		c.waiting, c.upper = true, half
	}
}

func (c *controller) last() string {
	if len(c.did) == 0 {
		return "power"
	}
	return c.did[len(c.did)-1]
}

func (c *controller) execute(now time.Time, b byte, data bool) {
	what, takes := "", quick
	if data {
		what = c.store(b)
	} else {
		what, takes = c.instruct(b)
	}
	c.did = append(c.did, what)
	c.ready = now.Add(takes)
}

func (c *controller) store(b byte) string {
	if c.glyphs {
		c.glyphRAM[c.address&0x3F] = b & 0x1F
		c.address++
		return fmt.Sprintf("glyph row %05b", b&0x1F)
	}
	c.ram[c.address&0x7F] = b
	c.move()
	if c.moves {
		c.shift++
	}
	return fmt.Sprintf("character %#02x", b)
}

// move goes to the next place: the two rows of forty follow each other.
func (c *controller) move() {
	if !c.forward {
		c.address--
		return
	}
	switch c.address++; c.address {
	case 0x28:
		c.address = 0x40
	case 0x68:
		c.address = 0x00
	}
}

func (c *controller) instruct(b byte) (what string, takes time.Duration) {
	switch {
	case b&0x80 != 0:
		c.address, c.glyphs = int(b&0x7F), false
		return fmt.Sprintf("position %#02x", b&0x7F), quick
	case b&0x40 != 0:
		c.address, c.glyphs = int(b&0x3F), true
		return fmt.Sprintf("glyphs from %d", b&0x3F), quick
	case b&0x20 != 0:
		return c.function(b)
	case b&0x10 != 0:
		if b&0x08 != 0 {
			c.shift++
		}
		return "shift", quick
	case b&0x08 != 0:
		c.on = b&0x04 != 0
		return fmt.Sprintf("display on=%t cursor=%t blinking=%t", c.on, b&0x02 != 0, b&0x01 != 0), quick
	case b&0x04 != 0:
		c.forward, c.moves = b&0x02 != 0, b&0x01 != 0
		return fmt.Sprintf("entry forward=%t moves=%t", c.forward, c.moves), quick
	case b&0x02 != 0:
		c.home()
		return "home", slow
	case b&0x01 != 0:
		c.home()
		c.forward = true
		for i := range c.ram {
			c.ram[i] = ' '
		}
		return "clear", slow
	}
	return "nothing", quick
}

func (c *controller) home() { c.address, c.shift, c.glyphs = 0, 0, false }

func (c *controller) function(b byte) (what string, takes time.Duration) {
	c.eight, c.rows = b&0x10 != 0, 1
	if b&0x08 != 0 {
		c.rows = 2
	}
	if !c.eight {
		return fmt.Sprintf("function bits=4 rows=%d tall=%t", c.rows, b&0x04 != 0), quick
	}
	c.eights++
	takes = quick
	switch c.eights {
	case 1:
		takes = firstEight
	case 2:
		takes = nextEight
	}
	return "function bits=8", takes
}
