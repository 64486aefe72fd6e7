package sabot

import (
	"embed"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/internal/testkit/datatest"
	"github.com/sabot-table/sabot/shoe"
)

//go:embed testdata/dialogues
var testdata embed.FS

// TestDialogues plays the files of testdata/dialogues. Each holds dialogues between the host's side and a shoe played
// by hand:
//
//	host [boot=B seq=N] [earlier=(B/N, …)]
//	                      a host with these positions stored opens its port
//	shoe                  the shoe says the messages below, one a line
//	pass ms=N             time passes, with a tick every 100 ms
//	stand-still ms=N      time passes in which this side does nothing
//	stored boot=B seq=N   the table has stored so far
//	pull, plug            the cable
//	lock on=1, lamp light=3
//	farewell              the table ends
//	busy, idle            the table takes no events, or takes them again
//	counts                what was counted since the beginning
//	log                   what people are to read
//
// The output shows events for the table, and what the host sends.
func TestDialogues(t *testing.T) {
	datatest.Each(t, testdata, "testdata/dialogues", func(t *testing.T, path string) {
		var d *dialogue
		datatest.Run(t, testdata, path, func(t *testing.T, td *datadriven.TestData) string {
			if td.Cmd == "host" {
				d = &dialogue{t: t, now: time.Unix(0, 0)}
			}
			d.t = t
			return d.play(td)
		})
	})
}

type dialogue struct {
	t    *testing.T
	now  time.Time
	link *link
	busy bool
}

func (d *dialogue) play(td *datadriven.TestData) string {
	var args []string
	for _, a := range td.CmdArgs {
		args = append(args, a.Key+"="+strings.Join(a.Vals, ","))
	}
	m := d.fields(wire.Message{}, args)
	ms := d.milliseconds(td)
	switch td.Cmd {
	case "host":
		d.link = newLink(d.stored(td, m)...)
		d.link.opened(d.now)
	case "shoe":
		for _, line := range strings.Split(td.Input, "\n") {
			d.say(line)
		}
	case "pass":
		return d.pass(ms)
	case "stand-still":
		d.now = d.now.Add(ms - 100*time.Millisecond)
		return d.pass(100 * time.Millisecond)
	case "stored":
		d.link.durable(shoe.Position{Boot: m.Boot, Seq: m.Seq})
	case "pull":
		d.link.closed(d.now, errors.New("cable pulled"))
	case "plug":
		d.link.opened(d.now)
	case "lock":
		d.link.setLock(td.HasArg("on"))
	case "lamp":
		d.link.setLamp(m.Light)
	case "farewell":
		if !d.link.farewell() {
			return "nothing to be told\n"
		}
	case "busy", "idle":
		d.busy = td.Cmd == "busy"
	case "log":
		return d.remarks()
	case "counts":
		return fmt.Sprintf("%+v\n", d.link.counts)
	default:
		d.t.Fatalf("%s: no such command %q", td.Pos, td.Cmd)
	}
	return d.outcome()
}

// stored reads the positions that a host has.
func (d *dialogue) stored(td *datadriven.TestData, last wire.Message) (list []shoe.Position) {
	if last.Boot != 0 {
		list = append(list, positionOf(&last))
	}
	for _, arg := range td.CmdArgs {
		if arg.Key != "earlier" {
			continue
		}
		for _, text := range arg.Vals {
			var p shoe.Position
			if _, err := fmt.Sscanf(text, "%d/%d", &p.Boot, &p.Seq); err != nil {
				td.Fatalf(d.t, "%s: %v", text, err)
			}
			list = append(list, p)
		}
	}
	return list
}

func (d *dialogue) milliseconds(td *datadriven.TestData) time.Duration {
	ms := 0
	td.MaybeScanArgs(d.t, "ms", &ms)
	return time.Duration(ms) * time.Millisecond
}

func (d *dialogue) pass(span time.Duration) string {
	var out strings.Builder
	for end := d.now.Add(span); d.now.Before(end); {
		d.now = d.now.Add(100 * time.Millisecond)
		if err := d.link.tick(d.now); err != nil {
			fmt.Fprintf(&out, "reopen: %v\n", err)
		}
		out.WriteString(d.outcome())
	}
	return out.String()
}

// say lets the shoe send one line: a message's name and fields as the codec writes them, or one of the things that can
// be wrong with a frame.
func (d *dialogue) say(line string) {
	words := strings.Fields(line)
	m := d.fields(wire.Message{}, words[1:])
	switch words[0] {
	case "damaged":
		d.link.receive(d.now, wire.Message{}, wire.ErrCRC)
	case "version":
		d.link.receive(d.now, wire.Message{}, &wire.VersionError{Got: m.Protocol, Want: wire.Version})
	case "sealed":
		d.link.receive(d.now, wire.Message{}, &wire.SealError{Type: wire.Card, Counter: 1, Fault: wire.NoKey})
	case "new-message":
		d.link.receive(d.now, wire.Message{}, &wire.UnknownTypeError{Type: 0x50})
	case "new-event":
		m.Type = 0x2A
		d.link.receive(d.now, m, &wire.UnknownTypeError{Type: m.Type})
	case "wrong-length":
		d.link.receive(d.now, wire.Message{}, &wire.LengthError{Type: wire.Card, Got: 1, Min: 19, Max: 19})
	case "wrong-card":
		m.Type = wire.Card
		d.link.receive(d.now, m, &wire.CardCodeError{Boot: m.Boot, Seq: m.Seq, Rank: 14, Suit: 1})
	case "wrong-key":
		m.Type = wire.Key
		d.link.receive(d.now, m, &wire.FieldError{Type: m.Type, Field: "down", Value: 7})
	default:
		m.Type = d.typeOf(words[0])
		d.link.receive(d.now, m, nil)
	}
}

func (d *dialogue) typeOf(name string) wire.Type {
	for t := wire.Type(1); t != 0; t++ {
		if t.Known() && t.String() == name {
			return t
		}
	}
	d.t.Fatalf("there is no message %q", name)
	return 0
}

// fields fills in a message from words such as seq=3.
func (d *dialogue) fields(m wire.Message, words []string) wire.Message {
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		n, _ := strconv.ParseUint(value, 10, 32)
		switch name {
		case "boot":
			m.Boot = uint32(n)
		case "seq":
			m.Seq = uint32(n)
		case "first":
			m.First = uint32(n)
		case "last":
			m.Last = uint32(n)
		case "session":
			m.InSession = n == 1
		case "queued":
			m.Queued = uint16(n)
		case "rank":
			m.Rank = wire.Rank(n)
		case "suit":
			m.Suit = wire.Suit(n)
		case "key":
			m.KeyNumber = uint8(n)
		case "down":
			m.Down = n == 1
		case "alarm":
			m.Alarm = wire.AlarmCode(n)
		case "detail":
			m.Detail = uint16(n)
		case "locks":
			m.Locks = wire.LockBits(n)
		case "light":
			m.Light = wire.Light(n)
		case "capabilities":
			m.Capabilities = wire.Capabilities(n)
		case "protocol":
			m.Protocol = uint8(n)
		case "serial", "text":
			m.Text = wire.TextOf(value)
		case "on", "ms", "earlier":
		default:
			d.t.Fatalf("there is no field %q", name)
		}
	}
	return m
}

// outcome removes and describes what the link has for the table and for the line.
func (d *dialogue) outcome() string {
	var out strings.Builder
	for !d.busy {
		e, ok := d.link.queue.events.Pop()
		if !ok {
			break
		}
		out.WriteString(describeEvent(e) + "\n")
	}
	var decoder wire.Decoder
	decoder.Feed(d.link.appendOutput(nil), func(m wire.Message, err error) {
		if err != nil {
			d.t.Errorf("the host sent a frame that cannot be read: %v", err)
		}
		fmt.Fprintf(&out, "%5dms host: %s\n", d.now.Sub(time.Unix(0, 0)).Milliseconds(), &m)
	})
	return out.String()
}

func (d *dialogue) remarks() string {
	var out strings.Builder
	sums, lines := d.link.remarks.due(d.now)
	for _, s := range sums {
		fmt.Fprintf(&out, "%d %s, such as: %v\n", s.Count, s.Text, s.Last)
	}
	for _, l := range lines {
		fmt.Fprintf(&out, "the shoe says: %s\n", l.text)
	}
	return out.String()
}

func describeEvent(e shoe.Event) string {
	s := fmt.Sprintf("%5dms table: %s", e.At.Sub(time.Unix(0, 0)).Milliseconds(), e.Kind)
	if e.Kind != shoe.Up && e.Kind != shoe.Down {
		s += fmt.Sprintf(" %d/%d", e.Position.Boot, e.Position.Seq)
	}
	if e.Kind == shoe.Gap {
		s += fmt.Sprintf(" missing=%d", e.Missing)
	}
	if e.Kind == shoe.Drawn {
		s += " " + e.Card.String()
	}
	if name := e.Code + e.Shoe.Serial; name != "" {
		s += " " + name
	}
	if e.Late {
		s += " late"
	}
	if e.Err != nil {
		s += fmt.Sprintf(" (%v)", e.Err)
	}
	return s
}
