package authority

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/table/vocab"
)

// book is what must be true of an authority, kept by what was done to it alone.
type book struct {
	wrong map[string]int
	until map[string]time.Time // the end of each lock-out
	// who is present by a PIN, and until when.
	who   string
	leave time.Time
	key   bool
}

// pins are of letters, so that no time or count can be mistaken for one.
var pins = map[string]string{"anna": "opensesame", "bruno": "shibboleth"}

const wrongPin = "abracadabra"

// TestNothingProvesButThePIN does anything in any order, at any time, through any
// number of restarts.
func TestNothingProvesButThePIN(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		proof := Proof(rapid.IntRange(int(PIN), int(PINOrKey)).Draw(t, "proof"))
		s := &stand{kept: []byte("{}"), o: Options{
			Proof: proof, Holder: "holder", Present: time.Minute,
			Limits: Limits{Tries: rapid.IntRange(1, 4).Draw(t, "tries"), LockOut: 10 * time.Second, LockOutMost: 15 * time.Minute},
		}}
		if proof.UsesPIN() {
			s.o.Supervisors = []Supervisor{{"anna", cheap(pins["anna"])}, {"bruno", cheap(pins["bruno"])}}
		}
		now := start
		if err := s.open(now); err != nil {
			t.Fatal(err)
		}
		b := &book{wrong: map[string]int{}, until: map[string]time.Time{}}
		t.Repeat(map[string]func(*rapid.T){
			"enter": func(t *rapid.T) { b.enter(t, s, now) },
			"wait": func(t *rapid.T) {
				now = now.Add(rapid.SampledFrom([]time.Duration{time.Nanosecond, time.Second, 10 * time.Second, time.Minute, 20 * time.Minute}).Draw(t, "for"))
				b.pass(now)
			},
			"key": func(t *rapid.T) {
				was, on := b.key, rapid.Bool().Draw(t, "on")
				b.key = on && proof.UsesKey()
				s.Key(now, on)
				if proof == PINAndKey && was && !on { // turned back, not found so
					b.who = ""
				}
			},
			"leave": func(t *rapid.T) { _ = s.Leave(t.Context(), now); b.who = "" },
			"solve": func(*rapid.T) { s.Resolved(now); b.who = "" },
			"tick":  func(*rapid.T) { s.Tick(now) },
			"restart": func(t *rapid.T) {
				if err := s.open(now); err != nil {
					t.Fatal(err)
				}
				b.key, b.who = false, ""
			},
			"": func(t *rapid.T) { b.check(t, s, now) },
		})
		if all := strings.Join(s.told, "\n") + string(s.kept); strings.Contains(all, wrongPin) || strings.Contains(all, pins["anna"]) {
			t.Fatalf("a PIN was told:\n%s", all)
		}
	})
}

func (b *book) pass(now time.Time) {
	if !now.Before(b.leave) {
		b.who = ""
	}
}

// enter enters a PIN, and knows what must come of it.
func (b *book) enter(t *rapid.T, s *stand, now time.Time) {
	name := rapid.SampledFrom([]string{"anna", "bruno", "clara", ""}).Draw(t, "name")
	pin := rapid.SampledFrom([]string{pins["anna"], pins["bruno"], wrongPin}).Draw(t, "pin")
	err := s.Enter(t.Context(), now, Own, name, pin)
	want := Why("")
	switch {
	case s.o.Proof == Key:
		want = WhyNoPINAsked
	case pins[name] == "":
		want = WhyUnknownName
	case now.Before(b.until[name]):
		want = WhyLockedOut
	case pin == pins[name]:
		b.wrong[name], b.who, b.leave = 0, name, now.Add(s.o.Present)
	default:
		want = b.fail(s.o.Limits, name, now)
	}
	var refused *Refusal
	switch {
	case errors.As(err, &refused) && refused.Why == want:
	case err == nil && want == "":
	default:
		t.Fatalf("%s entered %s: %v; want %q", name, pin, err, want)
	}
	if refused != nil && strings.Contains(refused.Error(), pin) {
		t.Fatalf("the PIN is repeated: %v", refused)
	}
}

// fail counts a wrong PIN. Each lock-out lasts twice as long as the one before.
func (b *book) fail(l Limits, name string, now time.Time) Why {
	b.wrong[name]++
	beyond := b.wrong[name] - l.Tries
	if beyond < 0 {
		return WhyWrongPIN
	}
	b.until[name] = now.Add(min(l.LockOut<<min(beyond, 20), l.LockOutMost))
	return WhyLockedOut
}

// check compares what an authority says with what must be true.
func (b *book) check(t *rapid.T, s *stand, now time.Time) {
	want := b.who
	switch {
	case s.o.Proof == PINAndKey && !b.key:
		want = ""
	case s.o.Proof != PINAndKey && b.key && b.who == "":
		want = "holder"
	}
	by, err := s.Vouch(now, vocab.Supervisor, "")
	if by != want || (err == nil) != (want != "") {
		t.Fatalf("it is vouched for %q, %v; want %q", by, err, want)
	}
	status := s.Status(now, Own)
	if status.Present != want || (status.Needs == 0) != (want != "") {
		t.Fatalf("the status is %+v; want %q present", status, want)
	}
	locked := 0
	for name, until := range b.until {
		if !now.Before(until) {
			continue
		}
		locked++
		if next := s.Next(now); next.After(until) || !next.After(now) {
			t.Fatalf("something changes at %v, but next is %v", until, next)
		}
		for _, l := range status.Locked {
			if l.Name == name && !l.Until.Equal(until) {
				t.Fatalf("%s is locked out until %v; want %v", name, l.Until, until)
			}
		}
	}
	if len(status.Locked) != locked {
		t.Fatalf("%+v are locked out; want %d", status.Locked, locked)
	}
}

// TestLockOutGrows: never shorter with one more wrong PIN, never over its bound,
// however many there are and whatever the limits.
func TestLockOutGrows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := Limits{Tries: rapid.IntRange(1, 1000).Draw(t, "tries")}
		l.LockOut = time.Duration(rapid.Int64Range(1, int64(24*time.Hour)).Draw(t, "lock-out"))
		l.LockOutMost = time.Duration(rapid.Int64Range(int64(l.LockOut), int64(24*time.Hour)).Draw(t, "most"))
		if err := l.check(); err != nil {
			t.Fatal(err)
		}
		count := rapid.OneOf(rapid.IntRange(0, 1100), rapid.IntRange(mostWrong-2, mostWrong))
		tries := Tries{Wrong: count.Draw(t, "wrong")}
		before := l.lockOut(tries.Wrong)
		after := l.wrong(tries, start, 0)
		d := l.lockOut(after.Wrong)
		if d < before || d > l.LockOutMost || d < 0 || d > 0 && d < l.LockOut || after.Wrong > mostWrong {
			t.Fatalf("after %d wrong PINs it is %v, after %d it is %v", tries.Wrong, before, after.Wrong, d)
		}
		if d > 0 && !after.Until.Equal(start.Add(d)) {
			t.Fatalf("it ends at %v", after.Until)
		}
	})
}
