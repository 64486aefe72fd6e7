package simtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// perHour is how many rounds a table deals in an hour.
const perHour = 80

// Tally adds up the results of storms.
type Tally struct {
	Storms, Rounds, Cards, Lives int
	Faults, Held, Inputs         map[string]int
	Tampered, Unnoticed          int
}

// Add adds a storm.
func (t *Tally) Add(r Result) {
	if t.Faults == nil {
		t.Faults, t.Held, t.Inputs = map[string]int{}, map[string]int{}, map[string]int{}
	}
	t.Storms++
	t.Rounds += r.Rounds
	t.Cards += r.Cards
	t.Lives += r.Lives
	t.Tampered += r.Tampered
	t.Unnoticed += r.Unnoticed
	for name, n := range r.Faults {
		t.Faults[name] += n
	}
	for name, n := range r.Held {
		t.Held[name] += n
	}
	for name, n := range r.Inputs {
		t.Inputs[name] += n
	}
}

// Hours is how long a real table would have dealt.
func (t *Tally) Hours() float64 { return float64(t.Rounds) / perHour }

// Report says in a few lines what happened in so much time.
func (t *Tally) Report(took time.Duration) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d storms, %d rounds (%.0f table-hours, %.0f a minute), %d cards, %d starts of the table\n",
		t.Storms, t.Rounds, t.Hours(), t.Hours()/took.Minutes(), t.Cards, t.Lives)
	fmt.Fprintf(&b, "faults: %s\nput right by a supervisor: %s\ninputs that were taken: %s", counts(t.Faults),
		counts(t.Held), counts(t.Inputs))
	if t.Tampered > 0 {
		fmt.Fprintf(&b, "\nwith an insider: %d, of which the audit finds nothing wrong in %d", t.Tampered, t.Unnoticed)
	}
	return b.String()
}

func counts(of map[string]int) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		list = append(list, fmt.Sprintf("%s %d", name, of[name]))
	}
	return strings.Join(list, ", ")
}
