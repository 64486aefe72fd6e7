package sabot

import (
	"errors"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/card"
)

// TestTamperingThatTheShoeFound: its alarm says which attack it was, as one that the table finds does.
func TestTamperingThatTheShoeFound(t *testing.T) {
	alarm := wire.Message{Type: wire.AlarmRaised, Boot: 7, Seq: 3, Alarm: wire.AlarmTampering}
	for what, is := range tamperings {
		alarm.Detail = uint16(what)
		e := eventOf(&alarm, nil)
		if e.Kind != shoe.AlarmRaised || e.Code != tamperingCode(wire.Tampering(what)) || !errors.Is(e.Err, is) {
			t.Errorf("attack %d is told as %+v, want %v", what, e, is)
		}
	}
	alarm.Detail = 300
	if e := eventOf(&alarm, nil); e.Kind != shoe.AlarmRaised || !strings.HasPrefix(e.Code, tamperingPrefix) ||
		e.Err != nil {
		t.Errorf("an attack of a later firmware is told as %+v", e)
	}
}

// TestReport: the log calls an attack an attack, says which side has found it, and calls nothing else one.
func TestReport(t *testing.T) {
	const attack = "somebody may be tampering"
	place := shoe.Position{Boot: 7, Seq: 3}
	for _, c := range []struct {
		event shoe.Event
		says  []string
	}{
		{
			shoe.Event{Kind: shoe.AlarmRaised, Code: tamperingCode(wire.Forged), Err: tamperings[wire.Forged]},
			[]string{"level=ERROR", attack, "found-by=table", "alarm=tampering-forged"},
		},
		{
			shoe.Event{Kind: shoe.AlarmRaised, Position: place, Code: tamperingCode(wire.Replayed)},
			[]string{"level=ERROR", attack, "found-by=shoe", "alarm=tampering-replayed"},
		},
		{shoe.Event{Kind: shoe.AlarmRaised, Position: place, Code: "motor"}, nil},
		{
			shoe.Event{Kind: shoe.Other, Position: place, Err: errors.New("a strange key")},
			[]string{"level=WARN", "event was wrong", "a strange key"},
		},
		{shoe.Event{Kind: shoe.Drawn, Position: place, Card: card.Of(card.Ace, card.Spades)}, nil},
		{
			shoe.Event{Kind: shoe.Gap, Position: place, Missing: 2},
			[]string{"level=ERROR", "events are lost", "missing=2"},
		},
	} {
		var said notes
		New(shoe.Options{Log: said.logger()}).report(c.event)
		for _, want := range c.says {
			if !strings.Contains(said.String(), want) {
				t.Errorf("%+v: the log has no %q:\n%s", c.event, want, said.String())
			}
		}
		if len(c.says) == 0 && said.String() != "" {
			t.Errorf("%+v: the log says\n%s", c.event, said.String())
		}
	}
}

// TestFrames: who listens to a line reads the card in a frame, also where it cannot be read, and what is damaged.
func TestFrames(t *testing.T) {
	drawn := wire.Message{Type: wire.Card, Boot: 7, Seq: 3, Rank: 9, Suit: wire.Hearts}
	var line []byte
	for _, m := range []wire.Message{drawn, {Type: wire.Heartbeat, Boot: 7, Seq: 3}} {
		line = wire.AppendFrame(line, m)
	}
	bad := wire.AppendFrame(nil, drawn)
	bad[len(bad)/2] ^= 1
	var found []shoe.Frame
	feed := Frames(func(f shoe.Frame) { found = append(found, f) })
	feed(line)
	feed(bad)
	if len(found) < 3 {
		t.Fatalf("the line has %+v", found)
	}
	if f := found[0]; f.Card != card.Of(9, card.Hearts) || f.Text != drawn.String() || f.Beat || f.Err != nil {
		t.Errorf("the card's frame is %+v", f)
	}
	if f := found[1]; f.Card != 0 || !f.Beat || f.Err != nil {
		t.Errorf("the heartbeat's frame is %+v", f)
	}
	for _, f := range found[2:] {
		if f.Err == nil || f.Card != 0 {
			t.Errorf("of the damaged frame is found %+v", f)
		}
	}
}
