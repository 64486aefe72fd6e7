package simtest

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Clock counts one sort of thing that happens in a storm. Faults are tied to these counts, and not to the time, so that
// the same script gives the same storm.
type Clock string

// The clocks.
const (
	// Card counts the cards that the dealer draws: the fault happens as the hand moves.
	Card Clock = "card"
	// Write counts the operations that change the disk: the fault happens before the operation.
	Write Clock = "write"
	// Send counts what the table writes to the shoe: the fault happens before it.
	Send Clock = "send"
	// Message counts what the broker receives from the table: the fault happens before it is taken.
	Message Clock = "message"
)

// Fault is a line of a script: what goes wrong at which count of a clock.
type Fault struct {
	On   Clock
	At   int
	What string
	Args Args
}

// Args are a fault's details: names with values.
type Args []string

// get is the value of a name, "" if it is not there.
func (a Args) get(name string) string {
	for _, arg := range a {
		if key, value, _ := strings.Cut(arg, "="); key == name {
			return value
		}
	}
	return ""
}

// has says whether a word is there.
func (a Args) has(word string) bool { return slices.Contains(a, word) }

func (a Args) number(name string) int {
	n, _ := strconv.Atoi(a.get(name)) // Parse has checked it
	return n
}

func (a Args) rate(name string) float64 {
	n, _ := strconv.ParseFloat(a.get(name), 64) // Parse has checked it
	return n
}

func (a Args) time(name string) time.Duration {
	d, _ := time.ParseDuration(a.get(name)) // Parse has checked it
	return d
}

func (f Fault) String() string {
	return strings.Join(append([]string{string(f.On), strconv.Itoa(f.At), f.What}, f.Args...), " ")
}

// Script is a whole storm: the table that it hits, and the faults.
type Script struct {
	// Seed decides what is not in the script: the cards, the players, what noise does to which byte.
	Seed uint64
	// Make is the shoe's make, House the house's profile.
	Make, House string
	// Rounds is how many rounds are dealt before the calm.
	Rounds int
	// Pace is the time between two movements of the dealer's hand.
	Pace time.Duration
	// Key says that shoe and table share a key.
	Key bool
	// Panel says that the dealer and the supervisor have keys: contacts that are read as those of a board.
	Panel  bool
	Faults []Fault
}

// String writes the script as Parse reads it.
func (s Script) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "storm seed=%d make=%s house=%s rounds=%d pace=%s", s.Seed, s.Make, s.House, s.Rounds, s.Pace)
	if s.Key {
		b.WriteString(" key")
	}
	if s.Panel {
		b.WriteString(" panel")
	}
	b.WriteByte('\n')
	for _, f := range s.Faults {
		fmt.Fprintln(&b, f)
	}
	return b.String()
}

// Parse reads a script.
func Parse(r io.Reader) (Script, error) {
	var s Script
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if err := s.line(words); err != nil {
			return s, fmt.Errorf("line %d of the script: %w", n, err)
		}
	}
	if s.Make == "" {
		return s, fmt.Errorf("the script has no line such as %q",
			"storm seed=1 make=sabot house=wiesbaden rounds=40 pace=100ms")
	}
	return s, lines.Err()
}

func (s *Script) line(words []string) error {
	if words[0] == "storm" {
		return s.head(words[1:])
	}
	if len(words) < 3 {
		return fmt.Errorf("%q is not a clock, a count and a fault", strings.Join(words, " "))
	}
	at, err := strconv.Atoi(words[1])
	if err != nil {
		return fmt.Errorf("the count %q: %w", words[1], err)
	}
	f := Fault{Clock(words[0]), at, words[2], words[3:]}
	k := kindNamed(f.What)
	if k == nil || !slices.Contains(k.on, f.On) {
		return fmt.Errorf("there is no fault %q on the clock %q", f.What, f.On)
	}
	s.Faults = append(s.Faults, f)
	return nil
}

func (s *Script) head(words []string) (err error) {
	a := Args(words)
	if s.Seed, err = strconv.ParseUint(a.get("seed"), 10, 64); err != nil {
		return fmt.Errorf("the seed: %w", err)
	}
	if s.Rounds, err = strconv.Atoi(a.get("rounds")); err != nil {
		return fmt.Errorf("the rounds: %w", err)
	}
	if s.Pace, err = time.ParseDuration(a.get("pace")); err != nil {
		return fmt.Errorf("the pace: %w", err)
	}
	s.Make, s.House, s.Key, s.Panel = a.get("make"), a.get("house"), a.has("key"), a.has("panel")
	return nil
}
