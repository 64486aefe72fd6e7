package keys_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/device/keys"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
)

const ms = time.Millisecond

// row is some contacts of every use.
func row() keys.Settings {
	return usual(
		keys.Contact{Call: true}, keys.Contact{Call: true, Long: true}, keys.Contact{Call: true, Long: true},
		keys.Contact{}, keys.Contact{Long: true}, keys.Contact{Switch: true},
		keys.Contact{Switch: true, Debounce: 60 * ms},
	)
}

// movements are edges of contacts that may do anything, and sometimes nothing for long.
func movements(t *rapid.T, contacts int) []keys.Edge {
	var at time.Duration
	pause := rapid.OneOf(rapid.IntRange(0, 8), rapid.IntRange(0, 160), rapid.IntRange(600, 800),
		rapid.IntRange(0, 12000))
	closed := make([]bool, contacts)
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) keys.Edge {
		at += time.Duration(pause.Draw(t, "pause")) * ms
		e := keys.Edge{Key: rapid.IntRange(0, contacts-1).Draw(t, "key"), At: at}
		if what := rapid.IntRange(0, 19).Draw(t, "what"); what < 2 {
			e.Gone, e.Back = what == 0, what == 1
			closed[e.Key] = e.Back && rapid.Bool().Draw(t, "found closed")
			e.Closed = closed[e.Key]
			return e
		}
		// At times a change there and back was too short to be seen.
		if rapid.IntRange(0, 9).Draw(t, "changes") > 0 {
			closed[e.Key] = !closed[e.Key]
		}
		e.Closed, e.Lost = closed[e.Key], rapid.IntRange(0, 40).Draw(t, "lost") == 0
		return e
	}), 0, 120).Draw(t, "edges")
}

// tell plays edges; between is called before each and may advance the clock.
func tell(s keys.Settings, held []bool, edges []keys.Edge,
	between func(f *keys.Filter, until time.Duration) []keys.Event,
) []keys.Event {
	f := keys.New(s)
	told := slices.Clone(f.Start(0, held))
	for _, e := range edges {
		told = append(told, between(f, e.At)...)
		told = append(told, f.Edge(e)...)
	}
	var end time.Duration
	if len(edges) > 0 {
		end = edges[len(edges)-1].At
	}
	return append(told, f.Advance(end+time.Minute)...)
}

func never(*keys.Filter, time.Duration) []keys.Event { return nil }

// It makes no difference how often the filter is told the time.
func TestAdvanceChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := row()
		held := rapid.SliceOfN(rapid.Bool(), len(s.Contacts), len(s.Contacts)).Draw(t, "held")
		edges := movements(t, len(s.Contacts))
		var now time.Duration
		often := tell(s, held, edges, func(f *keys.Filter, until time.Duration) (told []keys.Event) {
			for range rapid.IntRange(0, 3).Draw(t, "looks") {
				now += time.Duration(rapid.Int64Range(0, int64(until-now)).Draw(t, "time"))
				told = append(told, f.Advance(now)...)
			}
			now = until
			return told
		})
		if once := tell(s, held, edges, never); !slices.Equal(once, often) {
			t.Fatalf("told rarely\n%v\nand often\n%v", once, often)
		}
	})
}

// Something happens at Next, and nothing before.
func TestNext(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := row()
		f := keys.New(s)
		for _, e := range movements(t, len(s.Contacts)) {
			for f.Next() <= e.At {
				next := f.Next()
				if early := f.Advance(next - 1); len(early) > 0 {
					t.Fatalf("%v is reported before %v", early, next)
				}
				f.Advance(next)
				if f.Next() <= next {
					t.Fatalf("at %v, something is due at %v", next, f.Next())
				}
			}
			f.Edge(e)
		}
	})
}

// A button pressed as hands press it reports each press once, at its time, however it bounces.
func TestEveryPressIsReported(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		long := rapid.Bool().Draw(t, "has a long press")
		var edges []keys.Edge
		var want []keys.Event
		var at time.Duration
		move := func(closed bool) (first time.Duration) {
			first = at
			for range rapid.IntRange(0, 4).Draw(t, "bounces") * 2 {
				edges = append(edges, keys.Edge{Closed: closed, At: at})
				closed = !closed
				at += time.Duration(rapid.Int64Range(1, int64(19*ms)).Draw(t, "bounce"))
			}
			edges = append(edges, keys.Edge{Closed: closed, At: at})
			return first
		}
		for range rapid.IntRange(1, 10).Draw(t, "presses") {
			closed := move(true)
			at = max(at, closed) + 20*ms + time.Duration(rapid.IntRange(0, 2000).Draw(t, "hold"))*ms
			opened := move(false)
			switch {
			case !long:
				want = append(want, keys.Event{Kind: keys.Short, At: closed})
			case opened-closed < keys.UsualLong:
				want = append(want, keys.Event{Kind: keys.Short, At: opened})
			default:
				want = append(want, keys.Event{Kind: keys.Long, At: closed + keys.UsualLong})
			}
			at += 20*ms + keys.UsualWindow
		}
		s := usual(keys.Contact{Call: rapid.Bool().Draw(t, "call"), Long: long})
		if got := tell(s, []bool{false}, edges, never); !slices.Equal(got, want) {
			t.Fatalf("edges %v\ngive  %v\nnot   %v", edges, got, want)
		}
	})
}

// Whatever contacts do, the events keep their promises.
func TestPromises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := row()
		held := rapid.SliceOfN(rapid.Bool(), len(s.Contacts), len(s.Contacts)).Draw(t, "held")
		if err := promises(s, tell(s, held, movements(t, len(s.Contacts)), never)); err != nil {
			t.Fatal(err)
		}
	})
}

// promises finds what a sequence of events must never contain.
func promises(s keys.Settings, told []keys.Event) error {
	trouble := make([]keys.Kind, len(s.Contacts))
	on := make([]bool, len(s.Contacts))
	var called *keys.Event
	for i, e := range told {
		use := s.Contacts[e.Key]
		switch e.Kind {
		case keys.Short, keys.Long:
			if use.Switch || e.Kind == keys.Long && !use.Long {
				return fmt.Errorf("event %d: %v of a %+v", i, e, use)
			}
			if trouble[e.Key] != 0 {
				return fmt.Errorf("event %d: %v of a button that is %s", i, e, trouble[e.Key])
			}
			if use.Call {
				if called != nil && called.Key != e.Key && e.At-called.At < s.Window {
					return fmt.Errorf("event %d: %v is reported so soon after %v", i, e, *called)
				}
				called = &told[i]
			}
		case keys.On, keys.Off:
			// A switch that is found open says so, whatever it was.
			if !use.Switch || e.Kind == keys.On && on[e.Key] {
				return fmt.Errorf("event %d: %v of a switch that is on: %t", i, e, on[e.Key])
			}
			on[e.Key] = e.Kind == keys.On
		case keys.Gone:
			trouble[e.Key], on[e.Key] = 0, false
		case keys.Contradiction:
			if e.Key == e.Other || !use.Call || !s.Contacts[e.Other].Call {
				return fmt.Errorf("event %d: %v, of %+v", i, e, use)
			}
			if e.Given && (called == nil || called.Key != e.Other || e.At-called.At >= s.Window) {
				return fmt.Errorf("event %d: %v takes back what was not reported just before", i, e)
			}
			if e.Given {
				called = nil
			}
		case keys.Held, keys.Stuck, keys.Unsteady:
			if trouble[e.Key] != 0 {
				return fmt.Errorf("event %d: %v of a contact that is %s", i, e, trouble[e.Key])
			}
			trouble[e.Key] = e.Kind
		case keys.Cleared:
			if trouble[e.Key] == 0 {
				return fmt.Errorf("event %d: %v clears nothing", i, e)
			}
			trouble[e.Key] = 0
		case keys.Again, keys.Brief:
			if use.Switch {
				return fmt.Errorf("event %d: %v of a switch", i, e)
			}
		default:
			return fmt.Errorf("event %d: unknown kind in %v", i, e)
		}
	}
	return nil
}

// FuzzFilter reads one byte as a contact and one as the time since the previous edge.
func FuzzFilter(f *testing.F) {
	f.Add([]byte{0, 1, 0x80, 20, 1, 5, 0x81, 255})
	f.Add([]byte{2, 0, 1, 100, 0x82, 3, 0x81, 1, 0x43, 2, 0xC3, 200})
	f.Fuzz(func(t *testing.T, data []byte) {
		s := row()
		var edges []keys.Edge
		var at time.Duration
		for ; len(data) >= 2; data = data[2:] {
			pause := time.Duration(data[1]) * ms
			at += pause * pause / (4 * ms) // up to 16 s
			edges = append(edges, keys.Edge{
				Key: int(data[0]&0x0F) % len(s.Contacts), Closed: data[0]&0x80 == 0, Lost: data[0]&0x40 != 0, At: at,
				Gone: data[0]&0x30 == 0x20, Back: data[0]&0x30 == 0x30,
			})
		}
		once := tell(s, nil, edges, never)
		if err := promises(s, once); err != nil {
			t.Error(err)
		}
		often := tell(s, nil, edges, func(f *keys.Filter, until time.Duration) (told []keys.Event) {
			for next := f.Next(); next < until; next = f.Next() {
				told = append(told, f.Advance(next)...)
			}
			return told
		})
		if !slices.Equal(once, often) {
			t.Errorf("told rarely\n%v\nand often\n%v", once, often)
		}
	})
}

// stretch is a time in which a contact is closed, or can be read.
type stretch struct{ from, to time.Duration }

// stretches are times that follow each other with pauses.
func stretches(t *rapid.T, what string, most int, long, pause *rapid.Generator[int]) (all []stretch) {
	var at time.Duration
	for range rapid.IntRange(0, most).Draw(t, what) {
		at += time.Duration(pause.Draw(t, "pause before "+what)) * ms
		all = append(all, stretch{at, at + time.Duration(long.Draw(t, what))*ms})
		at = all[len(all)-1].to
	}
	return all
}

// A button is pressed by a hand while its contact is lost and found again: each press that was seen as a whole is
// reported once, and no other.
func TestNoPressAcrossALoss(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		long := rapid.Bool().Draw(t, "has a long press")
		presses := stretches(t, "press", 12, rapid.IntRange(21, 1500), rapid.IntRange(200, 900))
		losses := stretches(t, "loss", 6, rapid.IntRange(1, 3000), rapid.IntRange(1, 3000))
		s := usual(keys.Contact{Call: true, Long: long})
		var got []time.Duration
		for _, e := range tell(s, []bool{false}, seen(presses, losses), never) {
			if e.Kind == keys.Short || e.Kind == keys.Long {
				got = append(got, e.At)
			}
		}
		if want := whole(presses, losses, long); !slices.Equal(got, want) {
			t.Fatalf("presses %v, losses %v: pressed at %v, want %v", presses, losses, got, want)
		}
	})
}

// lostAt says whether a contact cannot be read at a time.
func lostAt(losses []stretch, at time.Duration) bool {
	return slices.ContainsFunc(losses, func(l stretch) bool { return l.from <= at && at < l.to })
}

// seen are the edges that a bank reports.
func seen(presses, losses []stretch) (edges []keys.Edge) {
	down := func(at time.Duration) bool {
		return slices.ContainsFunc(presses, func(p stretch) bool { return p.from <= at && at < p.to })
	}
	for _, p := range presses {
		edges = append(edges, keys.Edge{At: p.from, Closed: true}, keys.Edge{At: p.to})
	}
	edges = slices.DeleteFunc(edges, func(e keys.Edge) bool { return lostAt(losses, e.At) })
	for _, l := range losses {
		edges = append(edges, keys.Edge{At: l.from, Gone: true}, keys.Edge{At: l.to, Back: true, Closed: down(l.to)})
	}
	slices.SortStableFunc(edges, func(a, b keys.Edge) int { return int(a.At - b.At) })
	return edges
}

// whole are the times of the presses that could be seen from their beginning until it was clear what they are. The
// contact settles 20 ms after it moved.
func whole(presses, losses []stretch, long bool) (at []time.Duration) {
	for _, p := range presses {
		told, clear := p.from, p.from+keys.UsualDebounce
		switch {
		case long && p.to-p.from < keys.UsualLong:
			told, clear = p.to, p.to+keys.UsualDebounce
		case long:
			told, clear = p.from+keys.UsualLong, p.from+keys.UsualLong
		}
		if !slices.ContainsFunc(losses, func(l stretch) bool { return l.from < clear && l.to >= p.from }) {
			at = append(at, told)
		}
	}
	return at
}
