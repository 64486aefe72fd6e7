package practice

import (
	"slices"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// What the bank's exercises are about: why it draws or stands.
const (
	bankSecond     = "bank/second-card"
	bankDraws      = "bank/draws"
	bankSoftDraws  = "bank/draws-soft"
	bankStands     = "bank/stands"
	bankSoftStands = "bank/stands-soft"
	// Where the bank draws on a soft 17.
	bankSoft17Draws  = "bank/draws-soft-17"
	bankSoft18Stands = "bank/stands-soft-18"
	bankNone         = "bank/not-needed"
	jamesDraws       = "bank/james-draws"
	jamesWrong       = "bank/james-wrong"
	jamesNone        = "bank/james-none"
)

// askBank asks whether the bank must draw, at each of its cards once the boxes are done.
func askBank(house *profile.House, _ ID) func(moment) []Exercise {
	var before display.View
	return func(m moment) []Exercise {
		due := m.table.Due().To
		if m.table.Phase() != vocab.Payment && (m.table.Phase() != vocab.BankDraws || due != vocab.ToBank) {
			before = m.view()
			return nil
		}
		v := m.view()
		wrong := len(v.Aside) > len(before.Aside)
		v.Boxes = slices.Clone(v.Boxes)
		if due != vocab.ToBank {
			for i := range v.Boxes {
				v.Boxes[i].Payouts = before.Boxes[i].Payouts
			}
		}
		before = v
		if v.Game == display.BlackJack && v.Bank.Total > 21 {
			return nil
		}
		if v.Bank.Done != vocab.DoneBlackJack {
			v.Bank.Done = 0
		}
		v.Phase, v.Due, v.Bank.Active = vocab.BankDraws, display.Due{To: vocab.ToBank}, true
		draws := due == vocab.ToBank
		return []Exercise{{
			Shows: v, Right: Answer{Draws: draws}, About: whyBank(house.Rules, v, draws, wrong),
			Rules: bankRules(house),
		}}
	}
}

// whyBank is why the bank draws or stands. wrong says that its last forecast was wrong.
func whyBank(r *rules.Rules, v display.View, draws, wrong bool) string {
	b := v.Bank
	soft17 := r.Bank.DrawsSoft17()
	switch {
	case v.Game == display.BlackJames && draws:
		return jamesDraws
	case v.Game == display.BlackJames && wrong:
		return jamesWrong
	case v.Game == display.BlackJames:
		return jamesNone
	case draws && len(b.Cards) == 1:
		return bankSecond
	case draws && b.Soft && b.Total == 17:
		return bankSoft17Draws
	case draws && b.Soft:
		return bankSoftDraws
	case draws:
		return bankDraws
	case b.Total < 17, b.Total == 17 && b.Soft && soft17:
		return bankNone
	case b.Soft && b.Done != vocab.DoneBlackJack && soft17:
		return bankSoft18Stands
	case b.Soft && b.Done != vocab.DoneBlackJack:
		return bankSoftStands
	}
	return bankStands
}

func bankRules(house *profile.House) []Rule {
	if house.Game == rules.BlackJames {
		return rulesAt(house, "game", "bank.draws")
	}
	if house.Bank.DrawsSoft17() {
		return rulesAt(house, "bank.draws", "bank.soft_17")
	}
	return rulesAt(house, "bank.draws")
}
