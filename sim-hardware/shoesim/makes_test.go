package shoesim

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/shoe/card"
)

// inTime runs a test with a shoe on a line in memory, and returns what the shoe sent.
func inTime(t *testing.T, o Options, hand func(*Shoe)) string {
	t.Helper()
	var said strings.Builder
	synctest.Test(t, func(t *testing.T) {
		o.Memory = true
		s := startShoe(t, o)
		port, err := s.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		bubble.Pass(time.Second)
		hand(s)
		for buf := make([]byte, 1024); ; {
			n, err := port.Read(buf)
			said.Write(buf[:n])
			if errors.Is(err, device.ErrTimeout) && s.State().Quiet {
				break
			}
			if err != nil && !errors.Is(err, device.ErrTimeout) {
				t.Fatal(err)
			}
		}
	})
	return said.String()
}

var listed = []card.Card{
	card.Of(4, card.Spades), card.Of(card.Ten, card.Hearts), card.Joker,
	card.Of(card.King, card.Clubs),
}

// eachTrick is what a hand can do to a shoe of any make.
func eachTrick(t *testing.T) func(*Shoe) {
	return func(s *Shoe) {
		t.Helper()
		drawAll(t, s, 3)
		_, unread := s.DrawUnread()
		err := errors.Join(unread, s.DrawForeign(card.Of(card.Ace, card.Diamonds)), s.CutCard(),
			s.Trouble(ReversePull, true), s.Trouble(ReversePull, false))
		if _, empty := s.Overdraw(); !errors.Is(empty, ErrEmpty) {
			err = errors.Join(err, empty, errors.New("an empty shoe gives a card"))
		}
		if no := s.Trouble("rain", true); !errors.Is(no, ErrNoSuch) || !strings.Contains(no.Error(), "reverse-pull") {
			err = errors.Join(err, no, errors.New("a trouble that does not exist was raised"))
		}
		if err != nil {
			t.Error(err)
		}
	}
}

func TestBeeTekWrites(t *testing.T) {
	const unread = " [Manual Burn Cards]<Game>  [GameAlarm]<Alarm:E3 Card Not Read> "
	const want = " [Manual Burn Cards]<Card:4S>  [Manual Burn Cards]<Card:TH> " + unread + unread +
		" [Manual Burn Cards]<Card:AD>  [GameAlarm]<Alarm:E4 Reverse Pull> "
	if got := inTime(t, Options{Kind: BeeTek, Cards: listed}, eachTrick(t)); got != want {
		t.Errorf("wrote %q\nwant  %q", got, want)
	}
}

func TestAngelEyeReports(t *testing.T) {
	got := inTime(t, Options{Kind: AngelEye, Cards: listed}, eachTrick(t))
	var want strings.Builder
	for _, r := range []string{
		"0S\x03", "1P\x03", "2D\x81\xb4\x03", "3D\x91\xca\x03", "4D\x82\x80\x03", "5D\x92\x80\x03", "6D\x83\x91\x03",
		"7C\x03", "8E\xc4\x03", "9e\x84\x03",
	} {
		bcc := string("0123456789ABCDEF"[sum([]byte(r))>>4]) + string("0123456789ABCDEF"[sum([]byte(r))&15])
		want.WriteString(strings.Repeat("\x05"+r+bcc, 3))
	}
	if !strings.HasSuffix(want.String(), got[strings.Index(got, "\x052D"):]) || len(got) < 100 {
		t.Errorf("reported %q\nwant     %q", got, want.String())
	}
}

// What nobody knows for certain can be chosen: numbers from 1, copies mixed with those of the next report; any report.
func TestAngelEyeCopies(t *testing.T) {
	o := Options{
		Kind: AngelEye, Cards: listed,
		AngelEye: AngelEyeOptions{FromOne: true, Mixed: true, CopyEvery: 970 * time.Millisecond},
	}
	got := inTime(t, o, func(s *Shoe) {
		bubble.Pass(10 * time.Second)
		if state := s.State(); state.Sending != 0 {
			t.Errorf("%d copies wait", state.Sending)
		}
		for range 3 {
			if err := s.Report('P', 0x80); err != nil {
				t.Error(err)
			}
		}
		drawAll(t, s, 1)
		if state := s.State(); state.Sending != 4*copies-1 {
			t.Errorf("%d copies wait, one is sent", state.Sending)
		}
	})
	_, got, _ = strings.Cut(got, "\x053P\x80")
	var numbers strings.Builder
	for _, frame := range strings.Split(got, "\x05")[1:] {
		numbers.WriteByte(frame[0])
	}
	if numbers.String() != "34563456456" {
		t.Errorf("after 3 the numbers are %s in %q", numbers.String(), got)
	}
}

// Any text can be written.
func TestBeeTekWritesAnything(t *testing.T) {
	got := inTime(t, Options{Kind: BeeTek}, func(s *Shoe) {
		if err := s.Write(" [Game]<W0x01>\x00"); err != nil {
			t.Error(err)
		}
	})
	if got != " [Game]<W0x01>\x00" {
		t.Errorf("wrote %q", got)
	}
	if err := startShoe(t, Options{Kind: AngelEye, Memory: true}).Write("x"); !errors.Is(err, ErrNoSuch) {
		t.Errorf("an Angel Eye writes: %v", err)
	}
}

// A make that has no keys or texts says so.
func TestOnlyASabotShoe(t *testing.T) {
	s := startShoe(t, Options{Kind: BeeTek, Memory: true})
	_, wrong := s.DrawWrong(99, 9)
	for name, err := range map[string]error{
		"key": s.Key(1, true), "alarm": s.RaiseAlarm(1, 0),
		"clear": s.ClearAlarm(1), "log": s.Log(0, "x"), "wrong code": wrong, "report": s.Report('P'),
	} {
		if !errors.Is(err, ErrNoSuch) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := New(Options{Kind: "cards"}); err == nil || !strings.Contains(err.Error(), "bee-tek") {
		t.Errorf("an unknown make gives %v", err)
	}
}

// A make whose line is not sealed refuses a key.
func TestOnlyASabotShoeTakesAKey(t *testing.T) {
	for _, kind := range []Kind{BeeTek, AngelEye} {
		s, err := New(Options{Kind: kind, Memory: true, Key: &key})
		if err == nil {
			t.Errorf("%s takes a key", kind)
			s.Close()
		}
	}
}

// Invalid commands are refused with the code that says why.
func TestAngelEyeRefuses(t *testing.T) {
	for command, want := range map[string]string{
		"\x02OPLK02\x031B":         "\x06",
		"\x02OPLK02\x031C":         "\x15\x02",
		"\x02OPXX00\x0300":         "\x15\x02",
		"\x02OPXX00\x0309":         "\x15\x02",
		"\x02OPLK020000":           "\x15\x03",
		"junk\x02OPGP00\x0309":     "\x06",
		"\x02OP\x02OPGP00\x0309":   "\x06",
		"\x02OPZZ00\x03" + "1E":    "\x15\x13",
		"\x02OPGP00\x0309\x02OPGP": "\x06",
	} {
		f := &angelEye{}
		if got := string(f.Step(0, []byte(command), nil)); !strings.HasPrefix(got, want) {
			t.Errorf("%q is answered with %q, want %q", command, got, want)
		}
	}
}
