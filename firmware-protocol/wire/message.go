package wire

import (
	"fmt"
	"strconv"
)

// Message is any message of the protocol: Type says which, and each field's comment names the types that have it.
// Fields of other types are zero, so that two messages are the same exactly if they compare equal.
type Message struct {
	Type Type

	// Counter numbers the sealed frames of a session in one direction, from 1; it is 0 in a message without a seal.
	// AppendFrame ignores it.
	Counter uint32

	// Boot names one life of the shoe's queue, never 0: in Hello, Heartbeat,
	// Acknowledge and every numbered event. In HostHello it is the boot that the
	// host knows, 0 for none.
	Boot uint32
	// Seq is a numbered event's number in its boot, from 1. In Acknowledge and
	// HostHello it is the last event that the host stored durably, 0 for none.
	Seq uint32
	// Micros is a numbered event's time since boot in microseconds.
	Micros uint64

	// First and Last: in Hello the first event still queued and the last one
	// ever numbered; with nothing queued First is Last+1. Heartbeat has Last.
	First, Last uint32
	// Queued counts the events waiting for acknowledgement: Heartbeat.
	Queued uint16

	// Protocol is the highest protocol version that the sender speaks: Hello and
	// HostHello, as are Capabilities.
	Protocol     uint8
	Capabilities Capabilities
	// InSession: this Hello answers a HostHello, and events follow it. Otherwise
	// the shoe waits for the host's hello.
	InSession bool
	// Firmware is major, minor and patch of the firmware's version: Hello.
	Firmware [3]uint8

	// Rank, Suit and Confidence: Card.
	Rank       Rank
	Suit       Suit
	Confidence uint8

	// KeyNumber, from 1 to MaxKey, and Down: Key.
	KeyNumber uint8
	Down      bool

	// Alarm and Detail: AlarmRaised and AlarmCleared. What Detail counts depends
	// on the alarm; 0 if nothing.
	Alarm  AlarmCode
	Detail uint16

	// Locks say why the card exit is locked, 0 if it is open: LockState and
	// Heartbeat.
	Locks LockBits
	// Locked is what the host commands: Lock.
	Locked bool
	// Light is what the lamp shows or is to show: Heartbeat and Lamp.
	Light Light

	// Level is a log text's weight: Log.
	Level Level
	// Text is the serial number in Hello and the text in Log.
	Text Text

	// Session: in Challenge the host's nonce, in Answer both. Proof is that of the
	// session: Answer.
	Session Session
	Proof   uint64
}

// Numbered says whether the message is an event with a number, which the shoe
// keeps until it is acknowledged.
func (m *Message) Numbered() bool { return m.Type.Numbered() }

// Text is a short text of printable ASCII, held in place so that messages need no
// memory of their own. The zero Text is empty.
type Text struct {
	size  uint8
	bytes [MaxText]byte
}

// TextOf makes a text from s. What is not printable ASCII becomes "?", and what exceeds MaxText bytes is cut off.
func TextOf(s string) Text {
	var t Text
	for _, r := range s {
		if t.size == MaxText {
			break
		}
		if !printable(r) {
			r = '?'
		}
		t.bytes[t.size] = byte(r)
		t.size++
	}
	return t
}

func printable(r rune) bool { return r >= 0x20 && r <= 0x7E }

// String returns the text.
func (t Text) String() string { return string(t.bytes[:t.size]) }

// Len returns the text's length in bytes.
func (t Text) Len() int { return int(t.size) }

var typeNames = [...]string{
	Hello: "hello", Heartbeat: "heartbeat", Log: "log", Answer: "answer",
	Card: "card", CutCard: "cut-card", Key: "key",
	AlarmRaised: "alarm-raised", AlarmCleared: "alarm-cleared", LockState: "lock-state",
	HostHello: "host-hello", Acknowledge: "acknowledge", Lock: "lock", Lamp: "lamp", Status: "status",
	Challenge: "challenge",
}

// Known says whether this version of the protocol has the type.
func (t Type) Known() bool { return int(t) < len(typeNames) && typeNames[t] != "" }

// String returns the type's name, or its number if it has none.
func (t Type) String() string {
	if t.Known() {
		return typeNames[t]
	}
	return fmt.Sprintf("type 0x%02x", uint8(t))
}

var alarmNames = [...]string{
	AlarmSensor: "sensor", AlarmReversePull: "reverse-pull", AlarmTwoCards: "two-cards", AlarmJam: "jam",
	AlarmCover: "cover", AlarmQueueFull: "queue-full", AlarmEventsLost: "events-lost", AlarmForced: "forced",
	AlarmForeignCard: "foreign-card", AlarmMemory: "memory", AlarmTampering: "tampering",
}

// String returns the alarm's name, or its number if it has none.
func (a AlarmCode) String() string {
	if int(a) < len(alarmNames) && alarmNames[a] != "" {
		return alarmNames[a]
	}
	return "alarm-" + strconv.Itoa(int(a))
}

var tamperingNames = [...]string{Forged: "forged", Replayed: "replayed", Vanished: "vanished"}

// String returns the kind's name, or its number if it has none.
func (t Tampering) String() string {
	if int(t) < len(tamperingNames) && tamperingNames[t] != "" {
		return tamperingNames[t]
	}
	return strconv.Itoa(int(t))
}

// String returns the message in one line, name first and then its fields, in the
// notation of the protocol's vectors.
func (m *Message) String() string { return string(m.AppendText(nil)) }

// AppendText appends the message in one line, as String does.
func (m *Message) AppendText(dst []byte) []byte {
	line := textLine{append(dst, m.Type.String()...)}
	if m.Counter != 0 {
		line.number("counter", uint64(m.Counter))
	}
	if m.Numbered() {
		line.number("boot", uint64(m.Boot)).number("seq", uint64(m.Seq)).number("time", m.Micros)
	}
	switch m.Type {
	case Hello:
		line.hello(m)
	case Heartbeat:
		line.number("boot", uint64(m.Boot)).number("last", uint64(m.Last)).number("queued", uint64(m.Queued)).
			number("locks", uint64(m.Locks)).number("light", uint64(m.Light))
	case Log:
		line.number("level", uint64(m.Level)).text("text", m.Text)
	case Card:
		line.number("rank", uint64(m.Rank)).number("suit", uint64(m.Suit)).number("confidence", uint64(m.Confidence))
	case Key:
		line.number("key", uint64(m.KeyNumber)).number("down", uint64(bit(m.Down)))
	case AlarmRaised, AlarmCleared:
		line.number("alarm", uint64(m.Alarm)).number("detail", uint64(m.Detail))
	case LockState:
		line.number("locks", uint64(m.Locks))
	case HostHello:
		line.number("protocol", uint64(m.Protocol)).number("capabilities", uint64(m.Capabilities)).
			number("boot", uint64(m.Boot)).number("seq", uint64(m.Seq))
	case Acknowledge:
		line.number("boot", uint64(m.Boot)).number("seq", uint64(m.Seq))
	case Lock:
		line.number("locked", uint64(bit(m.Locked)))
	case Lamp:
		line.number("light", uint64(m.Light))
	case Challenge:
		line.number("host", uint64(m.Session.Host))
	case Answer:
		line.number("host", uint64(m.Session.Host)).number("shoe", uint64(m.Session.Shoe)).number("proof", m.Proof)
	}
	return line.b
}

type textLine struct{ b []byte }

func (l *textLine) number(name string, v uint64) *textLine {
	l.b = append(append(append(l.b, ' '), name...), '=')
	l.b = strconv.AppendUint(l.b, v, 10)
	return l
}

func (l *textLine) text(name string, t Text) {
	l.b = append(append(append(l.b, ' '), name...), '=')
	l.b = append(l.b, t.bytes[:t.size]...)
}

func (l *textLine) hello(m *Message) {
	l.number("protocol", uint64(m.Protocol)).number("session", uint64(bit(m.InSession))).
		number("capabilities", uint64(m.Capabilities)).number("boot", uint64(m.Boot)).
		number("first", uint64(m.First)).number("last", uint64(m.Last)).
		number("major", uint64(m.Firmware[0])).number("minor", uint64(m.Firmware[1])).
		number("patch", uint64(m.Firmware[2])).text("serial", m.Text)
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}
