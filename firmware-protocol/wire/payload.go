package wire

import "encoding/binary"

const eventHead = 16 // boot, sequence and time of a numbered event

const helloHead, logHead = 21, 1

// payloadSizes are the shortest and the longest payload of each known type.
var payloadSizes = [...]struct{ shortest, longest int }{
	Hello:       {helloHead + 1, helloHead + MaxSerial},
	Heartbeat:   {12, 12},
	Log:         {logHead + 1, logHead + MaxText},
	Answer:      {24, 24},
	Card:        {eventHead + 3, eventHead + 3},
	CutCard:     {eventHead, eventHead},
	Key:         {eventHead + 2, eventHead + 2},
	AlarmRaised: {eventHead + 3, eventHead + 3}, AlarmCleared: {eventHead + 3, eventHead + 3},
	LockState:   {eventHead + 1, eventHead + 1},
	HostHello:   {13, 13},
	Acknowledge: {8, 8},
	Lock:        {1, 1},
	Lamp:        {1, 1},
	Status:      {0, 0},
	Challenge:   {8, 8},
}

func appendPayload(b []byte, m *Message) []byte {
	le := binary.LittleEndian
	if m.Numbered() {
		b = le.AppendUint64(le.AppendUint32(le.AppendUint32(b, m.Boot), m.Seq), m.Micros)
	}
	switch m.Type {
	case Hello:
		b = le.AppendUint32(append(b, m.Protocol, bit(m.InSession)), uint32(m.Capabilities))
		b = le.AppendUint32(le.AppendUint32(le.AppendUint32(b, m.Boot), m.First), m.Last)
		b = append(b, m.Firmware[:]...)
		b = append(b, m.Text.bytes[:min(m.Text.size, MaxSerial)]...)
	case Heartbeat:
		b = le.AppendUint32(le.AppendUint32(b, m.Boot), m.Last)
		b = append(le.AppendUint16(b, m.Queued), byte(m.Locks), byte(m.Light))
	case Log:
		b = append(append(b, byte(m.Level)), m.Text.bytes[:m.Text.size]...)
	case Card:
		b = append(b, byte(m.Rank), byte(m.Suit), m.Confidence)
	case Key:
		b = append(b, m.KeyNumber, bit(m.Down))
	case AlarmRaised, AlarmCleared:
		b = le.AppendUint16(append(b, byte(m.Alarm)), m.Detail)
	case LockState:
		b = append(b, byte(m.Locks))
	case HostHello:
		b = le.AppendUint32(append(b, m.Protocol), uint32(m.Capabilities))
		b = le.AppendUint32(le.AppendUint32(b, m.Boot), m.Seq)
	case Acknowledge:
		b = le.AppendUint32(le.AppendUint32(b, m.Boot), m.Seq)
	case Lock:
		b = append(b, bit(m.Locked))
	case Lamp:
		b = append(b, byte(m.Light))
	case Challenge:
		b = le.AppendUint64(b, uint64(m.Session.Host))
	case Answer:
		b = le.AppendUint64(le.AppendUint64(b, uint64(m.Session.Host)), uint64(m.Session.Shoe))
		b = le.AppendUint64(b, m.Proof)
	}
	return b
}

// parse reads an intact frame's message. With an error it returns the zero
// Message, or what Decoder.Feed promises for a numbered event.
func parse(t Type, payload []byte) (Message, error) {
	if !t.Known() {
		return parseUnknown(t, payload)
	}
	if size := payloadSizes[t]; len(payload) < size.shortest || len(payload) > size.longest {
		return Message{}, &LengthError{Type: t, Got: len(payload), Min: size.shortest, Max: size.longest}
	}
	m := Message{Type: t}
	r := reader{b: payload}
	if t.Numbered() {
		r.eventHead(&m)
		if r.field != "" {
			return Message{}, r.error(t)
		}
		number := m
		return eventBody(number, &r)
	}
	plainBody(&m, &r)
	if r.field != "" {
		return Message{}, r.error(t)
	}
	return m, nil
}

// parseUnknown reads the number of an event of unknown type, so that skipping it does not look like a lost event.
func parseUnknown(t Type, payload []byte) (Message, error) {
	if !t.Numbered() {
		return Message{}, &UnknownTypeError{Type: t}
	}
	if len(payload) < eventHead {
		return Message{}, &LengthError{Type: t, Got: len(payload), Min: eventHead, Max: maxPacket - headSize - crcSize}
	}
	m := Message{Type: t}
	r := reader{b: payload}
	if r.eventHead(&m); r.field != "" {
		return Message{}, r.error(t)
	}
	return m, &UnknownTypeError{Type: t}
}

// eventBody reads what follows a numbered event's number.
func eventBody(number Message, r *reader) (Message, error) {
	m := number
	switch m.Type {
	case Card:
		m.Rank, m.Suit, m.Confidence = Rank(r.u8()), Suit(r.u8()), r.u8()
		if !ValidCard(m.Rank, m.Suit) {
			err := &CardCodeError{Boot: m.Boot, Seq: m.Seq, Rank: m.Rank, Suit: m.Suit}
			m.Rank, m.Suit = RankUnread, NoSuit
			return m, err
		}
	case Key:
		m.KeyNumber, m.Down = r.atMost("key", MaxKey), r.flag("down")
		if m.KeyNumber == 0 {
			r.wrongValue("key", 0)
		}
	case AlarmRaised, AlarmCleared:
		m.Alarm, m.Detail = AlarmCode(r.u8()), r.u16()
	case LockState:
		m.Locks = LockBits(r.u8())
	}
	if r.field != "" {
		return number, r.error(number.Type)
	}
	return m, nil
}

// plainBody reads a message that has no number.
func plainBody(m *Message, r *reader) {
	switch m.Type {
	case Hello:
		m.Protocol, m.InSession, m.Capabilities = r.protocol(), r.flag("session"), Capabilities(r.u32())
		m.Boot, m.First, m.Last = r.positive("boot"), r.positive("first"), r.u32()
		if m.First > m.Last && m.First-m.Last != 1 {
			r.wrongValue("first", uint64(m.First))
		}
		m.Firmware = [3]uint8{r.u8(), r.u8(), r.u8()}
		m.Text = r.text("serial")
	case Heartbeat:
		m.Boot, m.Last, m.Queued = r.positive("boot"), r.u32(), r.u16()
		if uint32(m.Queued) > m.Last {
			r.wrongValue("queued", uint64(m.Queued))
		}
		m.Locks, m.Light = LockBits(r.u8()), Light(r.atMost("light", uint8(LightRed)))
	case Log:
		m.Level = Level(r.atMost("level", uint8(LevelError)))
		m.Text = r.text("text")
	case HostHello:
		m.Protocol, m.Capabilities, m.Boot, m.Seq = r.protocol(), Capabilities(r.u32()), r.u32(), r.u32()
	case Acknowledge:
		m.Boot, m.Seq = r.positive("boot"), r.u32()
	case Lock:
		m.Locked = r.flag("locked")
	case Lamp:
		m.Light = Light(r.atMost("light", uint8(LightRed)))
	case Challenge:
		m.Session.Host = Nonce(r.u64())
	case Answer:
		m.Session, m.Proof = Session{Nonce(r.u64()), Nonce(r.u64())}, r.u64()
	}
}

// reader takes apart a payload whose length has been checked, and remembers the first field with a value that it cannot
// have.
type reader struct {
	b     []byte
	field string
	value uint64
}

func (r *reader) error(t Type) error {
	return &FieldError{Type: t, Field: r.field, Value: r.value}
}

func (r *reader) wrongValue(field string, value uint64) {
	if r.field == "" {
		r.field, r.value = field, value
	}
}

func (r *reader) eventHead(m *Message) {
	m.Boot, m.Seq, m.Micros = r.positive("boot"), r.positive("seq"), r.u64()
}

func (r *reader) u8() uint8 {
	v := r.b[0]
	r.b = r.b[1:]
	return v
}

func (r *reader) u16() uint16 {
	v := binary.LittleEndian.Uint16(r.b)
	r.b = r.b[2:]
	return v
}

func (r *reader) u32() uint32 {
	v := binary.LittleEndian.Uint32(r.b)
	r.b = r.b[4:]
	return v
}

func (r *reader) u64() uint64 {
	v := binary.LittleEndian.Uint64(r.b)
	r.b = r.b[8:]
	return v
}

func (r *reader) positive(field string) uint32 {
	v := r.u32()
	if v == 0 {
		r.wrongValue(field, 0)
	}
	return v
}

// protocol reads the highest version that a side speaks, which is at least that of the frame.
func (r *reader) protocol() uint8 {
	v := r.u8()
	if v == 0 {
		r.wrongValue("protocol", 0)
	}
	return v
}

func (r *reader) atMost(field string, highest uint8) uint8 {
	v := r.u8()
	if v > highest {
		r.wrongValue(field, uint64(v))
	}
	return v
}

func (r *reader) flag(field string) bool { return r.atMost(field, 1) == 1 }

// text reads the rest of the payload.
func (r *reader) text(field string) Text {
	var t Text
	for _, b := range r.b {
		if !printable(rune(b)) {
			r.wrongValue(field, uint64(b))
		}
	}
	t.size = uint8(copy(t.bytes[:], r.b))
	r.b = nil
	return t
}
