package display_test

import (
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
	"pgregory.net/rapid"
)

func TestMoney(t *testing.T) {
	tests := []struct {
		minor  int64
		digits int
		want   string
	}{
		{0, 2, "0.00"},
		{5, 2, "0.05"},
		{50, 2, "0.50"},
		{2000, 2, "20.00"},
		{99999, 2, "999.99"},
		{100000, 2, "1,000.00"},
		{123456789, 2, "1,234,567.89"},
		{-2050, 2, "\u221220.50"},
		{-5, 2, "\u22120.05"},
		{1234, 0, "1,234"},
		{1234, -1, "1,234"},
		{1234567, 3, "1,234.567"},
		{1, 5, "0.00001"},
		{math.MaxInt64, 2, "92,233,720,368,547,758.07"},
		{math.MinInt64, 2, "\u221292,233,720,368,547,758.08"},
	}
	for _, tt := range tests {
		if got := display.English.Money(tt.minor, tt.digits); got != tt.want {
			t.Errorf("%d with %d digits: %q, want %q", tt.minor, tt.digits, got, tt.want)
		}
	}
}

// Whatever the grouping, the digits of an amount are all there and nothing else.
func TestMoneyLosesNoDigit(t *testing.T) {
	plain := strings.NewReplacer(",", "", ".", "", "\u2212", "-")
	rapid.Check(t, func(t *rapid.T) {
		minor, digits := rapid.Int64().Draw(t, "minor"), rapid.IntRange(0, 4).Draw(t, "digits")
		got, err := strconv.ParseInt(plain.Replace(display.English.Money(minor, digits)), 10, 64)
		if err != nil || got != minor {
			t.Fatalf("%d reads as %d, %v", minor, got, err)
		}
	})
}

func TestLinesOfASplitBox(t *testing.T) {
	b := displaytest.Named("bank").Boxes[6]
	want := []display.Line{
		{Bettor: "anna", Holder: true, Wager: vocab.WagerMain, Hand: 1, Amount: 1500},
		{Bettor: "ben", Wager: vocab.WagerMain, Hand: 1, Amount: 1000},
		{Bettor: "anna", Holder: true, Wager: vocab.WagerMain, Hand: 2, Amount: 3000},
		{Bettor: "ben", Wager: vocab.WagerMain, Hand: 2, Amount: 1000},
		{Bettor: "anna", Holder: true, Wager: vocab.WagerMain, Hand: 3, Amount: 1500},
		{Bettor: "ben", Wager: vocab.WagerMain, Hand: 3, Amount: 1000},
		{
			Bettor: "anna", Holder: true, Wager: vocab.WagerMain, Hand: 4, Move: display.Take, Amount: 1500,
			Outcome: vocab.Lose, Why: vocab.WhyBust,
		},
		{
			Bettor: "ben", Wager: vocab.WagerMain, Hand: 4, Move: display.Take, Amount: 1000, Outcome: vocab.Lose,
			Why: vocab.WhyBust,
		},
		{Bettor: "ben", Wager: vocab.WagerInsurance, Amount: 500},
	}
	if got := display.Lines(b); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestLinesBeforeAndBesideHands(t *testing.T) {
	tests := []struct {
		name string
		box  display.Box
		want []display.Line
	}{
		{
			"stakes before any card",
			display.Box{Bettors: []display.Bettor{{Name: "a", Holder: true, Stake: 20}, {Name: "b"}}},
			[]display.Line{{Bettor: "a", Holder: true, Wager: vocab.WagerMain, Amount: 20}},
		},
		{
			"even money taken, not yet paid",
			display.Box{
				Bettors: []display.Bettor{{Name: "a", Holder: true, Stake: 20, EvenMoney: true}},
				Hands:   make([]display.Hand, 1),
			},
			[]display.Line{{
				Bettor: "a", Holder: true, Wager: vocab.WagerMain, Hand: 1, Amount: 20,
				Why: vocab.WhyEvenMoney,
			}},
		},
		{
			"a bonus besides an open wager",
			display.Box{
				Bettors: []display.Bettor{{Name: "a", Holder: true, Stake: 20}},
				Hands:   make([]display.Hand, 1),
				Payouts: []display.Payout{{
					Bettor: "a", Wager: vocab.WagerMain, Hand: 1, Why: vocab.WhyThreeSevens,
					Stake: 20, Won: 20,
				}},
			},
			[]display.Line{
				{Bettor: "a", Holder: true, Wager: vocab.WagerMain, Hand: 1, Amount: 20},
				{
					Bettor: "a", Holder: true, Wager: vocab.WagerMain, Move: display.Pay, Amount: 20, Bonus: true,
					Why: vocab.WhyThreeSevens,
				},
			},
		},
		{
			"void before a card, from nobody we know",
			display.Box{Payouts: []display.Payout{{
				Bettor: "x", Wager: vocab.WagerMain, Hand: 1, Outcome: vocab.Void,
				Stake: 20, Returned: 20,
			}}},
			[]display.Line{{
				Bettor: "x", Wager: vocab.WagerMain, Move: display.Return, Amount: 20,
				Outcome: vocab.Void,
			}},
		},
	}
	for _, tt := range tests {
		if got := display.Lines(tt.box); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", tt.name, got, tt.want)
		}
	}
}

func TestLinesOfSideBetsAndMarks(t *testing.T) {
	tests := []struct {
		name string
		box  display.Box
		want []display.Line
	}{
		{
			"a side bet of a guest without a stake, and one decided",
			display.Box{
				Bettors: []display.Bettor{{Name: "a", Holder: true, Stake: 20}},
				Sides: []display.SideBet{
					{Bettor: "g", Wager: vocab.SideWager(sidebet.Twins), Stake: 10},
					{Bettor: "a", Wager: vocab.SideWager(sidebet.Twins), Stake: 30},
				},
				Payouts: []display.Payout{{
					Bettor: "a", Wager: vocab.SideWager(sidebet.Twins), Outcome: vocab.Lose,
					Why: vocab.WhyNoMatch, Stake: 30,
				}},
			},
			[]display.Line{
				{Bettor: "a", Holder: true, Wager: vocab.WagerMain, Amount: 20},
				{Bettor: "g", Wager: vocab.SideWager(sidebet.Twins), Amount: 10},
				{
					Bettor: "a", Holder: true, Wager: vocab.SideWager(sidebet.Twins), Move: display.Take, Amount: 30,
					Outcome: vocab.Lose, Why: vocab.WhyNoMatch,
				},
			},
		},
		{
			"stakes that nobody has entered",
			display.Box{
				Bettors: []display.Bettor{{
					Name: "a", Holder: true, Stake: display.Unstated,
					Insurance: display.Unstated,
				}},
				Hands: make([]display.Hand, 1),
				Payouts: []display.Payout{{
					Bettor: "a", Wager: vocab.WagerMain, Hand: 1, Outcome: vocab.Win, Why: vocab.WhyBlackJack,
					Odds: "3:2", Times: 1,
					Stake: display.Unstated, Returned: display.Unstated, Won: display.Unstated,
				}},
			},
			[]display.Line{
				{
					Bettor: "a", Holder: true, Wager: vocab.WagerMain, Hand: 1, Move: display.Pay,
					Amount: display.Unstated, Odds: "3:2", Times: 1, Outcome: vocab.Win, Why: vocab.WhyBlackJack,
				},
				{Bettor: "a", Holder: true, Wager: vocab.WagerInsurance, Amount: display.Unstated},
			},
		},
	}
	for _, tt := range tests {
		if got := display.Lines(tt.box); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", tt.name, got, tt.want)
		}
	}
}

func TestMoves(t *testing.T) {
	tests := []struct {
		payout display.Payout
		move   display.Move
		amount int64
		sign   string
	}{
		{display.Payout{Outcome: vocab.Win, Stake: 20, Returned: 20, Won: 30}, display.Pay, 30, "+"},
		{display.Payout{Outcome: vocab.Lose, Stake: 20}, display.Take, 20, "\u2212"},
		{display.Payout{Outcome: vocab.StandOff, Stake: 20, Returned: 20}, display.Leave, 20, "="},
		{display.Payout{Outcome: vocab.Surrendered, Stake: 20, Returned: 10}, display.Return, 10, "←"},
		{display.Payout{Outcome: vocab.Void, Stake: 20, Returned: 20}, display.Return, 20, "←"},
	}
	for _, tt := range tests {
		l := display.Lines(display.Box{Payouts: []display.Payout{tt.payout}})[0]
		if l.Move != tt.move || l.Amount != tt.amount || l.Move.Sign() != tt.sign {
			t.Errorf("%s: %d %d %q", tt.payout.Outcome, l.Move, l.Amount, l.Move.Sign())
		}
	}
}

// No payout is ever left out, and none shown twice: what the lines pay is what the
// payouts won.
func TestEveryPayoutIsOneLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := anyBox(t)
		decided, won := 0, int64(0)
		for _, l := range display.Lines(b) {
			if l.Outcome != 0 || l.Bonus {
				decided++
			}
			if l.Move == display.Pay {
				won += l.Amount
			}
			if l.Hand < 0 || l.Hand > len(b.Hands) {
				t.Fatalf("a line on hand %d of %d", l.Hand, len(b.Hands))
			}
		}
		due, byOdds := display.ToPay(b)
		if decided != len(b.Payouts) || won != due || byOdds {
			t.Fatalf("%d of %d payouts, %d of %d paid, by odds %t", decided, len(b.Payouts), won, due, byOdds)
		}
	})
}

func anyBox(t *rapid.T) display.Box {
	bettor := rapid.SampledFrom([]string{"a", "b", "c"})
	stake := rapid.Int64Range(0, 1000)
	b := display.Box{Number: 1}
	for _, name := range rapid.SliceOfNDistinct(bettor, 0, 3, rapid.ID).Draw(t, "bettors") {
		b.Bettors = append(b.Bettors, display.Bettor{
			Name: name, Stake: stake.Draw(t, "stake"),
			Insurance: stake.Draw(t, "insurance"),
		})
	}
	b.Hands = make([]display.Hand, rapid.IntRange(0, 4).Draw(t, "hands"))
	for i := range b.Hands {
		for range rapid.IntRange(0, 3).Draw(t, "stakes") {
			b.Hands[i].Stakes = append(b.Hands[i].Stakes,
				display.HandStake{Bettor: bettor.Draw(t, "bettor"), Amount: stake.Draw(t, "amount")})
		}
	}
	for range rapid.IntRange(0, 12).Draw(t, "payouts") {
		p := display.Payout{
			Bettor: bettor.Draw(t, "of"), Wager: rapid.SampledFrom([]vocab.Wager{
				vocab.WagerMain, vocab.WagerInsurance,
				vocab.SideWager(sidebet.Twins),
			}).Draw(t, "wager"),
			Hand: rapid.IntRange(0, 5).Draw(t, "hand"),
			Outcome: rapid.SampledFrom([]vocab.Outcome{
				vocab.Win, vocab.Lose, vocab.StandOff, vocab.Surrendered,
				vocab.Void, 0,
			}).Draw(t, "outcome"),
			Stake: stake.Draw(t, "staked"), Returned: stake.Draw(t, "returned"),
		}
		if p.Outcome == vocab.Win || p.Outcome == 0 {
			p.Won = stake.Draw(t, "won")
		}
		b.Payouts = append(b.Payouts, p)
	}
	for range rapid.IntRange(0, 4).Draw(t, "sides") {
		b.Sides = append(b.Sides, display.SideBet{
			Bettor: bettor.Draw(t, "side of"),
			Wager:  vocab.SideWager(sidebet.Twins), Stake: stake.Draw(t, "side"),
		})
	}
	return b
}

func TestWordsOfWagers(t *testing.T) {
	l := display.English
	win := display.Line{Outcome: vocab.Win, Why: vocab.WhyHigherTotal}
	black := display.Line{Outcome: vocab.Win, Why: vocab.WhyBlackJack}
	tie := display.Line{Outcome: vocab.StandOff, Why: vocab.WhyBlackJack}
	open := display.Line{}
	tests := []struct {
		name  string
		lines []display.Line
		want  string
	}{
		{"none", nil, ""},
		{"one", []display.Line{win}, "Wins"},
		{"alike", []display.Line{black, black}, "Black Jack"},
		{"stand-off", []display.Line{tie}, "Stand-off"},
		{"unlike", []display.Line{win, black}, ""},
		{"one open", []display.Line{win, open}, ""},
		{"open", []display.Line{open, open}, ""},
	}
	for _, tt := range tests {
		if got := l.Common(tt.lines); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestBettorsMoves: what is due to a bettor says no 0.00 where it is paid by odds, and leaves nothing out.
func TestBettorsMoves(t *testing.T) {
	const a, b = "anna", "ben"
	won := display.Payout{Bettor: a, Outcome: vocab.Win, Stake: 2000, Returned: 2000, Won: 2000}
	odds := display.Payout{
		Bettor: a, Outcome: vocab.Win, Odds: "3:2", Times: 2, Stake: display.Unstated,
		Won: display.Unstated,
	}
	lost := display.Payout{Bettor: a, Outcome: vocab.Lose, Stake: 1000}
	mark := display.Payout{Bettor: a, Outcome: vocab.Lose, Stake: display.Unstated}
	tie := display.Payout{Bettor: a, Outcome: vocab.StandOff, Stake: 1500, Returned: 1500}
	half := display.Payout{Bettor: a, Outcome: vocab.Surrendered, Stake: 1000, Returned: 500}
	others := display.Payout{Bettor: b, Outcome: vocab.Win, Stake: 7000, Returned: 7000, Won: 7000}
	taken := lost
	taken.Paid = true
	for _, tt := range []struct {
		payouts []display.Payout
		already bool
		want    string
	}{
		{nil, false, ""},
		{[]display.Payout{others}, false, ""},
		{[]display.Payout{won, others}, false, "+20.00"},
		{[]display.Payout{won, others, won, lost}, false, "+40.00, −10.00"},
		{[]display.Payout{odds}, false, "+3:2 ×2"},
		{[]display.Payout{odds, won, mark, mark}, false, "+20.00 +3:2 ×2, −●"},
		{[]display.Payout{tie}, false, "=15.00"},
		{[]display.Payout{tie, won}, false, "+20.00"},
		{[]display.Payout{half, lost}, false, "−10.00, ←5.00"},
		{[]display.Payout{won, taken}, false, "+20.00"},
		{[]display.Payout{won, taken}, true, "−10.00"},
	} {
		var got []string
		for _, one := range display.English.Moves(display.Box{Payouts: tt.payouts}, a, tt.already, 2) {
			got = append(got, one.Text)
		}
		if got := strings.Join(got, ", "); got != tt.want {
			t.Errorf("%+v, already %t: %q, want %q", tt.payouts, tt.already, got, tt.want)
		}
	}
}

func TestFoot(t *testing.T) {
	won := display.Box{Payouts: []display.Payout{{Won: 2000}}}
	paid := won
	paid.Paid = true
	lost := display.Box{Payouts: []display.Payout{{Stake: 2000, Outcome: vocab.Lose}}}
	odds := display.Box{Payouts: []display.Payout{{Outcome: vocab.Win, Won: display.Unstated}}}
	both := display.Box{Payouts: append([]display.Payout{{Outcome: vocab.Win, Won: 2000}}, odds.Payouts...)}
	unpaid := display.Box{Payouts: []display.Payout{{
		Outcome: vocab.Lose, Stake: display.Unstated,
		Won: display.Unstated,
	}}}
	taken := lost
	taken.Paid = true
	tie := display.Box{Payouts: []display.Payout{{Stake: 2000, Returned: 2000, Outcome: vocab.StandOff}}}
	void := display.Box{Payouts: []display.Payout{{Stake: 2000, Returned: 2000, Outcome: vocab.Void}}}
	moved := display.Box{Payouts: []display.Payout{{Stake: 2000, Outcome: vocab.Lose, Paid: true}}}
	halves := display.Box{Payouts: append(lost.Payouts, void.Payouts...)}
	tests := []struct {
		phase vocab.Phase
		box   display.Box
		want  string
	}{
		{vocab.Play, display.Box{}, ""},
		{vocab.Play, won, "Pay 20.00"},
		{vocab.Payment, won, "Pay 20.00"},
		{vocab.Payment, paid, "Paid 20.00"},
		{vocab.Payment, odds, "Pay by odds"},
		{vocab.Payment, both, "Pay 20.00 + odds"},
		{vocab.Payment, unpaid, "Take ●"},
		{vocab.Play, lost, ""},
		{vocab.Payment, lost, "Take 20.00"},
		{vocab.Payment, taken, "Taken"},
		{vocab.Payment, tie, "Leave"},
		{vocab.Payment, void, "Give back 20.00"},
		{vocab.Payment, halves, "Take 20.00, Give back 20.00"},
		{vocab.Payment, moved, "Nothing to pay"},
	}
	for _, tt := range tests {
		v := display.View{Phase: tt.phase, Digits: 2}
		if got := display.English.Foot(v, tt.box); got != tt.want {
			t.Errorf("%s, %+v: %q, want %q", tt.phase, tt.box, got, tt.want)
		}
	}
}

// TestChips: what is written for a wager, with and without its amount.
func TestChips(t *testing.T) {
	const unknown = display.Unstated
	tests := []struct {
		line display.Line
		want string
	}{
		{display.Line{Amount: 2000}, "20.00"},
		{display.Line{Amount: unknown}, "●"},
		{display.Line{Move: display.Pay, Amount: 3000, Outcome: vocab.Win}, "+30.00"},
		{display.Line{Move: display.Pay, Amount: unknown, Odds: "3:2", Times: 1, Outcome: vocab.Win}, "+3:2"},
		{display.Line{Move: display.Pay, Amount: unknown, Odds: "1:1", Times: 2, Outcome: vocab.Win}, "+1:1 ×2"},
		{display.Line{Move: display.Take, Amount: unknown, Times: 2, Outcome: vocab.Lose}, "\u2212● ×2"},
		{display.Line{Move: display.Leave, Amount: unknown, Times: 1, Outcome: vocab.StandOff}, "=●"},
		{
			display.Line{Move: display.Return, Amount: unknown, Odds: "1:2", Times: 1, Outcome: vocab.Surrendered},
			"←½ ●",
		},
		{display.Line{Move: display.Return, Amount: unknown, Times: 1, Outcome: vocab.Void}, "←●"},
	}
	for _, tt := range tests {
		if got := display.English.Chips(tt.line, 2); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.line, got, tt.want)
		}
	}
}

// TestPiles: wagers beside the hands by their kind, and counted together.
func TestPiles(t *testing.T) {
	l := display.English
	lines := []display.Line{
		{
			Bettor: "a", Wager: vocab.SideWager(sidebet.PerfectPairs), Move: display.Pay, Amount: 600,
			Outcome: vocab.Win,
			Why:     vocab.WhyLine(sidebet.MixedPair),
		},
		{Bettor: "a", Wager: vocab.SideWager(sidebet.Bust), Amount: 100},
		{
			Bettor: "b", Wager: vocab.SideWager(sidebet.PerfectPairs), Move: display.Pay, Amount: 1200,
			Outcome: vocab.Win,
			Why:     vocab.WhyLine(sidebet.MixedPair),
		},
		{Bettor: "b", Wager: vocab.SideWager(sidebet.Bust), Amount: 50},
		{Bettor: "b", Wager: vocab.WagerMain, Move: display.Pay, Amount: 500, Bonus: true, Why: vocab.WhyThreeSevens},
	}
	var names []string
	piles := l.Piles(lines)
	for _, p := range piles {
		names = append(names, p.Name)
	}
	if want := []string{"Perfect Pairs – Mixed pair", "Bust", "Three sevens"}; !reflect.DeepEqual(names, want) {
		t.Fatalf("%q, want %q", names, want)
	}
	if got := l.Together(piles[0]); !reflect.DeepEqual(got, piles[0]) {
		t.Errorf("winners lost their names: %+v", got)
	}
	if got, want := l.Together(piles[1]).Lines,
		[]display.Line{{Bettor: "2 guests", Wager: vocab.SideWager(sidebet.Bust), Amount: 150}}; !reflect.DeepEqual(got,
		want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	piles[1].Lines[0].Amount = display.Unstated
	if got := l.Together(piles[1]).Lines[0].Amount; got != display.Unstated {
		t.Errorf("an unknown stake was counted as %d", got)
	}
}

// TestCardsLeft is honest: nothing where it means nothing, and no number that
// cannot be.
func TestCardsLeft(t *testing.T) {
	tests := []struct {
		shoe display.Shoe
		want string
	}{
		{display.Shoe{}, ""},
		{display.Shoe{Dealt: 104, Left: 208}, "208 left"},
		{display.Shoe{Dealt: 312}, "0 left"},
		{display.Shoe{Dealt: 313, Left: -1}, "count off"},
		{display.Shoe{Dealt: 9, Left: 304, Shuffler: true}, ""},
	}
	for _, tt := range tests {
		if got := display.English.CardsLeft(tt.shoe); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.shoe, got, tt.want)
		}
	}
}
