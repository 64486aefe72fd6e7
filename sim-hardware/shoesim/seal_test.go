package shoesim

import (
	"testing"
	"time"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
)

var key = wire.Secret{3, 1, 4}

// secured is a shoe with a key, and a host that sends what the test wants.
type secured struct {
	t       *testing.T
	now     time.Duration
	core    *Core
	guard   *wire.Guard
	decoder wire.Decoder
}

func newSecured(t *testing.T, seed uint64) *secured {
	s := &secured{t: t, core: NewCore(everything, boot), guard: wire.HostGuard(key)}
	s.core.Secure(key, seed)
	s.decoder.Guard = s.guard
	return s
}

// hears gives the shoe bytes, and returns what it then sends.
func (s *secured) hears(in []byte) (said []wire.Message) {
	s.t.Helper()
	s.now += tick
	s.decoder.Feed(s.core.Step(s.now, in, nil), func(m wire.Message, err error) {
		if err != nil {
			s.t.Fatalf("the shoe said %v", err)
		}
		m.Counter = 0
		said = append(said, m)
	})
	return said
}

func (s *secured) sealed(m wire.Message) []byte { return s.guard.Append(nil, m) }

// open opens a session, and returns what the shoe finally sends.
func (s *secured) open(n wire.Nonce) []wire.Message {
	s.t.Helper()
	s.guard.Ask(n)
	for _, m := range s.hears(frame(s.guard.Challenge())) {
		if m.Type == wire.Answer {
			if _, err := s.guard.Answered(&m); err != nil {
				s.t.Fatal(err)
			}
		}
	}
	return s.hears(s.sealed(wire.Message{Type: wire.HostHello, Protocol: wire.SealedVersion}))
}

func TestASealedSession(t *testing.T) {
	s := newSecured(t, 99)
	s.core.Card(0, 1, wire.Spades, 99)
	said := s.open(1)
	if len(said) != 2 || said[0].Type != wire.Hello || !said[0].InSession || said[0].Capabilities&wire.Sealed == 0 ||
		said[1].Type != wire.Card {
		t.Fatalf("said %v", said)
	}
	s.hears(s.sealed(wire.Message{Type: wire.Acknowledge, Boot: boot, Seq: 1}))
	if s.core.Queued() != 0 || s.core.Counts().Tampered != 0 {
		t.Errorf("queued %d, counts %+v", s.core.Queued(), s.core.Counts())
	}
}

// Outside a session a shoe with a key identifies itself, and obeys nothing.
func TestNothingUnsealedIsObeyed(t *testing.T) {
	s := newSecured(t, 99)
	s.core.Card(0, 1, wire.Spades, 99)
	s.core.Log(wire.LevelInfo, "nobody is to read this")
	var said []wire.Message
	for range 100 {
		said = append(said, s.hears(frame(wire.Message{Type: wire.HostHello, Protocol: 1, Boot: boot, Seq: 1}))...)
	}
	if len(said) == 0 || count(said, wire.Hello) != len(said) || said[0].Protocol != wire.SealedVersion {
		t.Errorf("said %v", said)
	}
	if s.core.InSession() || s.core.Queued() != 1 || s.core.Counts().Tampered != 0 {
		t.Errorf("in a session: %t, queued %d, counts %+v", s.core.InSession(), s.core.Queued(), s.core.Counts())
	}
}

func TestTheShoeReportsTampering(t *testing.T) {
	for name, tc := range map[string]struct {
		hears func(s *secured) []byte
		want  wire.Tampering // 0 for none
	}{
		"nothing": {func(*secured) []byte { return nil }, 0},
		"an unsealed command": {func(*secured) []byte {
			return frame(wire.Message{
				Type:   wire.Lock,
				Locked: true,
			})
		}, wire.Forged},
		"an unknown command": {func(*secured) []byte {
			return []byte{
				0x07, 0x01, 0x8F, 0x0F, 0xBD, 0xC5, 0x25,
				0x00,
			}
		}, wire.Forged},
		"another version": {func(*secured) []byte {
			return []byte{
				0x07, 0x03, 0x85, 0x93, 0x36, 0x26, 0xf7,
				0x00,
			}
		}, wire.Forged},
		"a challenge": {func(s *secured) []byte { return frame(wire.Message{Type: wire.Challenge}) }, 0},
		"an echo": {func(s *secured) []byte {
			return frame(wire.Message{
				Type: wire.CutCard, Boot: 1,
				Seq: 1,
			})
		}, 0},
		"noise": {func(*secured) []byte { return []byte{1, 2, 3, 0} }, 0},
		"noise in place of frames": {func(s *secured) []byte {
			s.sealed(lock)
			return append([]byte{1, 2, 3, 0},
				s.sealed(lock)...)
		}, 0},
		"a frame that vanished": {func(s *secured) []byte { s.sealed(lock); return s.sealed(lock) }, wire.Vanished},
		"a frame twice": {
			func(s *secured) []byte { f := s.sealed(lock); return append(f, f...) },
			wire.Replayed,
		},
		"another session": {func(*secured) []byte {
			other := newSecured(t, 100)
			other.open(7)
			return other.sealed(lock)
		}, wire.Forged},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSecured(t, 99)
			s.open(1)
			said := s.hears(tc.hears(s))
			alarms := 0
			for _, m := range said {
				if m.Type == wire.AlarmRaised {
					alarms++
					if m.Alarm != wire.AlarmTampering || wire.Tampering(m.Detail) != tc.want {
						t.Errorf("raised %s", m.String())
					}
				}
			}
			if want := min(int(tc.want), 1); alarms != want {
				t.Errorf("%d alarms, want %d: %v", alarms, want, said)
			}
			if !s.core.InSession() {
				t.Error("the session ended")
			}
		})
	}
}

var lock = wire.Message{Type: wire.Lamp, Light: wire.LightRed}

// One alarm covers many frames; continued tampering is reported again.
func TestTamperingIsReportedNowAndThen(t *testing.T) {
	s := newSecured(t, 99)
	s.open(1)
	forged := frame(wire.Message{Type: wire.Lock, Locked: true})
	for end := s.now + 25*time.Second; s.now < end; {
		s.hears(append(forged, s.sealed(wire.Message{Type: wire.Status})...))
	}
	if s.core.Last() != 3 || s.core.Locks() != 0 {
		t.Errorf("%d alarms in 25 s, locks %d", s.core.Last(), s.core.Locks())
	}
}

// What was sealed before the host was lost is no longer opened.
func TestALostSessionIsForgotten(t *testing.T) {
	s := newSecured(t, 99)
	s.open(1)
	late := s.sealed(wire.Message{Type: wire.Lock, Locked: true})
	s.now += wire.LinkLostAfter
	s.hears(nil)
	if s.core.InSession() {
		t.Fatal("still in a session without a host")
	}
	s.hears(late)
	if s.core.Locks() != 0 || s.core.InSession() {
		t.Error("a command of the session before was obeyed")
	}
	if said := s.open(2); len(said) != 1 || !said[0].InSession {
		t.Errorf("said %v", said)
	}
}

func TestAShoeThatRunsOutOfCountersWaits(t *testing.T) {
	s := newSecured(t, 99)
	s.core.security.guard.Limit = 3
	s.open(1)
	s.hears(s.sealed(wire.Message{Type: wire.Status}))
	said := s.hears(s.sealed(wire.Message{Type: wire.Status}))
	if s.core.InSession() || len(said) != 2 || said[1].InSession {
		t.Errorf("in a session: %t, said %v", s.core.InSession(), said)
	}
	if s.open(2); !s.core.InSession() {
		t.Error("no session with the next key")
	}
}
