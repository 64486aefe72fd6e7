package practice

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/vocab"
)

// ID names an exercise: of equal IDs Make makes the same one, as long as the house's rules stay the same.
type ID struct {
	House string `json:"house"`
	Kind  Kind   `json:"kind"`
	Level int    `json:"level"`
	Seed  uint64 `json:"seed"`
	// Topic is what the exercise should be about; it may be about something else where that is too rare.
	Topic string `json:"topic"`
}

// Exercise is a position, and a question about it.
type Exercise struct {
	ID
	// About is the topic that it is about.
	About string
	// Shows is what the trainee sees: nothing that is asked is decided in it. After is how the engine ended the round.
	Shows, After display.View
	// Box and Hand are what is asked about, 0 for the bank.
	Box, Hand int
	Right     Answer
	// Lines are how a payout is worked out.
	Lines []Working
	// Float is the tray that is asked about, nil where none is.
	Float *Float
	// Rules are those of the house that decide it, and Rounding what it does with a payout that is not even.
	Rules    []Rule
	Rounding money.Rounding
}

// Answer is what a trainee answers: of which the exercise's kind has one.
type Answer struct {
	Amount int64
	Draws  bool
	Calls  vocab.Calls
	Step   Step
}

// The answers of the kind Bank.
const (
	Draw  = "draw"
	Stand = "stand"
)

// ParseAnswer reads an answer: an amount such as 37.50 of a currency with so many decimals, draw or stand, or calls
// such as card,rest.
func ParseAnswer(k Kind, text string, digits int) (a Answer, err error) {
	switch k {
	case Payouts, Tray:
		a.Amount, err = money.Parse(text, digits)
	case Bank:
		if a.Draws = text == Draw; !a.Draws && text != Stand {
			err = fmt.Errorf("%q is no answer: write %s or %s", text, Draw, Stand)
		}
	case Hole:
		step, known := stepNames.Parse(text)
		if a.Step = step; !known {
			err = fmt.Errorf("%q is no answer: write offer, look, play or turn", text)
		}
	case Calls:
		for name := range strings.SplitSeq(text, ",") {
			c, ok := vocab.ParseCall(name)
			if !ok && text != "" {
				return a, fmt.Errorf("%q is not a call", name)
			}
			if ok {
				a.Calls = a.Calls.With(c)
			}
		}
	default:
		err = fmt.Errorf("%s have no answer", k)
	}
	return a, err
}

// Text writes an answer as ParseAnswer reads it.
func (a Answer) Text(k Kind, digits int) string {
	switch k {
	case Payouts, Tray:
		return money.Format(a.Amount, digits)
	case Bank:
		if a.Draws {
			return Draw
		}
		return Stand
	case Hole:
		return a.Step.String()
	}
	var names []string
	for c := range a.Calls.All {
		names = append(names, c.String())
	}
	return strings.Join(names, ",")
}

// tries is how many rounds are played at most to find one on a topic.
const tries = 3000

// Make makes the exercise of an ID. The error is a fault: no house has it.
func Make(house *profile.House, id ID) (Exercise, error) {
	ask, known := asks[id.Kind]
	if !known && id.Kind != Tray || id.Level < 1 || id.Level > Levels {
		return Exercise{}, fmt.Errorf("%s of level %d are no exercises of a round", id.Kind, id.Level)
	}
	var another *Exercise
	for try := range uint64(tries) {
		dice := rand.New(rand.NewPCG(id.Seed, try))
		found, err := all(house, id, dice, ask)
		if err != nil {
			return Exercise{}, fmt.Errorf("%s in %s, level %d, seed %d: %w", id.Kind, id.House, id.Level, id.Seed, err)
		}
		dice.Shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
		for _, e := range found {
			if id.Topic == "" || e.About == id.Topic {
				return e, nil
			}
			if another == nil {
				another = &e
			}
		}
	}
	if another == nil {
		return Exercise{}, fmt.Errorf("no round of %s has %s of level %d", id.House, id.Kind, id.Level)
	}
	return *another, nil
}

// all is what can be asked of what these dice throw.
func all(house *profile.House, id ID, dice *rand.Rand, ask asking) ([]Exercise, error) {
	if id.Kind == Tray {
		return askTray(house, id, dice)
	}
	return one(house, id, dice, ask(house, id))
}

// asking asks what can be asked at a moment of a round.
type asking func(*profile.House, ID) func(moment) []Exercise

// one plays a round, and returns what can be asked in it.
func one(house *profile.House, id ID, dice *rand.Rand, ask func(moment) []Exercise) ([]Exercise, error) {
	var found []Exercise
	var end display.View
	err := play(house.Rules, id.Kind, id.Level, dice, func(m moment) {
		found = append(found, ask(m)...)
		if m.table.Phase() == vocab.Payment && len(found) > 0 {
			end = m.view()
		}
	})
	for i := range found {
		e := &found[i]
		e.ID, e.Rounding = id, house.Table.Rounding
		e.After = only(end, e.boxes())
		e.After.Due = display.Due{} // nobody is paid next
		e.Shows = only(e.Shows, e.boxes())
	}
	return found, err
}

// asks are, by kind, what can be asked at a moment of a round.
var asks = map[Kind]asking{
	Payouts: askPayouts, Bank: askBank, Calls: askCalls, Hole: askHole,
}

// boxes are those that the exercise shows, none for all that are played.
func (e *Exercise) boxes() []int {
	if e.Box == 0 {
		return nil
	}
	return []int{e.Box}
}

// only is a view with some of its boxes; with none, with all that are played. What a table's own screens have besides,
// an exercise does not.
func only(v display.View, boxes []int) display.View {
	v.Boxes = slices.DeleteFunc(slices.Clone(v.Boxes), func(b display.Box) bool {
		return len(boxes) > 0 && !slices.Contains(boxes, b.Number) || len(b.Bettors) == 0
	})
	v.Sums, v.Undo, v.Moment = nil, display.Press{}, ""
	if v.Bets != nil {
		v.Bets = &display.Bets{Amounts: v.Bets.Amounts, Chips: v.Bets.Chips}
	}
	return v
}

// Judge says whether an answer is right.
func (e *Exercise) Judge(a Answer) bool { return a == e.Right }

// Hidden says that what the hands count is not shown: who deals counts.
func (e *Exercise) Hidden() bool { return e.Kind != Calls && e.Kind != Tray && e.Level == Levels }

// Rule is a value of a house's profile, and where the house says so.
type Rule struct {
	Path, Value string
	profile.Origin
}

// ruleAt looks a value up.
func ruleAt(house *profile.House, path string) Rule {
	r := Rule{Path: path, Origin: house.Origin(path)}
	for at, value := range house.Values() {
		if at == path {
			r.Value = value
		}
	}
	return r
}

// written are the rules among those at the paths that the house's profile has.
func written(house *profile.House, paths []string) (all []Rule) {
	for path := range house.Values() {
		if slices.Contains(paths, path) {
			all = append(all, ruleAt(house, path))
		}
	}
	return all
}

func rulesAt(house *profile.House, paths ...string) []Rule {
	var all []Rule
	for _, path := range paths {
		all = append(all, ruleAt(house, path))
	}
	return all
}
