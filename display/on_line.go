package display

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/table/vocab"
)

// LineMove is what is done with a chip on the line of a box, half of which is a bettor's.
type LineMove int

// The moves, in the order in which they are made.
const (
	// FromLine is a chip that its bettor has won: it is among what he is paid, and lies there already.
	FromLine LineMove = iota
	// TakeFromLine is one that the house takes.
	TakeFromLine
	// LayOnLine is one that is laid there for the next round.
	LayOnLine
	// LiesOnLine is one with which nothing is done.
	LiesOnLine
)

// OnLine are the bettors of a box with whose chips on its line the same is done.
type OnLine struct {
	Move    LineMove
	Bettors []string
}

// OnLines says what lies on the line of a box, and what is done with it.
func OnLines(b Box) (all []OnLine) {
	for move := range LiesOnLine + 1 {
		if bettors := movedOnLine(b, move); len(bettors) > 0 {
			all = append(all, OnLine{move, bettors})
		}
	}
	return all
}

func movedOnLine(b Box, move LineMove) (bettors []string) {
	if move == LiesOnLine {
		bettors = append(bettors, b.Line...)
	}
	for i := range b.Payouts {
		p := &b.Payouts[i]
		if !slices.Contains(lineMoves(p, b.Paid), move) {
			continue
		}
		chips := int64(1)
		if move == FromLine || move == TakeFromLine {
			chips = max(1, p.LineChips)
		}
		for range chips {
			bettors = append(bettors, p.Bettor)
		}
	}
	return bettors
}

// lineMoves are what is done with the chip that lay on the line before a wager was decided, and with the one of which
// half is left of it. Once the wager is paid the first is gone, and the second lies there.
func lineMoves(p *Payout, paid bool) (moves []LineMove) {
	paid = paid || p.Paid
	switch {
	case !p.Line || paid:
	case p.Outcome == vocab.Win:
		moves = append(moves, FromLine)
	default:
		moves = append(moves, TakeFromLine)
	}
	switch {
	case p.Carried && paid:
		moves = append(moves, LiesOnLine)
	case p.Carried:
		moves = append(moves, LayOnLine)
	}
	return moves
}

// LineMoves are the names of the moves in the words of a language.
var LineMoves = [...]string{
	FromLine: "line.from", TakeFromLine: "line.take", LayOnLine: "line.lay",
	LiesOnLine: "line.lies",
}

// OnTheLine says what lies on the line of a box, whose half it is and what is done with it, a text for each move.
func (l Language) OnTheLine(v View, b Box) (all []string) {
	for _, one := range OnLines(b) {
		sum := l.Money(v.Unit*int64(len(one.Bettors)), v.Digits)
		all = append(all, l.fill(LineMoves[one.Move], text("sum", sum),
			text("who", strings.Join(one.Bettors, l.text("list.comma")))))
	}
	return all
}

// BoxesOnLine are the numbers of the boxes with whose lines a move is made, as "1,3"; "" for none.
func BoxesOnLine(v View, move LineMove) string {
	var numbers []string
	for _, b := range v.Boxes {
		if len(movedOnLine(b, move)) > 0 {
			numbers = append(numbers, strconv.Itoa(b.Number))
		}
	}
	return strings.Join(numbers, ",")
}
