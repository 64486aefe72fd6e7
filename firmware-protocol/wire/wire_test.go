package wire

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
)

// samples has one message of every type.
var samples = []Message{
	{
		Type: Hello, Protocol: 1, InSession: true, Capabilities: CanLock | CanLight, Boot: 0xC0FFEE, First: 6, Last: 9,
		Firmware: [3]uint8{1, 2, 3}, Text: TextOf("SABOT-0042"),
	},
	{Type: Heartbeat, Boot: 0xC0FFEE, Last: 9, Queued: 4, Locks: LockedByHost, Light: LightAmber},
	{Type: Log, Level: LevelWarn, Text: TextOf("sensor dusty")},
	{Type: Card, Boot: 0xC0FFEE, Seq: 1, Micros: 1_500_000, Rank: 1, Suit: Spades, Confidence: 98},
	{Type: Card, Boot: 0xC0FFEE, Seq: 2, Micros: 1_900_000, Rank: RankUnread, Confidence: 3},
	{Type: Card, Boot: 0xC0FFEE, Seq: 3, Micros: 2_000_000, Rank: RankJoker, Confidence: ConfidenceUnknown},
	{Type: CutCard, Boot: 0xC0FFEE, Seq: 4, Micros: 3_000_000},
	{Type: Key, Boot: 0xC0FFEE, Seq: 5, Micros: 3_100_000, KeyNumber: 2, Down: true},
	{Type: AlarmRaised, Boot: 0xC0FFEE, Seq: 6, Micros: 1 << 40, Alarm: AlarmEventsLost, Detail: 300},
	{Type: AlarmCleared, Boot: 0xC0FFEE, Seq: 7, Micros: 1 << 41, Alarm: AlarmCover},
	{Type: LockState, Boot: 0xC0FFEE, Seq: 8, Micros: 1 << 42, Locks: LockedByQueue | LockedByHand},
	{Type: HostHello, Protocol: 1, Boot: 0xC0FFEE, Seq: 5},
	{Type: Acknowledge, Boot: 0xC0FFEE, Seq: 7},
	{Type: Lock, Locked: true},
	{Type: Lamp, Light: LightRed},
	{Type: Status},
	{Type: Challenge, Session: Session{Host: 0x0102030405060708}},
	{Type: Answer, Session: Session{1 << 63, 0xFF}, Proof: 0xFEDCBA9876543210},
}

type report struct {
	m   Message
	err error
}

func feed(d *Decoder, p []byte) []report {
	var got []report
	d.Feed(p, func(m Message, err error) { got = append(got, report{m, err}) })
	return got
}

func TestEveryMessageComesBack(t *testing.T) {
	for _, want := range samples {
		frame := AppendFrame(nil, want)
		if bytes.IndexByte(frame, 0) != len(frame)-1 {
			t.Errorf("%s: zero elsewhere than at the end: % x", want.String(), frame)
		}
		var d Decoder
		got := feed(&d, frame)
		if len(got) != 1 || got[0].err != nil || got[0].m != want {
			t.Errorf("sent %s, received %+v", want.String(), got)
		}
	}
}

func TestLongestMessageFits(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, m := range []Message{
		{Type: Log, Text: TextOf(long)},
		{Type: Hello, Protocol: 1, Boot: 1, First: 1, Text: TextOf(long)},
	} {
		frame := AppendFrame(nil, m)
		if room := MaxFrame - 12; len(frame) > room {
			t.Errorf("%s takes %d bytes; with a counter and a tag only %d fit", m.Type, len(frame), room)
		}
		var d Decoder
		if got := feed(&d, frame); len(got) != 1 || got[0].err != nil {
			t.Errorf("%s: %+v", m.Type, got)
		}
	}
}

func TestTextOfKeepsToASCII(t *testing.T) {
	if got := TextOf("dué\n7 ~").String(); got != "du??7 ~" {
		t.Errorf("got %q", got)
	}
	if got := TextOf(strings.Repeat("a", 99)); got.Len() != MaxText {
		t.Errorf("length %d", got.Len())
	}
}

func TestUnknownTypeIsNotSent(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a type that the protocol does not have was sent")
		}
	}()
	AppendFrame(nil, Message{Type: 0x1F})
}

// A card that has left the shoe must not get lost because its code is wrong.
func TestWrongCardCodeIsAnUnreadCard(t *testing.T) {
	for _, c := range []struct {
		rank Rank
		suit Suit
	}{{14, Spades}, {1, NoSuit}, {1, 5}, {RankUnread, Clubs}, {RankJoker, Hearts}, {254, NoSuit}} {
		sent := Message{Type: Card, Boot: 7, Seq: 3, Micros: 99, Rank: c.rank, Suit: c.suit, Confidence: 50}
		var d Decoder
		got := feed(&d, AppendFrame(nil, sent))
		want := sent
		want.Rank, want.Suit = RankUnread, NoSuit
		var code *CardCodeError
		if len(got) != 1 || got[0].m != want || !errors.As(got[0].err, &code) {
			t.Fatalf("rank %d suit %d: %+v", c.rank, c.suit, got)
		}
		if *code != (CardCodeError{Boot: 7, Seq: 3, Rank: c.rank, Suit: c.suit}) {
			t.Errorf("error says %+v", *code)
		}
	}
}

// However the bytes are cut, and whatever garbage between frames ends in a zero, every good frame is found.
func TestFramesAreFoundInAnyPiecesAndGarbage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var stream []byte
		var want []Message
		for range rapid.IntRange(1, 8).Draw(t, "frames") {
			if rapid.Bool().Draw(t, "noisy") {
				stream = append(stream, rapid.SliceOfN(rapid.ByteRange(1, 255), 0, 200).Draw(t, "noise")...)
				stream = append(stream, 0)
			}
			m := rapid.SampledFrom(samples).Draw(t, "message")
			stream = AppendFrame(stream, m)
			want = append(want, m)
		}
		var d Decoder
		var got []Message
		for len(stream) > 0 {
			n := rapid.IntRange(1, len(stream)).Draw(t, "piece")
			d.Feed(stream[:n], func(m Message, err error) {
				if err == nil {
					got = append(got, m)
				}
			})
			stream = stream[n:]
		}
		if len(got) != len(want) {
			t.Fatalf("%d of %d messages found", len(got), len(want))
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("message %d: sent %s, received %s", i, want[i].String(), got[i].String())
			}
		}
	})
}

// The CRC or the framing catches any single wrong bit.
func TestOneWrongBitIsNoticed(t *testing.T) {
	for _, m := range samples {
		frame := AppendFrame(nil, m)
		for i := range frame[:len(frame)-1] {
			for bit := range 8 {
				bad := bytes.Clone(frame)
				bad[i] ^= 1 << bit
				var d Decoder
				for _, r := range feed(&d, bad) {
					if r.err == nil {
						t.Errorf("%s: byte %d bit %d flipped, and read as %s", m.String(), i, bit, r.m.String())
					}
				}
			}
		}
	}
}

func TestStatsCountWhatWasDropped(t *testing.T) {
	var d Decoder
	good := AppendFrame(nil, Message{Type: Status})
	feed(&d, []byte{0, 0, 1, 2, 3, 0})
	feed(&d, good)
	feed(&d, AppendFrame(nil, Message{Type: Card, Boot: 1, Seq: 1, Rank: 14}))
	feed(&d, sealed(SealedVersion+1, Status, nil))
	feed(&d, appendSealed(nil, &Message{Type: Status}, &Secret{}, 1))
	feed(&d, sealed(Version, 0x7F, nil))
	feed(&d, good[:3])
	d.Reset()
	want := Stats{Messages: 1, BadFrames: 1, Refused: 1, Sealed: 1, Skipped: 1, Invalid: 1, DroppedBytes: 4 + 3}
	if got := d.Stats(); got != want {
		t.Errorf("counted %+v, want %+v", got, want)
	}
	if got := feed(&d, good); len(got) != 1 || got[0].err != nil {
		t.Errorf("after Reset: %+v", got)
	}
}

func TestNoAllocation(t *testing.T) {
	buf := make([]byte, 0, MaxFrame)
	var d Decoder
	handle := func(Message, error) {}
	for _, m := range samples {
		if n := testing.AllocsPerRun(100, func() {
			buf = AppendFrame(buf[:0], m)
			d.Feed(buf, handle)
		}); n != 0 {
			t.Errorf("%s: %v allocations", m.Type, n)
		}
	}
}

func FuzzDecoder(f *testing.F) {
	for _, m := range samples {
		f.Add(AppendFrame([]byte{0x7F, 0}, m))
		f.Add(appendSealed([]byte{0x7F, 0}, &m, &Secret{}, 1))
	}
	f.Add(bytes.Repeat([]byte{1}, 100))
	f.Fuzz(func(t *testing.T, stream []byte) {
		// A session whose keys are zero, as those of the seeds.
		d := Decoder{Guard: &Guard{current: channel{agreed: true}}}
		for _, r := range feed(&d, stream) {
			r.m.Counter = 0
			if r.err != nil && r.m != (Message{}) && !r.m.Numbered() {
				t.Fatalf("%v came with %s", r.err, r.m.String())
			}
			if r.err == nil {
				mustComeBack(t, r.m)
			}
		}
		feed(&d, []byte{0})
		probe := Message{Type: Acknowledge, Boot: 1, Seq: 2}
		if got := feed(&d, AppendFrame(nil, probe)); len(got) != 1 || got[0].m != probe {
			t.Fatalf("no resynchronisation: %+v", got)
		}
	})
}

func mustComeBack(t *testing.T, m Message) {
	t.Helper()
	var d Decoder
	if got := feed(&d, AppendFrame(nil, m)); len(got) != 1 || got[0].err != nil || got[0].m != m {
		t.Fatalf("%s encoded again: %+v", m.String(), got)
	}
}

func BenchmarkEncodeDecodeCard(b *testing.B) {
	buf := make([]byte, 0, MaxFrame)
	var d Decoder
	handle := func(Message, error) {}
	b.ReportAllocs()
	for b.Loop() {
		buf = AppendFrame(buf[:0], samples[3])
		d.Feed(buf, handle)
	}
	b.SetBytes(int64(len(buf)))
}

// Past the CRC: any payload that is accepted is encoded to the same bytes.
func FuzzPayload(f *testing.F) {
	for _, m := range samples {
		frame := AppendFrame(nil, m)
		p, _ := open(frame[:len(frame)-1])
		f.Add(uint8(p.kind), p.payload)
	}
	f.Fuzz(func(t *testing.T, kind uint8, payload []byte) {
		frame := sealed(Version, Type(kind), payload[:min(len(payload), maxPacket-headSize-crcSize)])
		var d Decoder
		got := feed(&d, frame)
		if len(got) != 1 {
			t.Fatalf("one frame gave %d reports", len(got))
		}
		if m := got[0].m; got[0].err == nil && !bytes.Equal(AppendFrame(nil, m), frame) {
			t.Fatalf("%s is encoded differently: % x, received % x", m.String(), AppendFrame(nil, m), frame)
		}
	})
}
