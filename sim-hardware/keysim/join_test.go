package keysim

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/display"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestJoins: a person does anything at the table, then the dealer takes over and deals the round to its end, and two
// more, without a card too many, although the display is slow to show what he draws.
func TestJoins(t *testing.T) {
	for _, house := range profile.Built().Names() {
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
	return b.seen["irregular unexpected-card"] + b.seen["irregular bank-overdraw"] +
		b.seen["irregular card-without-call"]
}

// slow is a table whose display shows a card only when it is waited for, and whose shoe takes back any cards, whoever
// drew them.
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
			return v, errors.New("the dealer waits for something that never happens")
		}
		s.arrive()
	}
}

// arrive brings the next card to the table. One in nine is lost on its way; half of the time the shoe reports how many
// were.
func (s *slow) arrive() {
	before := s.notDue()
	in := vocab.Input{Kind: vocab.InCard, Card: s.onTheWay[0]}
	if s.arrived++; s.arrived%9 == 0 {
		in = vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeGap, Missing: s.arrived % 2}}
	}
	s.step(in)
	s.onTheWay = s.onTheWay[1:]
	s.tooMany += s.notDue() - before
}

// press takes longer than a card.
func (s *slow) press(ctx context.Context, in vocab.Input) (vocab.Reason, error) {
	for len(s.onTheWay) > 0 {
		s.arrive()
	}
	return s.bench.press(ctx, in)
}

func (s *slow) Return(...card.Card) error { return s.Reload() }

// Reload also happens in the middle of a round that a person began.
func (s *slow) Reload() error {
	s.out = 0
	s.fill()
	return nil
}

// person is a trainee.
func person(t *rapid.T, b *bench) {
	calls := slices.Collect(vocab.EveryCall)
	choices := slices.Collect(irregularity.EveryChoice)
	boxes := rapid.IntRange(1, b.rules.Table.Boxes)
	some := rapid.SampledFrom([]string{
		"open", "stake", "stake", "close", "card", "card", "card", "card", "call",
		"call", "unread", "alarm", "over", "gap", "resolve", "paid", "undo", "offline", "online", "foreign",
	})
	for _, what := range rapid.SliceOfN(some, 0, 60).Draw(t, "what") {
		in := vocab.Input{}
		switch what {
		case "open":
			in.Kind = vocab.InOpen
		case "stake":
			in = vocab.Input{Kind: vocab.InStake, Box: boxes.Draw(t, "box"), Bettor: "1", Wager: vocab.WagerMain}
		case "close":
			in.Kind = vocab.InClose
		case "card":
			in = vocab.Input{Kind: vocab.InCard, Card: b.cards[0]}
			b.cards = b.cards[1:]
		case "call":
			in = vocab.Input{Kind: vocab.InCall, Call: rapid.SampledFrom(calls).Draw(t, "call")}
		case "unread":
			in = vocab.Input{Kind: vocab.InCard, Card: card.Unread}
		case "foreign":
			in = vocab.Input{Kind: vocab.InCard, Card: card.Joker}
		case "alarm":
			in = vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeAlarmRaised}, Code: "cover"}
		case "over":
			in = vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeAlarmCleared}, Code: "cover"}
		case "gap":
			in = vocab.Input{
				Kind: vocab.InShoe,
				Shoe: vocab.ShoeSaid{Event: vocab.ShoeGap, Missing: rapid.IntRange(0, 3).Draw(t, "missing")},
			}
		case "offline":
			in = vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeWentOffline}}
		case "online":
			in = vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeCameOnline}}
		case "resolve":
			in = vocab.Input{
				Kind: vocab.InResolve, By: "anna", With: rapid.SampledFrom(choices).Draw(t, "with"),
				Card: card.Of(7, card.Hearts),
			}
		case "paid":
			in.Kind = vocab.InPaid
		case "undo":
			in.Kind = vocab.InUndo
		}
		b.step(in)
	}
	b.step(vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeCameOnline}})
}
