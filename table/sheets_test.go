package table_test

import (
	"testing"

	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
)

// This file is what the houses' sheets print, copied by hand: engine and book both go
// by the profiles, so somebody must look at these.

// sheet is what a house pays.
type sheet struct {
	blackJack money.Ratio
	// bonus: jack and ace of spades are paid 5:1 at once.
	bonus     bool
	surrender bool
	sevens    bool
	game      rules.Game
}

var andAHalf = money.Ratio{Num: 3, Den: 2}

var sheets = map[string]sheet{
	"wiesbaden":    {blackJack: andAHalf},
	"schaffhausen": {blackJack: andAHalf, surrender: true, sevens: true},
	"st-moritz":    {blackJack: andAHalf, sevens: true},
	"st-moritz-65": {blackJack: money.Ratio{Num: 6, Den: 5}, sevens: true, bonus: true},
	"mendrisio":    {blackJack: andAHalf, sevens: true},
	"baden":        {blackJack: andAHalf, game: rules.BlackJames},
}

// lines are what each line of a paytable pays to 1.
var lines = map[sidebet.Bet]map[sidebet.Line]int64{
	sidebet.PerfectPairs:     {sidebet.PerfectPair: 25, sidebet.ColouredPair: 12, sidebet.MixedPair: 6},
	sidebet.SwissCasinosJack: {sidebet.JackIsBlack: 50, sidebet.AllRed: 25, sidebet.Mix: 10},
	sidebet.Twins:            {sidebet.TwinsJoker: 200, sidebet.TwinsPair: 11},
	sidebet.CrazyTwins:       {sidebet.CrazyTwinsJoker: 400, sidebet.CrazyTwinsPair: 22},
	sidebet.ThreeCardWins: {
		sidebet.ThreeAcesOfSpades: 300, sidebet.ThreeRedJacks: 200, sidebet.ThreeOfAKind: 50, sidebet.ThreeBlack: 4,
	},
	sidebet.QueensTrio: {
		sidebet.ThreeQueensOfSpades: 300, sidebet.ThreeQueens: 50, sidebet.TwoQueensOfSpades: 20,
		sidebet.TwoQueens: 10, sidebet.QueenOfSpades: 4, sidebet.OneQueen: 2,
	},
	sidebet.AdmiralJack: {sidebet.BlackJack: 19},
}

// prizes are the amounts of Progressive Black Jack.
var prizes = map[sidebet.Line]int64{
	sidebet.SuitedAceKing: 25_000, sidebet.ColouredAceKing: 20_000, sidebet.AceKing: 10_000, sidebet.BlackJack: 2_000,
}

// TestProfilesPayAsTheSheets compares every odds and prize of the profiles.
func TestProfilesPayAsTheSheets(t *testing.T) {
	if len(sheets) != len(profile.Built()) {
		t.Errorf("there are %d sheets for %d houses", len(sheets), len(profile.Built()))
	}
	one, two := money.Ratio{Num: 1, Den: 1}, money.Ratio{Num: 2, Den: 1}
	for house, want := range sheets {
		r := profile.Built()[house].Rules
		got := sheet{r.Pays.BlackJack, r.Pays.BonusBlackJack != nil, r.Surrender, r.ThreeSevens.Paid, r.Game}
		if got != want || r.ThreeSevens.AfterSplit {
			t.Errorf("%s: the profile has %+v, the sheet %+v", house, got, want)
		}
		if p := r.Pays; p.Win != one || p.EvenMoney != one || p.ThreeSevens != one || p.Insurance != two ||
			p.FiveCardTrick != andAHalf {
			t.Errorf("%s pays %+v", house, p)
		}
		if bonus := r.Pays.BonusBlackJack; bonus != nil && *bonus != (money.Ratio{Num: 5, Den: 1}) {
			t.Errorf("%s pays a Bonus Black Jack %s", house, bonus)
		}
		for bet := range sidebet.EveryBet {
			comparePaytable(t, r, bet)
		}
	}
}

func comparePaytable(t *testing.T, r *rules.Rules, bet sidebet.Bet) {
	t.Helper()
	offer := r.Offer(bet)
	if offer == nil {
		return
	}
	for _, line := range offer.Lines() {
		want := rules.Prize{Odds: money.Ratio{Num: lines[bet][line], Den: 1}}
		switch {
		case line == sidebet.BankBust:
			want.Odds = money.Ratio{Num: 5, Den: 2}
		case line == sidebet.Jackpot:
			want = rules.Prize{Jackpot: true}
		case bet == sidebet.Progressive:
			want = rules.Prize{Amount: prizes[line]}
		}
		if got := offer.Prize(line); got != want {
			t.Errorf("%s, %s: %s pays %s, the sheet says %s", r.House, bet, line, got.Text(2), want.Text(2))
		}
	}
}

// TestJackpotIsAsTheSheet: the progressive stake is 5.00, the envy prize 500.00, and
// 70 % of each stake feed the jackpot.
func TestJackpotIsAsTheSheet(t *testing.T) {
	r := profile.Built()["mendrisio"]
	if r.Meter.Envy != 50_000 || r.Meter.Feeds != (money.Ratio{Num: 7, Den: 10}) {
		t.Errorf("the meter is %+v", r.Meter)
	}
	if o := r.Offer(sidebet.Progressive); o.Least != 500 || o.Most != 500 {
		t.Errorf("a progressive stake is %d to %d", o.Least, o.Most)
	}
}
