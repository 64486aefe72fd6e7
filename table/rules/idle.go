package rules

import "github.com/sabot-table/sabot/table/money"

// FillIdle gives what the profile's game does not have the values that stood in every profile while they had to be
// written: a house keeps its fingerprint without them.
func (p *Profile) FillIdle() {
	if p.Game == BlackJack {
		p.Pays.FiveCardTrick = money.Ratio{Num: 3, Den: 2}
		return
	}
	p.Play.AutoRestAt21 = true
	p.Cards.Tens = nil
	p.Bank = Bank{Draws: p.Bank.Draws}
	p.Play.DrawBelow, p.Play.RestFrom = nil, nil
	p.Double, p.Split, p.Insurance = Double{On: []int{}}, Split{}, Insurance{}
	p.SurrenderOnly, p.ManyCards, p.Pays.BlackJackSuited = nil, nil, nil
	p.Surrender, p.ThreeSevens, p.RepeatSideBets, p.Jackpot = false, ThreeSevens{}, nil, nil
	p.Pays.EvenMoney, p.Pays.ThreeSevens, p.Pays.Insurance = money.Ratio{Num: 1, Den: 1}, money.Ratio{Num: 1, Den: 1},
		money.Ratio{Num: 2, Den: 1}
	p.Pays.BonusBlackJack = nil
}
