package authority

import (
	"context"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// usual are the limits of a house that configures none.
var usual = Limits{3, 30 * time.Second, 15 * time.Minute}

const night = 8 * time.Hour

// failing is a test, or one case of a property.
type failing interface {
	Context() context.Context
	Fatal(args ...any)
}

// besieged is a table without people, whose supervisors' PINs are guessed.
func besieged(t failing, l Limits, names ...string) *Authority {
	o := options()
	o.Limits, o.Supervisors = l, nil
	for _, name := range names {
		o.Supervisors = append(o.Supervisors, Supervisor{name, cheap("2580")})
	}
	a, err := New(o, State{}, start)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// guess enters a wrong PIN, and reports whether it was looked at: else it was no guess.
func guess(t failing, a *Authority, at time.Time, place Place, name string) bool {
	before := a.state.Supervisors.At[place][name]
	if err := a.Enter(t.Context(), at, place, name, "1111"); err == nil {
		t.Fatal("a wrong PIN is taken")
	}
	return a.state.Supervisors.At[place][name] != before
}

// open is how long a name is still locked out at a place.
func open(a *Authority, at time.Time, place Place, name string) time.Duration {
	return max(0, a.state.Supervisors.locked(place, name).until.Sub(at))
}

// TestAttackGuessesFromManyScreens: whoever has a thousand screens, and tries one name at whichever will take it for a
// night, has four times as many guesses as at one, however they begin. The numbers stand in docs/irregularities.md.
func TestAttackGuessesFromManyScreens(t *testing.T) {
	const most = 4 * 38
	tries, through := 0, 0
	for _, screens := range []int{1, 2, 3, 4, 5, 12, 1000} {
		// They go on with so many screens as never lock the name out everywhere, and with all when the night ends.
		for _, held := range []int{1, 2, 3, 4, 1000} {
			if held*screens > tier.Times(12_000, 1_000_000) {
				continue // a thousand screens that all go on are a million tries
			}
			a, guesses := besieged(t, usual, "anna"), 0
			everywhere := func(at time.Time, n int) {
				for i := range n {
					for guess(t, a, at, Place(fmt.Sprint("screen-", i)), "anna") {
						guesses++
					}
				}
			}
			for at := start; at.Before(start.Add(night)); at = at.Add(30 * time.Second) {
				everywhere(at, min(held, screens))
			}
			everywhere(start.Add(night), screens)
			tries++
			if guesses > most {
				through++
				t.Errorf("%d screens, of which %d go on, have %d guesses", screens, held, guesses)
			}
			if open(a, start.Add(night), Own, "anna") != 0 {
				t.Error("the table's own screen is locked")
			}
		}
	}
	attack.Report(t, "nights of guessing one PIN from many screens", tries, through)
}

// TestAttackLockOut: somebody at up to three screens tries all names, in any order and at any pace. At every other
// screen each supervisor is let in at once, and at the table's own whatever they have.
func TestAttackLockOut(t *testing.T) {
	tries, through := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		names := []string{"anna", "bruno", "clara", "dora"}
		taken := []Place{"bar", "door", "hall", "pit"}[:rapid.IntRange(1, 4).Draw(t, "screens")]
		a, now := besieged(t, usual, names...), start
		for range rapid.IntRange(1, 200).Draw(t, "guesses") {
			now = now.Add(rapid.SampledFrom([]time.Duration{
				0, 0, time.Second, 30 * time.Second,
				15 * time.Minute,
			}).Draw(t, "wait"))
			guess(t, a, now, rapid.SampledFrom(taken).Draw(t, "at"), rapid.SampledFrom(names).Draw(t, "name"))
		}
		for _, name := range names {
			ways := []Place{Own}
			if len(taken) < 4 {
				ways = append(ways, "floor")
			}
			for _, place := range ways {
				tries++
				if err := a.Enter(t.Context(), now, place, name, "2580"); err != nil {
					through++
					t.Errorf("%s is kept out at %q: %v", name, place, err)
				}
			}
		}
	})
	attack.Report(t, "lock-outs from other screens", tries, through)
}

// TestForgotten: after a day nothing of a wrong PIN is left, nor of a screen that is gone.
func TestForgotten(t *testing.T) {
	a := besieged(t, usual, "anna", "bruno")
	for range 3 {
		guess(t, a, start, "bar", "anna")
	}
	later := start.Add(triesKept)
	guess(t, a, later, Own, "bruno")
	if len(a.state.Supervisors.At) != 1 || a.state.Supervisors.At[Own]["bruno"].Wrong != 1 {
		t.Errorf("there is %+v", a.state.Supervisors)
	}
}
