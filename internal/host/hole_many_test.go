package host_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/lcd"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/croupier"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// twin is one of two tables that differ in the hole card alone.
type twin struct {
	t       *testing.T
	runner  *runner.Runner
	table   *table.Table
	records []journal.Entry
	told    int // so many of the records were looked at
	log     strings.Builder
	hole    card.Card
}

func (w *twin) Append(entries []journal.Entry) error {
	w.records = append(w.records, entries...)
	return nil
}

func (w *twin) Next() (seq, event uint64) { return uint64(len(w.records)) + 1, 1 }

// twins are two tables of a house, and what ends them.
func twins(t *testing.T, setup rules.Setup, set *rules.Rules) (both [2]*twin, end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	began := time.Date(2026, 3, 14, 20, 0, 0, 0, time.UTC)
	done := make(chan error, 2)
	for i := range both {
		w := &twin{t: t, table: &table.Table{}}
		now := began
		key := runner.NewFacesKey()
		w.runner = runner.New(runner.Options{
			Journal: w, Table: w.table, Setup: &setup, Rules: set, Faces: &key, JournalID: "0f",
			Now: func() time.Time { now = now.Add(time.Second); return now },
			Log: slog.New(slog.NewTextHandler(&w.log, &slog.HandlerOptions{
				Level: slog.LevelDebug,
				ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
					if a.Key == slog.TimeKey {
						return slog.Attr{}
					}
					return a
				},
			})),
		})
		go func() { done <- w.runner.Run(ctx) }()
		w.put(vocab.Input{Kind: vocab.InNote, Code: "ready"}) // by then the table is set up, and can be looked at
		both[i] = w
	}
	return both, func() {
		cancel()
		for range both {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	}
}

func (w *twin) put(in vocab.Input) runner.Answer {
	answer, err := w.runner.Submit(w.t.Context(), in)
	if err != nil {
		w.t.Fatalf("%s: %v", in.Kind, err)
	}
	return answer
}

// left is what has left the table since it was asked last: its record but for the seals, and its log; and what its
// displays show.
func (w *twin) left() string {
	var b strings.Builder
	for _, e := range w.records[w.told:] {
		fmt.Fprintf(&b, "%s\n%s%s\n", seals.ReplaceAllStringFunc(string(e.Input), lengthOf), e.Outputs, e.Carry)
	}
	w.told = len(w.records)
	v := display.From(w.table, "bj-1", uint64(len(w.records)))
	text, err := json.Marshal(v)
	if err != nil {
		w.t.Fatal(err)
	}
	step := display.Prompt(v)
	fmt.Fprintf(&b, "%s\n%s\n%s\n%v\n%s\n%s", text, display.English.Say(step.Headline),
		display.English.Say(step.Detail),
		lcd.Screen{}.Lines(v), display.Moment(w.table), w.log.String())
	w.log.Reset()
	return b.String()
}

var twinRounds = flag.Int("hole.rounds", tier.Times(150, 3000), "rounds of two tables that differ in the hole card")

// TestNothingTellsTheHoleCard deals many rounds at two tables whose shoes differ in the hole card alone, and compares
// what leaves them before it is turned. make soak has a suite of it, of a hundred thousand rounds.
func TestNothingTellsTheHoleCard(t *testing.T) {
	const parallel = 3
	seed, houses := tier.SeedOf(t), holeHouses(t)
	var seen [parallel]holeSeen
	t.Run("parts", func(t *testing.T) {
		for part := range parallel {
			t.Run(strconv.Itoa(part), func(t *testing.T) {
				t.Parallel()
				dice := rand.New(rand.NewPCG(seed, uint64(part)))
				for nth := part; nth < *twinRounds && !t.Failed(); nth += parallel {
					dealTwins(t, dice, houses[dice.IntN(len(houses))], &seen[part])
				}
			})
		}
	})
	all := holeSeen{}
	for _, s := range seen {
		all.dealt, all.held, all.looked = all.dealt+s.dealt, all.held+s.held, all.looked+s.looked
	}
	t.Logf("%d hole cards, %d cards that came while the deal was held, %d looked at", all.dealt, all.held, all.looked)
	if all.dealt == 0 || all.held == 0 || all.looked == 0 {
		t.Error("some of it never came")
	}
}

// holeSeen is how often it came to what matters.
type holeSeen struct{ dealt, held, looked int }

// dealTwins deals a round at two tables of a house whose hole cards differ. Before it they play none, one or two that
// are the same: a table that has a past does not tell either.
func dealTwins(t *testing.T, dice *rand.Rand, house *profile.House, seen *holeSeen) {
	both, end := twins(t, rules.Setup{House: house.House}, house.Rules)
	defer end()
	r := &holeDealer{t: t, dice: dice, both: both, stock: croupier.Cards(house.Cards), holeSeen: seen}
	r.croupier = croupier.Croupier{Dice: dice, Boxes: 1 + dice.IntN(4), Sides: true}
	for range dice.IntN(3) {
		r.same = true
		r.deal()
	}
	r.same = false
	r.deal()
}

// holeHouses are houses with a hole card that is looked at in every way.
func holeHouses(t *testing.T) (list []*profile.House) {
	t.Helper()
	for _, name := range []string{"schaffhausen", "mendrisio", "st-moritz"} {
		for _, looks := range []string{"ace", "ten", "ace-and-ten", "end"} {
			for _, soft := range []string{"draws", "stands"} {
				house, err := profile.WhatIf(profile.Built()[name],
					[]string{"bank.hole_card=" + looks, "surrender=false", "bank.soft_17=" + soft})
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, house)
			}
		}
	}
	return list
}

// holeDealer deals rounds at both tables.
type holeDealer struct {
	t        *testing.T
	dice     *rand.Rand
	both     [2]*twin
	stock    []card.Card
	croupier croupier.Croupier
	same     bool // the hole card, too
	*holeSeen
}

func (r *holeDealer) draw() card.Card {
	at := r.dice.IntN(len(r.stock))
	c := r.stock[at]
	r.stock[at] = r.stock[len(r.stock)-1]
	r.stock = r.stock[:len(r.stock)-1]
	return c
}

// put puts an input in at both tables, and compares them.
func (r *holeDealer) put(in vocab.Input) {
	r.both[0].put(in)
	r.both[1].put(in)
	r.compare(in)
}

func (r *holeDealer) compare(in vocab.Input) {
	if one, other := r.both[0].left(), r.both[1].left(); one != other {
		from := 0
		for from < min(len(one), len(other)) && one[from] == other[from] {
			from++
		}
		from = max(0, from-200)
		r.t.Fatalf("after %s the tables differ, whose hole cards are %s and %s:\n…%.500s\n…%.500s", in.Kind,
			r.both[0].hole, r.both[1].hole, one[from:], other[from:])
	}
}

// deal deals a round, up to the turn of the hole card where the two differ. It must be the one that was dealt.
func (r *holeDealer) deal() {
	tab := r.both[0].table
	r.both[0].hole, r.both[1].hole = card.None, card.None // nobody is told what is dealt while the deal is held
	for opened := false; !r.t.Failed(); {
		if held, holding := tab.Held(); holding {
			r.put(r.puts(held))
			continue
		}
		in, decides := r.croupier.Next(tab)
		switch {
		case in.Kind == vocab.InOpen && opened:
			return // it is over, or nobody has played
		case decides && in.Hole == vocab.HoleTurned && !r.same:
			r.turn(in)
			return
		case decides:
			opened = opened || in.Kind == vocab.InOpen
			if in.Hole == vocab.HoleLook {
				r.looked++
			}
			r.put(in)
		case tab.Due().To == vocab.ToHole:
			r.layHole()
		case tab.Phase() == vocab.Deal && r.dice.IntN(16) == 0:
			r.unread()
		default:
			r.put(vocab.Input{Kind: vocab.InCard, Card: r.draw()})
		}
	}
}

// puts is the first way to put right what holds the round.
func (r *holeDealer) puts(held table.Irregularity) vocab.Input {
	in := vocab.Input{Kind: vocab.InResolve, Role: vocab.Supervisor, By: "s1"}
	for in.With = range held.Choices.All {
		break
	}
	if in.With == irregularity.Identify {
		in.Card = r.draw()
	}
	return in
}

// unread lets a card come unread in the deal, and others before anybody has said which it was. The hole card is among
// them as one that both tables have.
func (r *holeDealer) unread() {
	r.put(vocab.Input{Kind: vocab.InCard, Card: card.Unread})
	for range r.dice.IntN(3) {
		r.held++
		r.put(vocab.Input{Kind: vocab.InCard, Card: r.draw()})
	}
}

// layHole deals two hole cards of which the dealer sees the same.
func (r *holeDealer) layHole() {
	r.dealt++
	up := r.both[0].table.Bank().Cards[0]
	is := func(c card.Card) bool { return hand.BlackJack([]card.Card{up, c}) }
	one := r.draw()
	other := one
	for !r.same && (other == one || is(one) != is(other)) {
		other = r.draw()
	}
	for i, c := range [...]card.Card{one, other} {
		r.both[i].hole = c
		r.both[i].put(vocab.Input{Kind: vocab.InCard, Card: c})
	}
	r.compare(vocab.Input{Kind: vocab.InCard})
}

func (r *holeDealer) turn(in vocab.Input) {
	for _, w := range r.both {
		answer := w.put(in)
		if bank := w.table.Bank().Cards; answer.Rejected != 0 || w.hole != card.None && bank[1] != w.hole {
			r.t.Errorf("%v is turned (%s), and %s was dealt", bank, answer.Rejected, w.hole)
		}
	}
}
