package sabot

import (
	"testing"
	"time"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
)

// cardsOfAShoe is a shoe that writes cards, with the driver that takes them.
type cardsOfAShoe struct {
	driver     *Driver
	seal       func(dst []byte, m wire.Message) []byte
	last       wire.Message
	frame, out []byte
	bytes      int // on the line, in both directions
}

// plainCards are a shoe's without a key.
func plainCards(tb testing.TB) *cardsOfAShoe {
	d := New(shoe.Options{})
	d.link.opened(time.Now())
	return newCards(tb, d, func(dst []byte, m wire.Message) []byte { return wire.AppendFrame(dst, m) })
}

// sealedCards are a shoe's that shares a key.
func sealedCards(tb testing.TB) *cardsOfAShoe {
	d := New(shoe.Options{Key: &tableKey})
	d.link.opened(time.Now())
	guard := wire.ShoeGuard(tableKey, 1)
	toShoe := wire.Decoder{Guard: guard}
	d.received(wire.AppendFrame(nil, guard.Answer(d.link.security.guard.Challenge().Session.Host)))
	toShoe.Feed(d.link.appendOutput(nil), func(wire.Message, error) {})
	return newCards(tb, d, guard.Append)
}

func newCards(tb testing.TB, d *Driver, seal func([]byte, wire.Message) []byte) *cardsOfAShoe {
	d.received(seal(nil, wire.Message{
		Type: wire.Hello, InSession: true, Boot: 7, First: 1, Protocol: 1, Text: wire.TextOf("B"),
	}))
	c := &cardsOfAShoe{driver: d, seal: seal, last: wire.Message{Type: wire.Card, Boot: 7, Rank: 9, Suit: wire.Hearts}}
	c.card(tb) // the first has the greeting with it
	c.bytes = 0
	return c
}

// card is one card from the line to the table, with its acknowledgement.
func (c *cardsOfAShoe) card(tb testing.TB) {
	c.last.Seq++
	c.frame = c.seal(c.frame[:0], c.last)
	c.driver.received(c.frame)
	for e, ok := c.driver.next(); ok; e, ok = c.driver.next() {
		c.driver.Stored(e.Position)
	}
	var err error
	if c.out, _, _, err = c.driver.step(c.out[:0]); err != nil {
		tb.Fatal(err)
	}
	c.bytes += len(c.frame) + len(c.out)
}

// arrived fails the test if the table does not have every card.
func (c *cardsOfAShoe) arrived(tb testing.TB) {
	tb.Helper()
	if got := c.driver.Stats().Events; got != uint64(c.last.Seq) {
		tb.Fatalf("%d of %d cards arrived", got, c.last.Seq)
	}
}
