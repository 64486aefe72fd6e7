package practice

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/vocab"
)

// eachCourse runs a test for each kind and level in each house that has such exercises, those of tests in yen and
// dinars among them.
func eachCourse(t *testing.T, test func(t *testing.T, house *profile.House, id ID)) {
	t.Helper()
	book := profile.Built().With(tabletest.Book()["yen"]).With(tabletest.Book()["dinar"])
	for _, name := range book.Names() {
		for _, k := range []Kind{Payouts, Bank, Calls, Tray} {
			if len(Topics(book[name].Rules, k, Levels)) == 0 {
				continue
			}
			t.Run(name+" "+k.String(), func(t *testing.T) {
				t.Parallel()
				for level := range Levels {
					test(t, book[name], ID{House: name, Kind: k, Level: level + 1})
				}
			})
		}
	}
}

func made(t *testing.T, house *profile.House, id ID) Exercise {
	t.Helper()
	e, err := Make(house, id)
	if err != nil {
		t.Fatalf("%+v: %v", id, err)
	}
	return e
}

// TestRightAnswers: in every house the right answer is what the engine did, which the second book has checked round by
// round, and what a third reckoning here says.
func TestRightAnswers(t *testing.T) {
	seeds := tier.Times(15, 60)
	eachCourse(t, func(t *testing.T, house *profile.House, id ID) {
		for seed := range seeds {
			id.Seed = uint64(seed)
			e := made(t, house, id)
			switch id.Kind {
			case Payouts:
				rightPayout(t, house, e)
			case Bank:
				rightBank(t, house, e)
			case Calls:
				rightCalls(t, house, e)
			case Tray:
				rightTray(t, e)
			}
			if !slices.Contains(Topics(house.Rules, id.Kind, id.Level), e.About) {
				t.Errorf("%+v is about %s, which is no topic", id, e.About)
			}
		}
	})
}

// rightPayout works each line out by its odds, and shows nothing of it before.
func rightPayout(t *testing.T, house *profile.House, e Exercise) {
	t.Helper()
	var sum int64
	for _, w := range e.Lines {
		won := w.Prize
		if w.Odds.Den != 0 {
			won, _ = money.Share(w.Stake, w.Odds, house.Table.Unit, house.Table.Rounding)
		}
		if won != w.Won || (won > 0) != (w.Rule.Value != "") {
			t.Errorf("%+v: %s %s pays %d by %s = %s; the engine paid %d", e.ID, w.Wager, w.Why, won, w.Rule.Path,
				w.Rule.Value, w.Won)
		}
		sum += won
	}
	after, _ := display.ToPay(e.After.Boxes[0])
	if sum != e.Right.Amount || after != sum || len(e.Shows.Boxes) != 1 || len(e.Shows.Boxes[0].Payouts) > 0 ||
		e.Shows.Boxes[0].Number != e.Box {
		t.Errorf("%+v: %d is right, its lines say %d, the table pays %d: %+v", e.ID, e.Right.Amount, sum, after,
			e.Shows.Boxes)
	}
}

// rightBank: in Black Jack no bank draws to 17 or more, a soft 17 excepted where the house says so, and none stands
// below while a hand without a Black Jack is open. The reason is of the same bank.
func rightBank(t *testing.T, house *profile.House, e Exercise) {
	t.Helper()
	if e.Shows.Game == display.BlackJames {
		return // points have no total; the second book knows the forecasts
	}
	bank := hand.Of(e.Shows.Bank.Cards)
	soft17 := bank.Total() == 17 && bank.Soft()
	stands, open := bank.Total() > 16 && !(soft17 && house.Bank.DrawsSoft17()), false
	for _, b := range e.Shows.Boxes {
		for _, h := range b.Hands {
			many := house.ManyCards.Win(len(h.Cards), len(b.Hands) > 1)
			open = open || !many && h.Done != vocab.DoneBust && h.Done != vocab.DoneBlackJack &&
				h.Done != vocab.DoneSurrender
		}
	}
	draws, needless := e.Right.Draws, !e.Right.Draws && !stands
	if draws && stands || needless && open || needless != (e.About == bankNone) {
		t.Errorf("%+v: with %v the bank draws: %v, %s", e.ID, e.Shows.Bank.Cards, e.Right.Draws, e.About)
	}
}

// rightCalls: a card and rest are always allowed, the others where the house says so.
func rightCalls(t *testing.T, house *profile.House, e Exercise) {
	t.Helper()
	h := e.Shows.Boxes[0].Hands[e.Hand-1]
	on, two := e.Right.Calls.Has, len(h.Cards) == 2
	split := len(e.Shows.Boxes[0].Hands) > 1
	listed := len(house.Double.On) == 0 || slices.Contains(house.Double.On, h.Total)
	double := house.Double.Allowed && two && listed && (!split || house.Double.AfterSplit) &&
		!(house.Double.HardOnly && h.Soft)
	if !on(vocab.CallCard) || !on(vocab.CallRest) || on(vocab.CallDouble) != double ||
		on(vocab.CallSurrender) != (house.Surrender && two && !split) ||
		on(vocab.CallSplit) && !(two && hand.Pair(h.Cards[0], h.Cards[1])) {
		t.Errorf("%+v: %v may call %s", e.ID, h.Cards, e.Right.Text(Calls, 2))
	}
}

// rightTray adds up what lies there and what is on record.
func rightTray(t *testing.T, e Exercise) {
	t.Helper()
	var lies, must int64
	for _, c := range e.Float.Lies {
		lies += c.Value * c.Pieces
	}
	for _, m := range e.Float.Moves {
		must += m.Adds
		if sign := m.Adds; sign != 0 && sign != m.Amount && sign != -m.Amount {
			t.Errorf("%+v: %s of %d adds %d", e.ID, m.What, m.Amount, m.Adds)
		}
	}
	want := map[string]int64{trayCount: lies, trayMust: must, trayMissing: must - lies}[e.About]
	if e.Right.Amount != want || want < 0 {
		t.Errorf("%+v: %d is right; reckoned: %d of %+v", e.ID, e.Right.Amount, want, e.Float)
	}
}

// TestSameFromSameSeed: an exercise can be made again from its ID alone.
func TestSameFromSameSeed(t *testing.T) {
	eachCourse(t, func(t *testing.T, house *profile.House, id ID) {
		id.Seed = 77
		a, b := made(t, house, id), made(t, house, id)
		id.Seed++
		c := made(t, house, id)
		if id.Kind == Tray {
			if !reflect.DeepEqual(a, b) || reflect.DeepEqual(a.Float, c.Float) {
				t.Errorf("%+v: the same seed makes another one, or another seed the same", id)
			}
			return
		}
		if a.Right != b.Right || !slices.EqualFunc(a.Shows.Boxes, b.Shows.Boxes, func(x, y display.Box) bool {
			return x.Number == y.Number && slices.Equal(x.Hands[0].Cards, y.Hands[0].Cards)
		}) {
			t.Errorf("%+v is another one the second time", id)
		}
		if slices.Equal(a.Shows.Bank.Cards, c.Shows.Bank.Cards) &&
			slices.Equal(a.Shows.Boxes[0].Hands[0].Cards, c.Shows.Boxes[0].Hands[0].Cards) {
			t.Errorf("%+v: another seed makes the same", id)
		}
	})
}

// TestTopicsAreFound: what is wanted comes, however rare it is in a house. make test wants every fourth.
func TestTopicsAreFound(t *testing.T) {
	eachCourse(t, func(t *testing.T, house *profile.House, id ID) {
		for i, topic := range Topics(house.Rules, id.Kind, id.Level) {
			if every := tier.Times(4, 1); (i+id.Level)%every != 0 {
				continue
			}
			id.Topic = topic
			if e := made(t, house, id); e.About != id.Topic {
				t.Errorf("%s, level %d: wanted %s, got %s", id.House, id.Level, id.Topic, e.About)
			}
		}
	})
}

// TestJudged: four answers of five that chance gives are recognized as right or wrong, all of them.
func TestJudged(t *testing.T) {
	eachCourse(t, func(t *testing.T, house *profile.House, id ID) {
		dice := rand.New(rand.NewPCG(4, uint64(id.Level)))
		for range tier.Times(10, 40) {
			id.Seed = dice.Uint64()
			e := made(t, house, id)
			given, right := e.Right, dice.IntN(5) > 0
			if !right {
				given.Amount += 50 * (1 + dice.Int64N(9))
				given.Draws = !given.Draws
				given.Calls ^= 1 << vocab.CallDouble
			}
			switch id.Kind { // an answer has one of them
			case Payouts, Tray:
				given.Draws, given.Calls = false, 0
			case Bank:
				given.Amount, given.Calls = 0, 0
			case Calls:
				given.Amount, given.Draws = 0, false
			}
			read, err := ParseAnswer(id.Kind, given.Text(id.Kind, 2), 2)
			if err != nil || read != given {
				t.Fatalf("%s is read as %+v, %v", given.Text(id.Kind, 2), read, err)
			}
			if e.Judge(read) != right {
				t.Errorf("%+v: %s is judged %v; right is %s", id, read.Text(id.Kind, 2), !right,
					e.Right.Text(id.Kind, 2))
			}
		}
	})
}

// TestAnswersThatCannotBeRead are refused, and are no wrong answers.
func TestAnswersThatCannotBeRead(t *testing.T) {
	for k, texts := range map[Kind][]string{
		Payouts: {"", "-1", "1.234", "ten", "1e9"}, Bank: {"", "rest"}, Calls: {"card,", "fold"}, Incidents: {"burn"},
	} {
		for _, text := range texts {
			if a, err := ParseAnswer(k, text, 2); err == nil {
				t.Errorf("%s: %q is read as %+v", k, text, a)
			}
		}
	}
}

// TestBothBooks: a round on which engine and second book disagree is no exercise.
func TestBothBooks(t *testing.T) {
	house := profile.Built()["wiesbaden"]
	other := *house.Rules
	other.Pays.Win = money.Ratio{Num: 2, Den: 1}
	other.Pays.BlackJack = money.Ratio{Num: 2, Den: 1}
	r := &round{house: house.Rules, kind: Payouts, level: 2, dice: rand.New(rand.NewPCG(2, 1))}
	if err := r.play(&other); err == nil {
		t.Error("the second book has other odds, and says nothing")
	}
}

func BenchmarkMake(b *testing.B) {
	house := profile.Built()["wiesbaden"]
	for i := range b.N {
		if _, err := Make(house, ID{House: "wiesbaden", Kind: Payouts, Level: 2, Seed: uint64(i)}); err != nil {
			b.Fatal(err)
		}
	}
}
