package authority

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/table/vocab"
)

// pair is a name at a place.
type pair struct {
	at   Place
	name string
}

// book is what must be true of an authority, kept by what was done to it alone.
type book struct {
	wrong map[pair]int
	until map[pair]time.Time // the end of each lock-out
	// screens and names are the tries, and the pauses, of places where many names were tried, and of names that were at
	// many screens of the network.
	screens map[Place]pause
	names   map[string]pause
	// who is present by a PIN, and until when.
	who   string
	at    Place // where who has entered
	leave time.Time
	key   bool
}

type pause struct {
	tries int
	until time.Time
}

// places are where PINs are entered: enough that a name is tried at too many.
var places = []Place{Own, "bar", "door", "hall", "pit", "tablet"}

// pins are of letters, so that no time or count can be mistaken for one.
var pins = map[string]string{"anna": "opensesame", "bruno": "shibboleth", "dora": "alohomora", "emil": "mellon"}

const wrongPin = "abracadabra"

// TestNothingProvesButThePIN does anything in any order, at any time, through any
// number of restarts.
func TestNothingProvesButThePIN(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		proof := Proof(rapid.IntRange(int(PIN), int(PINOrKey)).Draw(t, "proof"))
		s := &stand{kept: []byte("{}"), o: Options{
			Proof: proof, Holder: "holder", Present: time.Minute,
			Limits: Limits{
				Tries: rapid.IntRange(1, 4).Draw(t, "tries"), LockOut: 10 * time.Second,
				LockOutMost: 15 * time.Minute,
			},
		}}
		if proof.UsesPIN() {
			for _, name := range slices.Sorted(maps.Keys(pins)) {
				s.o.Supervisors = append(s.o.Supervisors, Supervisor{name, cheap(pins[name])})
			}
		}
		now := start
		if err := s.open(now); err != nil {
			t.Fatal(err)
		}
		b := &book{
			wrong: map[pair]int{}, until: map[pair]time.Time{}, screens: map[Place]pause{},
			names: map[string]pause{},
		}
		t.Repeat(map[string]func(*rapid.T){
			"enter": func(t *rapid.T) { b.any(t, s, now) },
			"siege": func(t *rapid.T) { b.siege(t, s, now) },
			"wait": func(t *rapid.T) {
				now = now.Add(rapid.SampledFrom([]time.Duration{
					time.Nanosecond, time.Second, 10 * time.Second,
					time.Minute, 20 * time.Minute,
				}).Draw(t, "for"))
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
			"tick":  func(*rapid.T) { s.Tick(now) },
			"restart": func(t *rapid.T) {
				if err := s.open(now); err != nil {
					t.Fatal(err)
				}
				b.key, b.who = false, ""
			},
			"": func(t *rapid.T) { b.check(t, s, now) },
		})
		if all := strings.Join(s.told, "\n") + string(s.kept); strings.Contains(all, wrongPin) ||
			strings.Contains(all, pins["anna"]) {
			t.Fatalf("a PIN was told:\n%s", all)
		}
	})
}

func (b *book) pass(now time.Time) {
	if !now.Before(b.leave) {
		b.who = ""
	}
}

// siege enters a wrong PIN for a name at every place, or for every name at a place.
func (b *book) siege(t *rapid.T, s *stand, now time.Time) {
	name, at := rapid.SampledFrom(slices.Sorted(maps.Keys(pins))).Draw(t, "name"),
		rapid.SampledFrom(places).Draw(t, "at")
	if rapid.Bool().Draw(t, "everywhere") {
		for _, place := range places {
			b.enter(t, s, now, place, name, wrongPin)
		}
		return
	}
	for _, one := range slices.Sorted(maps.Keys(pins)) {
		b.enter(t, s, now, at, one, wrongPin)
	}
}

// any enters any PIN anywhere.
func (b *book) any(t *rapid.T, s *stand, now time.Time) {
	at := rapid.SampledFrom(places).Draw(t, "at")
	name := rapid.SampledFrom([]string{"anna", "anna", "bruno", "dora", "emil", "clara", ""}).Draw(t, "name")
	pin := rapid.SampledFrom([]string{pins["anna"], pins["bruno"], wrongPin, wrongPin}).Draw(t, "pin")
	b.enter(t, s, now, at, name, pin)
}

// enter enters a PIN, and knows what must come of it.
func (b *book) enter(t *rapid.T, s *stand, now time.Time, at Place, name, pin string) {
	err := s.Enter(t.Context(), now, at, name, pin)
	want := Why("")
	switch {
	case s.o.Proof == Key:
		want = WhyNoPINAsked
	case pins[name] == "":
		want = WhyUnknownName
	case now.Before(b.ends(at, name)):
		want = WhyLockedOut
	case pin == pins[name]:
		b.who, b.at, b.leave = name, at, now.Add(s.o.Present)
		b.right(s.o.Limits, pair{at, name})
	default:
		want = b.fail(s.o.Limits, pair{at, name}, now)
	}
	var refused *Refusal
	switch {
	case errors.As(err, &refused) && refused.Why == want:
	case err == nil && want == "":
	default:
		t.Fatalf("%s entered %s at %q: %v; want %q", name, pin, at, err, want)
	}
	if refused != nil && strings.Contains(refused.Error(), pin) {
		t.Fatalf("the PIN is repeated: %v", refused)
	}
}

// ends is when a name may be tried at a place.
func (b *book) ends(at Place, name string) time.Time {
	ends := b.until[pair{at, name}]
	for _, other := range []time.Time{b.screens[at].until, b.names[name].until} {
		if other.After(ends) && (at != Own || other == b.screens[at].until) {
			ends = other
		}
	}
	return ends
}

// many reports whether the pairs that are counted have been tried as often as so many that are locked out.
func (b *book) many(l Limits, most int, counts func(pair) bool) bool {
	sum := 0
	for p, wrong := range b.wrong {
		if counts(p) {
			sum += min(wrong, l.Tries)
		}
	}
	return sum >= most*l.Tries
}

func (b *book) manyNames(l Limits, at Place) bool {
	return b.many(l, 3, func(p pair) bool { return p.at == at })
}

func (b *book) manyScreens(l Limits, name string) bool {
	return b.many(l, 4, func(p pair) bool { return p.name == name && p.at != Own })
}

// right forgets the wrong PINs of a name at a place, and what is left when too few remain.
func (b *book) right(l Limits, p pair) {
	delete(b.wrong, p)
	delete(b.until, p)
	if !b.manyNames(l, p.at) {
		delete(b.screens, p.at)
	}
	if !b.manyScreens(l, p.name) {
		delete(b.names, p.name)
	}
}

// fail counts a wrong PIN. Each lock-out lasts twice as long as the one before.
func (b *book) fail(l Limits, p pair, now time.Time) (why Why) {
	why = WhyWrongPIN
	after := func(times int) time.Time {
		why = WhyLockedOut
		return now.Add(min(l.LockOut<<min(times, 20), l.LockOutMost))
	}
	b.wrong[p]++
	if beyond := b.wrong[p] - l.Tries; beyond >= 0 {
		b.until[p] = after(beyond)
	}
	if b.manyNames(l, p.at) {
		b.screens[p.at] = pause{b.screens[p.at].tries + 1, after(b.screens[p.at].tries)}
	}
	if p.at != Own && b.manyScreens(l, p.name) {
		b.names[p.name] = pause{b.names[p.name].tries + 1, after(b.names[p.name].tries)}
	}
	return why
}

// check compares what an authority says with what must be true.
func (b *book) check(t *rapid.T, s *stand, now time.Time) {
	want := "" // a PIN that was entered vouches for nothing
	if s.o.Proof != PINAndKey && b.key {
		want = "holder"
	}
	v, err := s.Vouch(context.Background(), now, vocab.Supervisor, "")
	if v.By != want || (err == nil) != (want != "") || s.Shown(now).Present != want {
		t.Fatalf("it is vouched for %q, %v; want %q", v.By, err, want)
	}
	for _, at := range places {
		want := want
		if at != Own { // where a turned key proves nothing by itself
			want = ""
		}
		if b.who != "" && b.at == at && (s.o.Proof != PINAndKey || b.key) {
			want = b.who
		}
		status := s.Status(now, at)
		if status.Present != want || (status.Needs == 0) != (want != "") {
			t.Fatalf("at %q the status is %+v; want %q present", at, status, want)
		}
		b.locked(t, s, now, at)
	}
}

// locked compares who is locked out at a place.
func (b *book) locked(t *rapid.T, s *stand, now time.Time, at Place) {
	var want []Locked
	for _, one := range s.o.Supervisors {
		until := b.ends(at, one.Name)
		if !now.Before(until) {
			continue
		}
		want = append(want, Locked{one.Name, until})
		if next := s.Next(now); next.After(until) || !next.After(now) {
			t.Fatalf("something changes at %v, but next is %v", until, next)
		}
	}
	same := func(a, b Locked) bool { return a.Name == b.Name && a.Until.Equal(b.Until) }
	if got := s.Status(now, at).Locked; !slices.EqualFunc(got, want, same) {
		t.Fatalf("at %q %+v are locked out; want %+v", at, got, want)
	}
}

// TestLockOutGrows: never shorter with one more wrong PIN, never over its bound,
// however many there are and whatever the limits.
func TestLockOutGrows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := Limits{Tries: rapid.IntRange(1, 1000).Draw(t, "tries")}
		l.LockOut = time.Duration(rapid.Int64Range(1, int64(24*time.Hour)).Draw(t, "lock-out"))
		l.LockOutMost = time.Duration(rapid.Int64Range(int64(l.LockOut), int64(24*time.Hour)).Draw(t, "most"))
		if err := l.Check(); err != nil {
			t.Fatal(err)
		}
		count := rapid.OneOf(rapid.IntRange(0, 1100), rapid.IntRange(mostWrong-2, mostWrong))
		tries := Tries{Wrong: count.Draw(t, "wrong")}
		before := l.Pause(tries.Wrong)
		after := l.afterWrong(tries, start, 0)
		d := l.Pause(after.Wrong)
		if d < before || d > l.LockOutMost || d < 0 || d > 0 && d < l.LockOut || after.Wrong > mostWrong {
			t.Fatalf("after %d wrong PINs it is %v, after %d it is %v", tries.Wrong, before, after.Wrong, d)
		}
		if d > 0 && !after.Until.Equal(start.Add(d)) {
			t.Fatalf("it ends at %v", after.Until)
		}
	})
}
