// Package hd44780 drives a character display of 20 columns and 4 rows: an HD44780 or one of its many clones, connected
// through a PCF8574 on I2C and wired as on the usual backpack (P0 RS, P1 R/W, P2 E, P3 backlight, P4 to P7 D4 to D7).
//
// Instructions and times are from [Hitachi's data sheet] of the HD44780U,
// ADE-207-272(Z): table 6 and, for the start, the initialisation by instruction of figure
// 24. That all pins of a PCF8574 are high after power-on is from Texas Instruments'
// [SCPS068]. The bus itself provides the time between two instructions of one transfer: a byte on I2C takes 90 µs at
// the usual 100 kHz, and there are two between any two instructions, which take 37 µs.
//
// [Hitachi's data sheet]: https://www.sparkfun.com/datasheets/LCD/HD44780.pdf
// [SCPS068]: https://www.ti.com/lit/ds/symlink/pcf8574.pdf
package hd44780

import (
	"errors"
	"time"

	"periph.io/x/conn/v3/i2c"
)

// The display's size.
const (
	Columns = 20
	Rows    = 4
)

// Lines are what the display shows, one per row, of characters that Shows accepts. What is longer than a row is cut
// off.
type Lines [Rows]string

// ErrRestarted: the display answers, but has lost power since it was started.
var ErrRestarted = errors.New("the display was without power for a moment")

// The expander's lines.
const (
	registerSelect = 1 << iota
	readNotWrite
	enable
	light
)

// The instructions, with the only settings used.
const (
	clearDisplay   = 0x01
	returnHome     = 0x02
	leftToRight    = 0x06
	displayOff     = 0x08
	displayOn      = 0x0C // neither cursor nor blinking
	fourBits       = 0x20
	fourBitsTwoRow = 0x28 // four rows are two long ones, folded
	eightBits      = 0x30
	setGlyphs      = 0x40
	setPosition    = 0x80
)

// How long the display needs, with a margin for one whose clock is slow.
const (
	powerUp  = 50 * time.Millisecond  // sheet: 40 ms from 2.7 V on
	firstTry = 5 * time.Millisecond   // sheet: 4.1 ms
	nextTry  = 200 * time.Microsecond // sheet: 100 µs
	clearing = 3 * time.Millisecond   // sheet: 1.52 ms at 270 kHz
)

// rowAt is where in the display's memory each row begins.
var rowAt = [Rows]byte{0x00, 0x40, 0x14, 0x54}

// unknown stands for unknown contents of the display. It is not the code of a character.
const unknown = 0xFF

// Chip is a started display. After an error of any of its methods its contents are unknown: start it again. It is not
// safe for concurrent use.
type Chip struct {
	bus     i2c.Bus
	address uint16
	light   byte
	shown   [Rows][Columns]byte
	out     []byte
}

// Start brings a display into a known state, whatever state it was in, and clears it.
func Start(bus i2c.Bus, address uint16, backlight bool) (*Chip, error) {
	c := &Chip{bus: bus, address: address}
	if backlight {
		c.light = light
	}
	// An expander just switched on has all lines high: E falls while R/W still says read, so that nothing is taken for
	// an instruction.
	if err := c.send(registerSelect|readNotWrite|c.light, c.light); err != nil {
		return nil, err
	}
	time.Sleep(powerUp)
	if err := c.align(); err != nil {
		return nil, err
	}
	if err := c.instruct(displayOff, clearDisplay, leftToRight); err != nil {
		return nil, err
	}
	c.suppose(' ')
	if err := c.glyphs(); err != nil {
		return nil, err
	}
	return c, c.instruct(displayOn)
}

// align sets four bits and two rows. The first half of "eight bits", sent three times, is understood whether the
// display takes eight bits, four, or is waiting for the second half of something.
func (c *Chip) align() error {
	for _, wait := range []time.Duration{firstTry, nextTry, nextTry} {
		if err := c.half(eightBits); err != nil {
			return err
		}
		time.Sleep(wait)
	}
	if err := c.half(fourBits); err != nil {
		return err
	}
	return c.instruct(fourBitsTwoRow)
}

// Refresh repairs what a disturbance on the wires may have done, without a flicker.
// The next Write writes everything.
func (c *Chip) Refresh() error {
	c.suppose(unknown)
	if err := c.align(); err != nil {
		return err
	}
	if err := c.instruct(returnHome, leftToRight, displayOn); err != nil {
		return err
	}
	return c.glyphs()
}

// Check asks whether the display is still there, and still in the state that Start left: an expander that lost power
// has all lines high, including E and R/W, which are low between any two instructions.
func (c *Chip) Check() error {
	var lines [1]byte
	if err := c.bus.Tx(c.address, nil, lines[:]); err != nil {
		return err
	}
	if lines[0]&(enable|readNotWrite) != 0 {
		return ErrRestarted
	}
	return nil
}

// Write shows lines. Only the differences from what is shown go over the bus.
func (c *Chip) Write(lines Lines) error {
	for row, line := range lines {
		want := encode(line)
		for from, to := range changes(&c.shown[row], &want) {
			if err := c.write(rowAt[row]+byte(from), want[from:to]); err != nil {
				return err
			}
		}
		c.shown[row] = want
	}
	return nil
}

// changes yields where two rows differ. What lies between two differences is included if it is no longer than the
// instruction that would skip it.
func changes(old, fresh *[Columns]byte) func(yield func(from, to int) bool) {
	return func(yield func(from, to int) bool) {
		for from := 0; from < Columns; from++ {
			if old[from] == fresh[from] {
				continue
			}
			to := from + 1
			for at := to; at < min(to+2, Columns); at++ {
				if old[at] != fresh[at] {
					to = at + 1
				}
			}
			if !yield(from, to) {
				return
			}
			from = to
		}
	}
}

func (c *Chip) write(at byte, codes []byte) error {
	c.out = c.out[:0]
	c.putByte(setPosition|at, 0)
	for _, code := range codes {
		c.putByte(code, registerSelect)
	}
	return c.send(c.out...)
}

// glyphs writes the characters that the display does not have itself.
func (c *Chip) glyphs() error {
	c.out = c.out[:0]
	c.putByte(setGlyphs, 0)
	for _, g := range ownGlyphs {
		for _, row := range g.rows {
			c.putByte(row, registerSelect)
		}
	}
	return c.send(c.out...)
}

// suppose assumes that the display shows the same code everywhere.
func (c *Chip) suppose(code byte) {
	for row := range c.shown {
		for column := range c.shown[row] {
			c.shown[row][column] = code
		}
	}
}

// instruct sends instructions and gives the display time for each.
func (c *Chip) instruct(codes ...byte) error {
	for _, code := range codes {
		c.out = c.out[:0]
		c.putByte(code, 0)
		if err := c.send(c.out...); err != nil {
			return err
		}
		if code == clearDisplay || code == returnHome {
			time.Sleep(clearing)
		}
	}
	return nil
}

// half sends the upper half of an instruction alone.
func (c *Chip) half(code byte) error {
	b := code&0xF0 | c.light
	return c.send(b, b|enable, b)
}

// putByte adds what the bus must carry for one byte: RS changes before E, and the two halves, the upper first, are
// taken where E falls.
func (c *Chip) putByte(b, register byte) {
	upper, lower := b&0xF0|register|c.light, b<<4|register|c.light
	c.out = append(c.out, upper, upper|enable, upper, lower|enable, lower)
}

func (c *Chip) send(b ...byte) error { return c.bus.Tx(c.address, b, nil) }
