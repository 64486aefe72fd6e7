package table_test

import (
	"fmt"
	"strings"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/money"
)

// This file is the side bets a second time.

// lines are what each line of a paytable pays to 1.
var lines = map[string]int64{
	"perfect-pair": 25, "coloured-pair": 12, "mixed-pair": 6,
	"jack-is-black": 50, "all-red": 25, "mix": 10,
	"twins-joker": 200, "twins": 11, "crazy-twins-joker": 400, "crazy-twins": 22,
	"three-aces-of-spades": 300, "three-red-jacks": 200, "three-of-a-kind": 50, "three-black": 4,
	"three-queens-of-spades": 300, "three-queens": 50, "two-queens-of-spades": 20,
	"two-queens": 10, "queen-of-spades": 4, "one-queen": 2,
	"blackjack": 19,
}

// prizes are the amounts of Progressive Black Jack.
var prizes = map[string]int64{
	"suited-ace-king": 25_000, "coloured-ace-king": 20_000, "ace-king": 10_000, "blackjack": 2_000,
}

// rankIn says whether a card's rank is among some.
func rankIn(c card.Card, ranks string) bool { return strings.IndexByte(ranks, c.String()[0]) >= 0 }

func red(c card.Card) bool { return strings.IndexByte("HD", c.String()[1]) >= 0 }

func suitedAceKing(cards []card.Card) bool {
	return natural(cards[:2]) && aceKing(cards) && cards[0].String()[1] == cards[1].String()[1]
}

func aceKing(cards []card.Card) bool {
	return len(cards) > 1 && rankIn(cards[0], "AK") && rankIn(cards[1], "AK") && !alike(cards[0], cards[1])
}

// alike says whether two cards have one rank.
func alike(a, b card.Card) bool { return a.String()[0] == b.String()[0] }

// sideBrings is what a side bet must bring at this moment.
func (p *page) sideBrings(box int, out table.Output) (verdict, error) {
	first := p.boxes[box].hands[0].cards
	name := out.Wager.String()
	if name == "bust" {
		return p.bustBrings()
	}
	if name == "swiss-casinos-jack" {
		return p.swissBrings()
	}
	if name == "crazy-twins" {
		return p.crazyBrings(box), nil
	}
	line := ""
	switch name {
	case "perfect-pairs":
		line = pairLine(first[0], first[1])
	case "twins":
		if alike(first[0], first[1]) {
			line = "twins" + p.withJoker(box)
		}
	case "3-card-wins":
		line = threeLine(append(first[:2:2], p.bank[0]))
	case "queens-trio":
		line = queensLine(append(first[:2:2], p.bank[0]))
	case "admiral-jack":
		if natural(first) {
			line = "blackjack"
		}
	case "progressive":
		return p.progressiveBrings(first, out)
	default:
		return verdict{}, fmt.Errorf("there is no such side bet")
	}
	return byLine(line), nil
}

func byLine(line string) verdict {
	if line == "" {
		return lost("no-match")
	}
	return won(line, money.Ratio{Num: lines[line], Den: 1})
}

func (p *page) withJoker(box int) string {
	if p.joker[box] {
		return "-joker"
	}
	return ""
}

func pairLine(a, b card.Card) string {
	switch {
	case !alike(a, b):
		return ""
	case a.String() == b.String():
		return "perfect-pair"
	case red(a) == red(b):
		return "coloured-pair"
	}
	return "mixed-pair"
}

func threeLine(three []card.Card) string {
	a, b, c := three[0], three[1], three[2]
	same := alike(a, b) && alike(b, c)
	names := a.String() + b.String() + c.String()
	switch {
	case names == "ASASAS":
		return "three-aces-of-spades"
	case same && rankIn(a, "J") && red(a) && red(b) && red(c):
		return "three-red-jacks"
	case same:
		return "three-of-a-kind"
	case !red(a) && !red(b) && !red(c):
		return "three-black"
	}
	return ""
}

func queensLine(three []card.Card) string {
	queens, spades := 0, 0
	for _, c := range three {
		if rankIn(c, "Q") {
			queens++
		}
		if c.String() == "QS" {
			spades++
		}
	}
	switch queens*10 + spades {
	case 33:
		return "three-queens-of-spades"
	case 30, 31, 32:
		return "three-queens"
	case 22:
		return "two-queens-of-spades"
	case 20, 21:
		return "two-queens"
	case 11:
		return "queen-of-spades"
	case 10:
		return "one-queen"
	}
	return ""
}

func (p *page) bustBrings() (verdict, error) {
	total, _ := count(p.bank)
	switch {
	case total < 17:
		return verdict{}, fmt.Errorf("decided while the bank has %v", p.bank)
	case total > 21:
		return won("bank-bust", money.Ratio{Num: 5, Den: 2}), nil
	}
	return lost("no-match"), nil
}

func (p *page) swissBrings() (verdict, error) {
	if len(p.bank) == 1 {
		if rankIn(p.bank[0], "ATJQK") {
			return verdict{}, fmt.Errorf("decided while the bank has %v", p.bank)
		}
		return lost("no-match"), nil
	}
	if !natural(p.bank) {
		return lost("no-match"), nil
	}
	for _, c := range p.bank {
		if rankIn(c, "J") && !red(c) {
			return byLine("jack-is-black"), nil
		}
	}
	if red(p.bank[0]) && red(p.bank[1]) {
		return byLine("all-red"), nil
	}
	return byLine("mix"), nil
}

// crazyBrings weighs the hands of the box by the holder's stakes on them.
func (p *page) crazyBrings(box int) verdict {
	b := p.boxes[box]
	if !alike(b.hands[0].cards[0], p.bank[0]) {
		return lost("no-match")
	}
	var balance int64
	for _, h := range b.hands {
		for _, w := range h.wagers {
			switch {
			case w.name != b.stakes[0].name:
			case w.outcome == table.Win:
				balance += w.times
			case w.outcome == table.Lose:
				balance -= w.times
			}
		}
	}
	if balance < 0 {
		return lost("no-match")
	}
	return byLine("crazy-twins" + p.withJoker(box))
}

// progressiveBrings: the whole jackpot is divided among those who win it, and the
// share is not this book's matter.
func (p *page) progressiveBrings(first []card.Card, out table.Output) (verdict, error) {
	line := ""
	switch {
	case !natural(first):
		return lost("no-match"), nil
	case !aceKing(first):
		line = "blackjack"
	case suitedAceKing(first):
		line = "suited-ace-king"
	case red(first[0]) == red(first[1]):
		line = "coloured-ace-king"
	default:
		line = "ace-king"
	}
	switch {
	case line != "suited-ace-king" || len(p.bank) == 1 && !rankIn(p.bank[0], "AK"):
	case len(p.bank) == 1:
		return verdict{}, fmt.Errorf("decided while the bank has %v", p.bank)
	case aceKing(p.bank):
		return verdict{outcome: table.Win, why: "jackpot", prize: out.Won}, nil
	}
	return verdict{outcome: table.Win, why: line, prize: prizes[line]}, nil
}
