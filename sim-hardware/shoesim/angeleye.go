package shoesim

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/sabot-table/sabot/shoe/card"
)

// AngelEye is an Angel Eye.
const AngelEye Kind = "angel-eye"

func init() {
	start := func(s *Shoe) firmware { return newAngelEye(s.options.AngelEye) }
	simulators[AngelEye] = simulator{start: start, troubles: slices.Sorted(maps.Keys(angelEyeTroubles))}
}

// AngelEyeOptions are what nobody knows for certain about an Angel Eye.
type AngelEyeOptions struct {
	// FromOne numbers reports from 1 to 9 instead of 0 to 9.
	FromOne bool
	// CopyEvery is the time between two copies; 0 for what one takes at 4800 baud.
	CopyEvery time.Duration
	// Mixed sends the copies of reports that wait at the same time in turn, instead of one report after the other.
	Mixed bool
}

const (
	// copies is how many times a report is sent, and copyEvery the usual time between two of them.
	copies    = 3
	copyEvery = 20 * time.Millisecond
	// gameCards is the number of cards after which the shoe considers a game of baccarat ended.
	gameCards = 6
)

// angelEye reports what the public programs read from an Angel Eye, and obeys their commands.
type angelEye struct {
	options AngelEyeOptions
	number  int       // of the next report
	waiting []waiting // reports of which copies are to be sent, in order
	dueAt   time.Duration
	answers []byte
	heard   []byte // of an incomplete command
	cards   int    // in this game
	isOff   bool   // locked
}

// waiting is a report and how many of its copies are to be sent.
type waiting struct {
	frame []byte
	left  int
}

func newAngelEye(o AngelEyeOptions) *angelEye {
	f := &angelEye{options: o}
	f.report('S')
	f.report('P')
	return f
}

var angelEyeTroubles = map[Trouble]byte{
	CannotRead: 1, Overdraw: 2, ReversePull: 4, ForeignCard: 6,
}

// report queues the three copies of a report.
func (f *angelEye) report(data ...byte) {
	number := '0' + byte(f.number%10)
	if f.options.FromOne {
		number = '1' + byte(f.number%9)
	}
	p := append([]byte{0x05, number}, data...)
	p = append(p, 0x03)
	p = fmt.Appendf(p, "%02X", sum(p[1:]))
	f.number++
	f.waiting = append(f.waiting, waiting{p, copies})
}

// Report sends a report of the caller's choice, under its next number. Only an Angel Eye has reports.
func (s *Shoe) Report(data ...byte) error {
	return s.do(func(time.Duration) error {
		f, is := s.firmware.(*angelEye)
		if !is {
			return fmt.Errorf("a report: %w", ErrNoSuch)
		}
		f.report(data...)
		return nil
	})
}

func (f *angelEye) Step(now time.Duration, in, out []byte) []byte {
	for _, b := range in {
		f.hear(b)
	}
	out = append(out, f.answers...)
	f.answers = f.answers[:0]
	if f.dueAt > now {
		return out
	}
	if len(f.waiting) > 0 {
		out = append(out, f.next()...)
		f.dueAt = now + cmp.Or(f.options.CopyEvery, copyEvery)
	}
	return out
}

// next takes the next copy.
func (f *angelEye) next() []byte {
	w := f.waiting[0]
	w.left--
	switch {
	case w.left == 0:
		f.waiting = f.waiting[1:]
	case f.options.Mixed:
		f.waiting = append(f.waiting[1:], w)
	default:
		f.waiting[0] = w
	}
	return w.frame
}

func (f *angelEye) Wake() time.Duration {
	if len(f.waiting) == 0 {
		return never
	}
	return f.dueAt
}

// card gives the card to the player and the banker of baccarat in turn.
func (f *angelEye) card(_ time.Duration, c card.Card) {
	target := byte(f.cards%2)<<4 | byte(f.cards/2+1)
	f.report('D', 0x80|target, face(c))
	if f.cards++; f.cards == gameCards {
		f.cards = 0
		f.report('G', 0x91)
		f.report('P')
	}
}

var angelEyeSuits = map[card.Suit]byte{card.Diamonds: 1, card.Clubs: 2, card.Spades: 3, card.Hearts: 4}

func face(c card.Card) byte {
	if !c.Ranked() {
		return 0x80
	}
	return 0x80 | angelEyeSuits[c.Suit()]<<4 | byte(c.Rank())
}

func (f *angelEye) cutCard(time.Duration) { f.report('C') }

func (f *angelEye) trouble(_ time.Duration, t Trouble, raised bool) {
	if raised {
		f.report('E', 0xC0|angelEyeTroubles[t])
		return
	}
	f.report('e', 0x80|angelEyeTroubles[t])
}

func (f *angelEye) locked() string {
	if f.isOff {
		return "by command"
	}
	return ""
}

func (f *angelEye) sending() (n int) {
	for _, w := range f.waiting {
		n += w.left
	}
	return n
}

// frame ends with the checksum after ETX.
func (f *angelEye) frame(p []byte) int {
	if end := bytes.IndexByte(p, 0x03); end >= 0 && p[0] == 0x05 {
		return end + 3
	}
	return 1
}

// commandLength is that of every command: STX, OP, type, data, ETX and checksum.
const commandLength = 10

// hear processes one byte of a command.
func (f *angelEye) hear(b byte) {
	if b == 0x02 {
		f.heard = f.heard[:0]
	}
	if f.heard = append(f.heard, b); len(f.heard) < commandLength {
		return
	}
	code := f.obey(f.heard)
	f.heard = f.heard[:0]
	if code == 0 {
		f.answers = append(f.answers, 0x06)
		return
	}
	f.answers = append(f.answers, 0x15, code)
}

// obey executes a command, or returns why not.
func (f *angelEye) obey(p []byte) (refused byte) {
	if p[7] != 0x03 {
		return 0x03
	}
	if fmt.Sprintf("%02X", sum(p[:8])) != string(p[8:]) {
		return 0x02
	}
	switch string(p[1:7]) {
	case "OPLK01", "OPLK02":
		f.isOff = p[6] == '2'
		f.report('L', 0x80|p[6]-'1')
	case "OPGP00":
	default:
		if string(p[1:5]) != "OPEC" {
			return 0x13
		}
		f.report('e', 0x80|(p[5]-'0')*10+p[6]-'0')
	}
	return 0
}

func sum(p []byte) (x byte) {
	for _, b := range p {
		x ^= b
	}
	return x
}
