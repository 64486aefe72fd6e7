package keysim

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
)

// TestJoins: a person does whatever comes to mind at the table, then the dealer takes
// over and deals the round to its end, and two more, without a card too many, though the
// display is slow to show what he draws.
func TestJoins(t *testing.T) {
	for _, house := range rules.Built().Names() {
		t.Run(house, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				b := newBench(t, rules.Setup{House: house})
				person(rt, b)
				decided := 0
				d := b.dealer(3, func(display.View) { decided++ })
				s := &slow{bench: b}
				d.Shoe, d.Display, d.Press = s, s, s.press
				if err := d.Run(t.Context()); err != nil {
					rt.Fatalf("the dealer, %+v: %v", display.From(&b.table, "bj-1", b.seq), err)
				}
				if decided < 2 || s.tooMany > 0 {
					rt.Errorf("%d rounds were decided; %d cards came that were not due", decided, s.tooMany)
				}
				if err := d.Run(t.Context()); err != nil {
					rt.Fatalf("the dealer, once more: %v", err)
				}
			})
		})
	}
}

// notDue counts the cards that came while none was due.
func (b *bench) notDue() int {
	return b.seen["irregular unexpected-card"] + b.seen["irregular bank-overdraw"] + b.seen["irregular card-without-call"]
}

// slow is a table whose display shows a card only to those who wait for it, and whose
// shoe takes back what comes, whoever drew it.
type slow struct {
	*bench
	onTheWay []card.Card
	arrived  int
	tooMany  int
}

func (s *slow) Draw() (card.Card, error) {
	c := s.cards[len(s.cards)-1]
	s.cards = s.cards[:len(s.cards)-1]
	s.onTheWay = append(s.onTheWay, c)
	return c, nil
}

func (s *slow) Await(_ context.Context, wanted func(display.View) bool) (display.View, error) {
	for {
		v := display.From(&s.table, "bj-1", s.seq)
		if wanted(v) {
			return v, nil
		}
		if len(s.onTheWay) == 0 {
			return v, errors.New("the dealer waits for what nobody does")
		}
		s.arrive()
	}
}

// arrive has the next card come to the table. One in nine is lost on its way, of which
// the shoe tells half of the times how many they were.
func (s *slow) arrive() {
	before := s.notDue()
	in := table.Input{Kind: table.InCard, Card: s.onTheWay[0]}
	if s.arrived++; s.arrived%9 == 0 {
		in = table.Input{Kind: table.InShoe, Shoe: table.ShoeGap, Missing: s.arrived % 2}
	}
	s.step(in)
	s.onTheWay = s.onTheWay[1:]
	s.tooMany += s.notDue() - before
}

// press takes longer than a card.
func (s *slow) press(ctx context.Context, in table.Input) (table.Reason, error) {
	for len(s.onTheWay) > 0 {
		s.arrive()
	}
	return s.bench.press(ctx, in)
}

func (s *slow) Return(...card.Card) error { return s.Reload() }

// Reload also comes in the middle of a round that a person began.
func (s *slow) Reload() error {
	s.out = 0
	s.fill()
	return nil
}

// person is somebody who learns.
func person(t *rapid.T, b *bench) {
	calls := slices.Collect(table.EveryCall)
	choices := slices.Collect(table.EveryChoice)
	boxes := rapid.IntRange(1, b.rules.Table.Boxes)
	some := rapid.SampledFrom([]string{"open", "stake", "stake", "close", "card", "card", "card", "card", "call", "call", "unread", "alarm", "over", "gap", "resolve", "paid", "undo", "offline", "online", "foreign"})
	for _, what := range rapid.SliceOfN(some, 0, 60).Draw(t, "what") {
		in := table.Input{}
		switch what {
		case "open":
			in.Kind = table.InOpen
		case "stake":
			in = table.Input{Kind: table.InStake, Box: boxes.Draw(t, "box"), Bettor: "1", Wager: table.WagerMain}
		case "close":
			in.Kind = table.InClose
		case "card":
			in = table.Input{Kind: table.InCard, Card: b.cards[0]}
			b.cards = b.cards[1:]
		case "call":
			in = table.Input{Kind: table.InCall, Call: rapid.SampledFrom(calls).Draw(t, "call")}
		case "unread":
			in = table.Input{Kind: table.InCard, Card: card.Unread}
		case "foreign":
			in = table.Input{Kind: table.InCard, Card: card.Joker}
		case "alarm":
			in = table.Input{Kind: table.InShoe, Shoe: table.ShoeAlarmRaised, Code: "cover"}
		case "over":
			in = table.Input{Kind: table.InShoe, Shoe: table.ShoeAlarmCleared, Code: "cover"}
		case "gap":
			in = table.Input{Kind: table.InShoe, Shoe: table.ShoeGap, Missing: rapid.IntRange(0, 3).Draw(t, "missing")}
		case "offline":
			in = table.Input{Kind: table.InShoe, Shoe: table.ShoeWentOffline}
		case "online":
			in = table.Input{Kind: table.InShoe, Shoe: table.ShoeCameOnline}
		case "resolve":
			in = table.Input{Kind: table.InResolve, By: "anna", With: rapid.SampledFrom(choices).Draw(t, "with"), Card: card.Of(7, card.Hearts)}
		case "paid":
			in.Kind = table.InPaid
		case "undo":
			in.Kind = table.InUndo
		}
		b.step(in)
	}
	b.step(table.Input{Kind: table.InShoe, Shoe: table.ShoeCameOnline})
}
