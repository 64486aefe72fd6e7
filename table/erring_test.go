package table_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

var erringRounds = flag.Int("erring", tier.Times(3000, 100_000), "the rounds of the erring shift")

// errsOneIn is how many steps the dealer makes for one mistake.
const errsOneIn = 100

// errant is a dealer who errs, at a table that is watched by a session.
type errant struct {
	*session
	dice   *rand.Rand
	player *tabletest.Player
	// out counts the cards that have left the shoe since it was loaded.
	out map[card.Card]int
	// made and found are the mistakes by their name, and how many of them were seen or
	// left no trace; righted are those of putRight that were put right.
	made, found, righted map[string]int
}

// TestErringShift deals a shift in every house with a dealer who errs in one step of
// a hundred. Every mistake is seen at once, or leaves everything as it was; the books
// agree all the while. It prints what was put in and what was found.
func TestErringShift(t *testing.T) {
	made, found, righted := map[string]int{}, map[string]int{}, map[string]int{}
	for n, house := range houses {
		e := &errant{
			session: newSession(), dice: rand.New(rand.NewPCG(uint64(n), tier.Times(99, tier.Seed()))),
			out: map[card.Card]int{}, made: made, found: found, righted: righted,
		}
		e.player = &tabletest.Player{Dice: e.dice, Boxes: 1 + n, Freely: true}
		must(t, e.session, e.put(*tabletest.SetUp(rules.Setup{House: house})))
		for e.rounds < *erringRounds/len(houses) {
			must(t, e.session, e.next())
		}
	}
	for _, s := range slips {
		how := "seen at once"
		if s.seen == nil {
			how = "without a trace"
		}
		t.Logf("%-40s %7d put in %7d %s", s.name, made[s.name], found[s.name], how)
		if made[s.name] == 0 || found[s.name] != made[s.name] {
			t.Errorf("%s: %d put in, %d found", s.name, made[s.name], found[s.name])
		}
		if putRight[s.name] != nil && righted[s.name] == 0 {
			t.Errorf("%s was never put right", s.name)
		}
	}
}

// next makes the right step or, once in a while, a mistake.
func (e *errant) next() error {
	if len(e.inputs) > 1<<20 { // nobody replays a whole shift here
		e.inputs, e.outputs = e.inputs[:0], e.outputs[:0]
	}
	if _, held := e.tab.Held(); !held && (e.dice.IntN(errsOneIn) == 0 || e.neverYet()) {
		for _, s := range e.rarestFirst() {
			if puts := s.puts(e); puts != nil {
				return e.err(s, puts)
			}
		}
	}
	in := e.player.Next(&e.tab)
	in.Time = e.later(2000)
	if err := e.put(in); err != nil {
		return err
	}
	if !e.accepted {
		return fmt.Errorf("a right step was refused: %s", e.tab.Rejected())
	}
	return nil
}

// neverYet says that this moment allows a mistake that was not made so far.
func (e *errant) neverYet() bool {
	return slices.ContainsFunc(slips, func(s slip) bool { return e.made[s.name] == 0 && s.puts(e) != nil })
}

// rarestFirst are the mistakes in a random order, those first that were made least: what
// few moments allow would else come once in thousands of rounds.
func (e *errant) rarestFirst() []slip {
	order := slices.Clone(slips)
	e.dice.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	slices.SortStableFunc(order, func(a, b slip) int { return e.made[a.name] - e.made[b.name] })
	return order
}

// err makes a mistake and wants it seen, or without any trace.
func (e *errant) err(s slip, puts []vocab.Input) error {
	e.made[s.name]++
	before, seen := "", ""
	if s.seen == nil {
		before = state(&e.tab)
	}
	for _, in := range puts {
		if in.Time == 0 {
			in.Time = e.later(2000)
		}
		if err := e.put(in); err != nil {
			return err
		}
		seen = e.findings()
		if slices.Contains(s.seen, seen) {
			break
		}
	}
	switch {
	case s.seen == nil && state(&e.tab) != before:
		return fmt.Errorf("%s changed the table from\n%s\nto\n%s", s.name, before, state(&e.tab))
	case s.seen != nil && !slices.Contains(s.seen, seen):
		return fmt.Errorf("%s was not seen: %q, want one of %q", s.name, seen, s.seen)
	}
	e.found[s.name]++
	return e.right(s)
}

// right puts a mistake right, where that takes more than a choice.
func (e *errant) right(s slip) error {
	if putRight[s.name] == nil {
		return nil
	}
	for _, in := range putRight[s.name](e) {
		in.Time = e.later(2000)
		if err := e.put(in); err != nil {
			return err
		}
		if !e.accepted {
			return fmt.Errorf("%s could not be put right: %s", s.name, e.tab.Rejected())
		}
		e.righted[s.name]++
	}
	return nil
}

// findings is what the last input was answered with that says that it was wrong.
func (e *errant) findings() string {
	for _, out := range e.last {
		switch out.Kind {
		case vocab.Irregular:
			return out.Code.String()
		case vocab.Rejected:
			return out.Reason.String()
		}
	}
	return ""
}

// put puts an input in and counts the cards.
func (e *errant) put(in vocab.Input) error {
	shuffles := in.Kind == vocab.InOpen && e.tab.Rules() != nil && e.tab.Rules().Cards.Source == rules.Shuffler
	loads := in.Kind == vocab.InShoe && in.Shoe.Event == vocab.ShoeLoaded || in.Kind == vocab.InResolve &&
		in.With == irregularity.Reload
	if shuffles && e.tab.Phase() == vocab.Idle || loads || in.Kind == vocab.InSetup {
		clear(e.out)
	}
	if in.Kind == vocab.InCard || in.Kind == vocab.InResolve && in.With == irregularity.Identify {
		e.out[in.Card]++
	}
	return e.step(in)
}

// later moves the clock on by milliseconds.
func (e *errant) later(ms int64) int64 {
	e.now += ms * 1e6
	return e.now
}

func (e *errant) anyCard() card.Card {
	return card.Of(card.Rank(1+e.dice.IntN(13)), card.Suit(e.dice.IntN(4)))
}

func (e *errant) mayDraw() bool { return e.tab.Phase() != vocab.Idle }

func (e *errant) cardDue() bool {
	to := e.tab.Due().To
	return to == vocab.ToBox || to == vocab.ToBank
}

// bettorsFor names who leaves where a call has to name them.
func (e *errant) bettorsFor(call vocab.Call) []string {
	if call != vocab.CallSurrender {
		return nil
	}
	return []string{e.tab.Bettors(int(e.tab.Due().Box))[0].Name}
}
