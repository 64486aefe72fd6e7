package sabot

import (
	"testing"
	"time"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
)

// TestCondition: the queue's length is the shoe's own, and known only while it answers. Of
// cards that could not be read, no confidence is counted, nor of a sensor that measures none.
func TestCondition(t *testing.T) {
	d := New(shoe.Options{})
	d.link.opened(time.Now())
	if c := d.Condition(); c.Queued != nil || c.Confidence != nil {
		t.Errorf("before a hello the condition is %+v", c)
	}
	send := func(m wire.Message) { d.received(wire.AppendFrame(nil, m)) }
	hello := wire.Message{
		Type: wire.Hello, InSession: true, Boot: 7, First: 1, Last: 3, Protocol: 1,
		Text: wire.TextOf("SB-1"),
	}
	send(hello)
	if c := d.Condition(); c.Queued == nil || *c.Queued != 3 {
		t.Errorf("the hello's queue is %v", c.Queued)
	}
	seq := uint32(0)
	read := func(rank wire.Rank, suit wire.Suit, confidence uint8) {
		seq++
		send(wire.Message{Type: wire.Card, Boot: 7, Seq: seq, Rank: rank, Suit: suit, Confidence: confidence})
		d.next()
	}
	for range 100 {
		read(9, wire.Hearts, 50) // all of these are forgotten
	}
	for range 98 {
		read(9, wire.Hearts, 99)
	}
	read(wire.RankUnread, wire.NoSuit, 10)
	read(9, wire.Hearts, wire.ConfidenceUnknown)
	read(9, wire.Hearts, 80)
	read(9, wire.Hearts, 79)
	if c := d.Condition().Confidence; c == nil || *c != (shoe.Confidence{Cards: 100, Min: 79, Mean: 98, Low: 1}) {
		t.Errorf("the confidence is %+v", c)
	}
	send(wire.Message{Type: wire.Heartbeat, Boot: 7, Last: seq, Queued: 2})
	if c := d.Condition(); c.Queued == nil || *c.Queued != 2 {
		t.Errorf("the heartbeat's queue is %v", c.Queued)
	}
	hello.Boot, hello.Last, hello.Text = 8, 0, wire.TextOf("SB-2")
	send(hello)
	if c := d.Condition(); c.Confidence != nil {
		t.Errorf("the confidence of another shoe is %+v", c.Confidence)
	}
}
