package display_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// played is a table of Wiesbaden after some lines.
func played(t *testing.T, lines string) *table.Table {
	t.Helper()
	tab := new(table.Table)
	tab.Step(tabletest.SetUp(rules.Setup{House: "wiesbaden"}))
	if _, err := tabletest.Play(tab, lines); err != nil {
		t.Fatal(err)
	}
	return tab
}

// TestViewAsJSON: the view is what the pit reads, so its JSON is a contract. Each
// case's lines are played and the view then drawn.
func TestViewAsJSON(t *testing.T) {
	datadriven.Walk(t, "testdata/views", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			tab := new(table.Table)
			if d.Cmd == "view" {
				tab = played(t, d.Input)
			}
			text, err := json.MarshalIndent(display.From(tab, "bj-1", 12), "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			return string(text) + "\n"
		})
	})
}

// seen is what a dealer needs of a view, in short.
type seen struct {
	phase     vocab.Phase
	to        vocab.To
	box, hand int
	allowed   []vocab.Call
}

// TestEveryPhase plays a round and looks at the view after each line.
func TestEveryPhase(t *testing.T) {
	tab := played(t, "")
	for _, step := range []struct {
		lines string
		want  seen
		check func(v display.View) bool
		what  string
	}{
		{"", seen{phase: vocab.Idle, to: vocab.ToNothing}, func(v display.View) bool {
			return len(v.Boxes) == 7 && v.Boxes[6].Number == 7 && v.House == "wiesbaden" && v.Currency == "EUR" &&
				v.Digits == 2 && v.Min == 1000 && v.BoxMax == 50000 && v.Unit == 50 && v.Shoe.Online
		}, "seven empty boxes and the limits"},
		{
			"open; stake 2 a 20; stake 2 b 10; stake 4 c 50",
			seen{phase: vocab.Bets, to: vocab.ToNothing},
			func(v display.View) bool {
				b := v.Boxes[1].Bettors
				return v.Round == 1 && len(b) == 2 &&
					b[0] == display.Bettor{Name: "a", Holder: true, Stake: 2000, Seated: true} &&
					b[1] == display.Bettor{Name: "b", Stake: 1000} && v.Boxes[1].Hands == nil
			}, "the holder first, and no hands yet",
		},
		{
			"stake 4 d 1",
			seen{phase: vocab.Bets, to: vocab.ToNothing},
			func(v display.View) bool { return v.Rejected == vocab.BelowMinimum }, "why it was refused",
		},
		{"close", seen{phase: vocab.Deal, to: vocab.ToBox, box: 2, hand: 1}, func(v display.View) bool {
			return v.Rejected == 0 && v.Boxes[1].Hands[0].Active && !v.Boxes[3].Hands[0].Active && !v.Bank.Active
		}, "the first box is active"},
		{"JOKER 8S AS", seen{phase: vocab.Deal, to: vocab.ToBank}, func(v display.View) bool {
			h := v.Boxes[3].Hands[0]
			return v.Bank.Active && h.Total == 11 && h.Soft && slices.Equal(v.Aside, []card.Card{card.Joker})
		}, "the bank is active, the Joker aside"},
		{"AD 8H KH", seen{phase: vocab.InsuranceOffer, to: vocab.ToInsurance}, func(v display.View) bool {
			return v.Bank.Total == 11 && v.Bank.Done == 0 && v.Boxes[3].Hands[0].Done == vocab.DoneBlackJack
		}, "a Black Jack is shown before its turn"},
		{
			"insurance 2 a 10; even-money 4 c",
			seen{phase: vocab.InsuranceOffer, to: vocab.ToInsurance},
			func(v display.View) bool {
				return v.Boxes[1].Bettors[0].Insurance == 1000 && v.Boxes[3].Bettors[0].EvenMoney &&
					v.Boxes[3].Payouts[0].Won == 5000
			}, "insurance and even money",
		},
		{
			"insurance-closed",
			seen{
				vocab.Play, vocab.ToCall, 2, 1,
				[]vocab.Call{vocab.CallCard, vocab.CallRest, vocab.CallSplit},
			},
			func(v display.View) bool { return v.Boxes[1].Hands[0].Active }, "the calls",
		},
		{"split a; 3C", seen{
			vocab.Play, vocab.ToCall, 2, 1,
			[]vocab.Call{vocab.CallCard, vocab.CallRest, vocab.CallDouble},
		}, func(v display.View) bool {
			h := v.Boxes[1].Hands
			return len(h) == 2 && h[0].Active && !h[1].Active && len(h[0].Stakes) == 2 && len(h[1].Stakes) == 1 &&
				h[1].Stakes[0] == display.HandStake{Bettor: "a", Amount: 2000}
		}, "two hands, on the second the holder alone"},
		{"double; TH", seen{phase: vocab.Play, to: vocab.ToBox, box: 2, hand: 2}, func(v display.View) bool {
			h := v.Boxes[1].Hands[0]
			return h.Done == vocab.DoneDouble && h.Total == 21 && !h.Soft && h.Stakes[0].Amount == 4000 &&
				h.Stakes[1].Amount == 2000
		}, "the doubled stakes"},
		{"??", seen{phase: vocab.Play, to: vocab.ToBox, box: 2, hand: 2}, func(v display.View) bool {
			return v.Held != nil && v.Held.Code == irregularity.UnreadCard && v.Held.Card == card.Unread &&
				slices.Equal(v.Held.Choices, []irregularity.Choice{
					irregularity.Identify, irregularity.Burn,
					irregularity.VoidRound,
				})
		}, "what holds the round"},
		{
			"resolve identify TC; rest",
			seen{phase: vocab.BankDraws, to: vocab.ToBank},
			func(v display.View) bool { return v.Held == nil && v.Bank.Active && v.Sums == nil }, "the bank's turn",
		},
		{"shoe offline", seen{phase: vocab.BankDraws, to: vocab.ToBank}, func(v display.View) bool {
			return !v.Shoe.Online && v.Held != nil && v.Held.Code == irregularity.ShoeOffline &&
				len(v.Held.Choices) == 0 && v.Held.Choices != nil
		}, "the lost shoe"},
		{"shoe online; shoe alarm cover", seen{phase: vocab.BankDraws, to: vocab.ToBank}, func(v display.View) bool {
			return v.Shoe.Online && v.Shoe.Alarm == "cover" && v.Held.Code == irregularity.ShoeAlarm
		}, "the alarm"},
		{"shoe alarm-cleared; 7D", seen{phase: vocab.Payment, to: vocab.ToPayment}, func(v display.View) bool {
			p := v.Boxes[1].Payouts
			return v.Bank.Done == vocab.DoneStands && v.Bank.Total == 18 && v.Bank.Soft && v.Sums != nil &&
				*v.Sums == display.Sums{Staked: 14000, Returned: 13000, Won: 11000} &&
				p[0] == display.Payout{
					Bettor: "a", Wager: vocab.WagerInsurance, Outcome: vocab.Lose,
					Why: vocab.WhyNoBankBlackJack, Stake: 1000,
				} &&
				p[1] == display.Payout{
					Bettor: "a", Wager: vocab.WagerMain, Hand: 1, Outcome: vocab.Win,
					Why: vocab.WhyHigherTotal, Stake: 4000, Returned: 4000, Won: 4000,
				}
		}, "the payouts and their sums"},
		{
			"paid box 2",
			seen{phase: vocab.Payment, to: vocab.ToPayment},
			func(v display.View) bool { return v.Boxes[1].Paid && !v.Boxes[3].Paid }, "which box is paid",
		},
		{
			"paid box 4",
			seen{phase: vocab.Idle, to: vocab.ToNothing},
			func(v display.View) bool { return len(v.Boxes[1].Payouts) == 4 && v.Round == 1 },
			"the last round until the next opens",
		},
		{"open", seen{phase: vocab.Bets, to: vocab.ToNothing}, func(v display.View) bool {
			return v.Round == 2 && v.Boxes[1].Bettors == nil && v.Boxes[1].Payouts == nil && len(v.Bank.Cards) == 0 &&
				len(v.Aside) == 0
		}, "a clear table"},
	} {
		if _, err := tabletest.Play(tab, step.lines); err != nil {
			t.Fatal(err)
		}
		v := display.From(tab, "bj-1", 3)
		if got := (seen{v.Phase, v.Due.To, v.Due.Box, v.Due.Hand, v.Due.Allowed}); !equal(got, step.want) {
			t.Errorf("after %q: got %+v, want %+v", step.lines, got, step.want)
		}
		if !step.check(v) {
			text, err := json.MarshalIndent(v, "", " ")
			t.Fatalf("after %q the view must show %s; it is %s %v", step.lines, step.what, text, err)
		}
	}
}

func equal(a, b seen) bool {
	return a.phase == b.phase && a.to == b.to && a.box == b.box && a.hand == b.hand &&
		slices.Equal(a.allowed, b.allowed)
}

// TestBankDone: how the bank ended.
func TestBankDone(t *testing.T) {
	for lines, want := range map[string]vocab.Done{
		"open; stake 1 a 20; close\n TS 7D 9H\n rest":         0,
		"open; stake 1 a 20; close\n TS 7D 9H\n rest\n TC":    vocab.DoneStands,
		"open; stake 1 a 20; close\n TS 7D 9H\n rest\n 9C TC": vocab.DoneBust,
		"open; stake 1 a 20; close\n TS KD 9H\n rest\n AC":    vocab.DoneBlackJack,
		"open; stake 1 a 20; close\n TS KD 6H\n card\n TC":    0, // it drew nothing
	} {
		if got := display.From(played(t, lines), "bj-1", 1).Bank.Done; got != want {
			t.Errorf("%q: the bank is done as %q, want %q", lines, got, want)
		}
	}
}

// TestViewKeepsNothingOfTheTable: a view that was drawn stays as it was.
func TestViewKeepsNothingOfTheTable(t *testing.T) {
	tab := played(t, "open; stake 1 a 20; close\n 8S 7D JOKER 8H\n split\n 3C")
	v := display.From(tab, "bj-1", 1)
	before, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tabletest.Play(tab,
		"double\n TC 5D\n card\n TH\n TS\n paid\n open; stake 1 z 500; close\n AS AD AH"); err != nil {
		t.Fatal(err)
	}
	after, err := json.Marshal(v)
	if err != nil || string(after) != string(before) {
		t.Errorf("the view changed from\n%s\nto\n%s (%v)", before, after, err)
	}
}
