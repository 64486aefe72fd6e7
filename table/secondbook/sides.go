package secondbook

import (
	"fmt"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file is the side bets.

var (
	aceOfSpades   = card.Of(card.Ace, card.Spades)
	queenOfSpades = card.Of(card.Queen, card.Spades)
)

// alike reports whether two cards have the same rank.
func alike(a, b card.Card) bool { return a.Rank() == b.Rank() }

// expectSide finds a side bet, marks it as settled, and returns what it must bring.
func (b *Book) expectSide(out *vocab.Output) (verdict, int64, error) {
	p := &b.page
	at := p.findSide(out.Box, out.Bettor, out.Wager)
	if at < 0 || p.sides[at].settled {
		return verdict{}, 0, fmt.Errorf("there is no open side bet: it was never placed, or is already decided")
	}
	s := &p.sides[at]
	s.settled = true
	if out.Outcome == vocab.Void {
		b.giveBack(s)
	}
	if s.fate = p.sideFate(s); s.fate != lives {
		return s.fate.brings(), s.amount, nil
	}
	if out.Outcome == vocab.Void {
		return voided, s.amount, b.mayBeVoid()
	}
	want, err := b.sideBrings(s)
	return want, s.amount, err
}

// sideRules are the side bets: how many cards of the box each needs, and what it must
// bring once they are dealt.
var sideRules = [sidebet.Count]struct {
	takes  uint8
	brings func(*Book, *side, *row) (verdict, error)
}{
	sidebet.PerfectPairs: {2, byFirst(func(_ *page, r *row) sidebet.Line {
		return pairLine(r.cards[0], r.cards[1])
	})},
	sidebet.SwissCasinosJack: {1, (*Book).swissBrings},
	sidebet.Bust:             {1, (*Book).bustBrings},
	sidebet.Twins:            {2, byFirst((*page).twinsLine)},
	sidebet.CrazyTwins:       {1, (*Book).crazyBrings},
	sidebet.ThreeCardWins: {2, byFirst(func(p *page, r *row) sidebet.Line {
		return threeLine(r.cards[0], r.cards[1], p.bank[0])
	})},
	sidebet.QueensTrio: {2, byFirst(func(p *page, r *row) sidebet.Line {
		return queensLine(r.cards[0], r.cards[1], p.bank[0])
	})},
	sidebet.AdmiralJack: {2, byFirst(admiralLine)},
	sidebet.Progressive: {2, (*Book).progressiveBrings},
}

// byFirst is for the bets that the first cards of box and bank decide on their own.
func byFirst(line func(*page, *row) sidebet.Line) func(*Book, *side, *row) (verdict, error) {
	return func(b *Book, s *side, r *row) (verdict, error) { return b.byLine(s, line(&b.page, r)), nil }
}

// sideBrings is what a side bet must bring at this moment.
func (b *Book) sideBrings(s *side) (verdict, error) {
	p := &b.page
	bet, _ := s.wager.Side()
	rule := &sideRules[bet]
	switch r := p.row(place{s.box, 1}); {
	case r == nil || r.n == 0 || len(p.bank) == 0:
		return verdict{}, fmt.Errorf("it is decided before the cards that decide it came")
	case r.n < rule.takes:
		return verdict{}, fmt.Errorf("it is decided before the box's second card")
	default:
		return rule.brings(b, s, r)
	}
}

func (p *page) twinsLine(r *row) sidebet.Line {
	switch {
	case !alike(r.cards[0], r.cards[1]):
		return 0
	case p.joker[r.box]:
		return sidebet.TwinsJoker
	}
	return sidebet.TwinsPair
}

func admiralLine(_ *page, r *row) sidebet.Line {
	if natural(r.cards[:2]) {
		return sidebet.BlackJack
	}
	return 0
}

// byLine is what a line of the house's paytable brings; without a line the bet loses.
func (b *Book) byLine(s *side, line sidebet.Line) verdict {
	bet, _ := s.wager.Side()
	because := reason{text: "the cards"}
	if line == 0 {
		return lost(vocab.WhyNoMatch, because)
	}
	offer := b.rules.Offer(bet)
	if offer == nil {
		return lost(vocab.WhyNoMatch, reason{text: "a bet that the house does not offer"})
	}
	prize := offer.Prize(line)
	return verdict{outcome: vocab.Win, why: vocab.WhyLine(line), odds: prize.Odds, prize: prize.Amount, reason: because}
}

func pairLine(a, b card.Card) sidebet.Line {
	switch {
	case !alike(a, b):
		return 0
	case a == b:
		return sidebet.PerfectPair
	case a.Red() == b.Red():
		return sidebet.ColouredPair
	}
	return sidebet.MixedPair
}

func threeLine(a, b, c card.Card) sidebet.Line {
	same := alike(a, b) && alike(b, c)
	reds := 0
	for _, one := range [...]card.Card{a, b, c} {
		if one.Red() {
			reds++
		}
	}
	switch {
	case a == aceOfSpades && b == a && c == a:
		return sidebet.ThreeAcesOfSpades
	case same && a.Rank() == card.Jack && reds == 3:
		return sidebet.ThreeRedJacks
	case same:
		return sidebet.ThreeOfAKind
	case reds == 0:
		return sidebet.ThreeBlack
	}
	return 0
}

func queensLine(cards ...card.Card) sidebet.Line {
	queens, spades := 0, 0
	for _, c := range cards {
		if c.Rank() == card.Queen {
			queens++
		}
		if c == queenOfSpades {
			spades++
		}
	}
	switch queens*10 + spades {
	case 33:
		return sidebet.ThreeQueensOfSpades
	case 30, 31, 32:
		return sidebet.ThreeQueens
	case 22:
		return sidebet.TwoQueensOfSpades
	case 20, 21:
		return sidebet.TwoQueens
	case 11:
		return sidebet.QueenOfSpades
	case 10:
		return sidebet.OneQueen
	}
	return 0
}

func (b *Book) bustBrings(s *side, _ *row) (verdict, error) {
	bank := b.page.bank
	switch total, soft := count(bank); {
	case !b.bankStandsOn(total, soft):
		return verdict{}, fmt.Errorf("it is decided while the bank has %s", names(bank))
	case total > 21:
		return b.byLine(s, sidebet.BankBust), nil
	}
	return b.byLine(s, 0), nil
}

func (b *Book) swissBrings(s *side, _ *row) (verdict, error) {
	bank := b.page.bank
	switch {
	case len(bank) == 1 && b.mayHaveBlackJack():
		return verdict{}, fmt.Errorf("it is decided while the bank has %s and may have Black Jack", names(bank))
	case !natural(bank):
		return b.byLine(s, 0), nil
	}
	for _, c := range bank {
		if c.Rank() == card.Jack && !c.Red() {
			return b.byLine(s, sidebet.JackIsBlack), nil
		}
	}
	if bank[0].Red() && bank[1].Red() {
		return b.byLine(s, sidebet.AllRed), nil
	}
	return b.byLine(s, sidebet.Mix), nil
}

// crazyBrings weighs the hands of the box by the holder's stakes on them.
func (b *Book) crazyBrings(s *side, r *row) (verdict, error) {
	p := &b.page
	if !alike(r.cards[0], p.bank[0]) {
		return b.byLine(s, 0), nil
	}
	holder := p.holder(s.box)
	var balance int64
	for i := range p.wagers {
		w := &p.wagers[i]
		switch {
		case w.box != s.box || w.name != holder:
		case !w.settled:
			return verdict{}, fmt.Errorf("it is decided before the box's last hand")
		case w.outcome == vocab.Win:
			balance += w.times
		case w.outcome == vocab.Lose, w.outcome == vocab.Surrendered:
			balance -= w.times
		case w.outcome == vocab.PartLost:
			balance--
		}
	}
	switch {
	case balance < 0:
		return b.byLine(s, 0), nil
	case p.joker[s.box]:
		return b.byLine(s, sidebet.CrazyTwinsJoker), nil
	}
	return b.byLine(s, sidebet.CrazyTwinsPair), nil
}

// holder is the bettor of a box's first stake.
func (p *page) holder(box uint8) string {
	for i := range p.stakes {
		if p.stakes[i].box == box {
			return p.stakes[i].name
		}
	}
	return ""
}
