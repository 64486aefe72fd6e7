package secondbook

import "github.com/sabot-table/sabot/table/sidebet"

// Paytable reads the conditions of lines, which look at some cards, and says which line wins and whether that is sure.
func Paytable(lines []sidebet.Line, conditions []string, cards string) func(*sidebet.Cards) (sidebet.Line, bool) {
	var read paytable
	for i, text := range conditions {
		read.lines = append(read.lines, payline{lines[i], read.read(text, cards)})
	}
	return func(c *sidebet.Cards) (sidebet.Line, bool) { return read.wins(spotOf(c)) }
}

func spotOf(c *sidebet.Cards) spot {
	return spot{
		first: c.First, second: c.Second, up: c.Bank, down: c.BankSecond, joker: c.Joker, dealt: !c.JokerMayCome,
		ended: c.Hands != sidebet.HandsOpen, lost: c.Hands == sidebet.HandsLost, hand: c.Hand, bank: c.BankHand,
	}
}
