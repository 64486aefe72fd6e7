package practice

import (
	"fmt"
	"slices"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// askPayouts asks for what is paid to a box, once its round is decided.
func askPayouts(house *profile.House, id ID) func(moment) []Exercise {
	var jackpot int64
	return func(m moment) (found []Exercise) {
		if m.in.Kind == vocab.InClose {
			jackpot = m.table.Jackpot()
		}
		if m.table.Phase() != vocab.Payment {
			return nil
		}
		after := m.view()
		alone := func(p display.Payout) int64 { return aloneOf(house, p, jackpot) }
		for _, b := range after.Boxes {
			if !askable(b, alone) || id.Level >= 3 && plain(b) {
				continue
			}
			e := Exercise{Shows: undecided(after), Box: b.Number, About: topicOf(house, id.Level, b)}
			e.Shows.Jackpot = jackpot
			e.Right.Amount, _ = display.ToPay(b)
			for _, p := range b.Payouts {
				e.Lines = append(e.Lines, workedOut(house, b, p, after.Bank.Total))
			}
			found = append(found, e)
		}
		return found
	}
}

// askable says whether there is one amount to pay for a box, and all that it depends on lies on it: not where half a
// stake goes back, nor where others have won of the jackpot, too. alone is what a payout wins of it alone.
func askable(b display.Box, alone func(display.Payout) int64) bool {
	return len(b.Payouts) > 0 && !slices.ContainsFunc(b.Payouts, func(p display.Payout) bool {
		return p.Outcome == vocab.Surrendered || p.Outcome == vocab.PartLost || p.Outcome == vocab.Void ||
			p.Why == vocab.WhyEnvy || p.Won == display.Unstated || p.Won != alone(p)
	})
}

// aloneOf is what a payout wins if nobody else wins of the jackpot: its part of that, or what it has won anyway.
func aloneOf(house *profile.House, p display.Payout, jackpot int64) int64 {
	bet, side := p.Wager.Side()
	if !side || p.Won == 0 {
		return p.Won
	}
	prize := house.Offer(bet).Prize(sidebet.Line(p.Why))
	part := prize.Part
	switch {
	case !prize.Jackpot:
		return p.Won
	case part.Den == 0:
		part = money.Ratio{Num: 1, Den: 1}
	}
	alone, _ := money.Share(jackpot, part, house.Table.Unit, money.Down)
	return alone
}

// plain says that a box has one stake on one hand, as it was placed.
func plain(b display.Box) bool {
	return len(b.Bettors) == 1 && len(b.Hands) == 1 && b.Hands[0].Done != vocab.DoneDouble
}

// undecided is the table as it lies there before anything is paid.
func undecided(v display.View) display.View {
	v.Boxes = slices.Clone(v.Boxes)
	for i := range v.Boxes {
		v.Boxes[i].Payouts, v.Boxes[i].Paid = nil, false
	}
	v.Phase, v.Due = vocab.BankDraws, display.Due{}
	return v
}

// Working is how one wager's payout is worked out.
type Working struct {
	display.Payout
	// Odds are on the stake, or Prize is the amount that is paid; neither where nothing is won.
	Odds  money.Ratio
	Prize int64
	// Rounded says that the odds did not come out even.
	Rounded bool
	// Rule is where the house says so, without a Path where nothing is won.
	Rule Rule
}

// workedOut finds the odds of a payout in the house's rules.
func workedOut(house *profile.House, b display.Box, p display.Payout, bank int) Working {
	w := Working{Payout: p}
	if p.Won == 0 {
		return w
	}
	path, odds, prize := paidBy(house.Rules, b, p, bank)
	w.Rule, w.Odds, w.Prize = ruleAt(house, path), odds, prize.Amount
	switch {
	case prize.Jackpot:
		w.Prize = p.Won
	case odds.Den != 0:
		_, w.Rounded = money.Share(p.Stake, odds, house.Table.Unit, house.Table.Rounding)
	}
	return w
}

// fiveCards are the points of a Five-Card-Trick.
const fiveCards = 5

// mainPays are the odds of the main game by what was won with, and where they stand in a profile.
var mainPays = map[vocab.Why]struct {
	path string
	odds func(*rules.Rules) money.Ratio
}{
	vocab.WhyBlackJack: {"pays.black_jack", func(r *rules.Rules) money.Ratio { return r.Pays.BlackJack }},
	vocab.WhyBonusBlackJack: {"pays.bonus_black_jack", func(r *rules.Rules) money.Ratio {
		return *r.Pays.BonusBlackJack
	}},
	vocab.WhyEvenMoney:     {"pays.even_money", func(r *rules.Rules) money.Ratio { return r.Pays.EvenMoney }},
	vocab.WhyHigherTotal:   {"pays.win", func(r *rules.Rules) money.Ratio { return r.Pays.Win }},
	vocab.WhyBankBust:      {"pays.win", func(r *rules.Rules) money.Ratio { return r.Pays.Win }},
	vocab.WhyPoints:        {"pays.win", func(r *rules.Rules) money.Ratio { return r.Pays.Win }},
	vocab.WhyFiveCardTrick: {"pays.five_card_trick", func(r *rules.Rules) money.Ratio { return r.Pays.FiveCardTrick }},
	vocab.WhyThreeSevens:   {"pays.three_sevens", func(r *rules.Rules) money.Ratio { return r.Pays.ThreeSevens }},
	vocab.WhyManyCards:     {"many_cards.pays", func(r *rules.Rules) money.Ratio { return r.ManyCards.Pays }},
	vocab.WhyBankBlackJack: {"pays.insurance", func(r *rules.Rules) money.Ratio { return r.Pays.Insurance }},
}

// paidBy finds what a payout that won something is paid by: odds, or a prize. A Five-Card-Trick that has no more points
// than the bank wins like any other hand.
func paidBy(
	r *rules.Rules, b display.Box, p display.Payout, bank int,
) (path string, odds money.Ratio, prize rules.Prize) {
	bet, side := p.Wager.Side()
	if !side {
		row := mainPays[p.Why]
		switch suited := r.Pays.BlackJackSuited; {
		case p.Why == vocab.WhyFiveCardTrick && bank >= fiveCards:
			row = mainPays[vocab.WhyPoints]
		case p.Why == vocab.WhyBlackJack && suited != nil && ofOneSuit(b.Hands[0].Cards):
			return "pays.black_jack_suited", *suited, prize
		}
		return row.path, row.odds(r), prize
	}
	for i, offered := range r.SideBets {
		for k, line := range offered.Pays {
			if offered.Bet == bet && vocab.WhyLine(line.Line) == p.Why {
				return fmt.Sprintf("side_bets[%d].pays[%d].pays", i, k), line.Pays.Odds, line.Pays
			}
		}
	}
	return "", odds, prize
}

// ofOneSuit says whether two cards have the same suit.
func ofOneSuit(cards []card.Card) bool { return cards[0].Suit() == cards[1].Suit() }

// Topics are what exercises of a house can be about, the commonest first. Of a payout it is a wager and what it wins
// with, such as main/blackjack.
func Topics(house *rules.Rules, k Kind, level int) []string {
	switch {
	case k == Payouts:
		return payoutTopics(house, level)
	case k == Calls && house.Game == rules.BlackJack:
		return []string{callsTwo, callsMore, callsPair, callsSplit}
	case k == Bank && house.Game == rules.BlackJames:
		return []string{jamesDraws, jamesWrong, jamesNone}
	case k == Hole:
		return holeTopics(house)
	case k == Tray:
		return trayTopics(level)
	case k == Incidents:
		var all []string
		for _, keeps := range []bool{true, false} {
			for _, m := range IncidentsOf(house, keeps) {
				if topic := TopicOf(m); !slices.Contains(all, topic) {
					all = append(all, topic)
				}
			}
		}
		return all
	case k == Bank:
		soft := []string{bankSoftDraws, bankSoftStands}
		if house.Bank.DrawsSoft17() {
			soft = []string{bankSoftDraws, bankSoft17Draws, bankSoft18Stands}
		}
		all := append([]string{bankDraws, bankStands, bankNone}, soft...)
		if !house.Bank.HasHole() { // it lies there already
			all = append(all, bankSecond)
		}
		return all
	}
	return nil
}

const nothing = "main/nothing"

func payoutTopics(house *rules.Rules, level int) []string {
	all := []string{nothing}
	for _, row := range []struct {
		why   vocab.Why
		has   bool
		level int
	}{
		{vocab.WhyHigherTotal, house.Game == rules.BlackJack, 1},
		{vocab.WhyBankBust, house.Game == rules.BlackJack, 1},
		{vocab.WhyPoints, house.Game == rules.BlackJames, 1},
		{vocab.WhyTie, house.Game == rules.BlackJack, 1},
		{vocab.WhyBank22, house.Bank.Pushes(22), 1},
		{vocab.WhyBlackJack, true, 1},
		{vocab.WhyManyCards, house.ManyCards != nil, 1},
		{vocab.WhyFiveCardTrick, house.Game == rules.BlackJames, 1},
		{vocab.WhyBonusBlackJack, house.Pays.BonusBlackJack != nil, 1},
		{vocab.WhyThreeSevens, house.ThreeSevens.Paid, 1},
		{vocab.WhyEvenMoney, house.Insurance.EvenMoney, 2},
	} {
		if row.has && level >= row.level {
			all = append(all, topic(vocab.WagerMain, row.why))
		}
	}
	if level < 2 {
		return all
	}
	if house.Insurance.Offered {
		all = append(all, topic(vocab.WagerInsurance, vocab.WhyBankBlackJack))
	}
	for _, bet := range house.SideBets {
		for _, line := range slices.Backward(bet.Pays) {
			if whole := line.Pays.Jackpot && line.Pays.Part.Den == 0; !whole { // which is too rare
				all = append(all, topic(vocab.SideWager(bet.Bet), vocab.WhyLine(line.Line)))
			}
		}
	}
	return all
}

func topic(w vocab.Wager, why vocab.Why) string { return w.String() + "/" + why.String() }

// topicOf is the rarest of what a box's payout is about.
func topicOf(house *profile.House, level int, b display.Box) string {
	order := payoutTopics(house.Rules, level)
	about := 0
	for _, p := range b.Payouts {
		if p.Won > 0 || p.Outcome == vocab.StandOff {
			about = max(about, slices.Index(order, topic(p.Wager, p.Why)))
		}
	}
	return order[about]
}
