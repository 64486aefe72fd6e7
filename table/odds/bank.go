package odds

import (
	"sync"

	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/rules"
)

// End is what the bank has in the end.
type End uint8

// The ends: totals from 17 to 21, Black Jack, and more than 21.
const (
	End17 End = iota
	End18
	End19
	End20
	End21
	EndBlackJack
	EndOver
	// Ends is the number of ends.
	Ends
)

// endNames are the ends in results.
var endNames = [Ends]string{"17", "18", "19", "20", "21", "black-jack", "over"}

// String is the end as results name it.
func (e End) String() string { return endNames[e] }

// end22 is a bank with 22 where that makes hands a stand-off: one over 21 among the results.
const end22 = Ends

// allEnds is the number of ends with that one.
const allEnds = Ends + 1

// Spread is how likely each end is.
type Spread [allEnds]float64

// below is how likely the bank has fewer than a total, or too many.
func (s *Spread) below(total int) float64 {
	p := s[EndOver]
	for end := End17; end <= End21 && int(end)+17 < total; end++ {
		p += s[end]
	}
	return p
}

// at is how likely the bank has a total.
func (s *Spread) at(total int) float64 {
	if total < 17 {
		return 0
	}
	return s[total-17]
}

// draw is a set of cards that the bank draws to its first, in a tree of such sets in which each card is as high as the
// one before it or higher.
type draw struct {
	before int // the set with one card less
	value  int // of the last card
	used   int // how many such cards are in before
	deep   int // how many cards are in before
	// ways is in how many orders the bank can draw these cards and stand then, with end; 0 for a set that is only part
	// of others.
	ways float64
	end  End
}

// bankRule is how the bank draws.
type bankRule struct {
	// soft17: it draws on a soft 17.
	soft17 bool
	// pushes22: with 22 it loses to a Black Jack alone.
	pushes22 bool
}

func bankRuleOf(b *rules.Bank) bankRule { return bankRule{b.DrawsSoft17(), b.Pushes(22)} }

// standsOn says whether the bank stands on a hand of two cards or more.
func (r bankRule) standsOn(v hand.Value) bool {
	return v.Total() > 17 || v.Total() == 17 && !(r.soft17 && v.Soft())
}

// drawn are the sets by the value of the bank's first card, the empty one first.
type drawn [10][]draw

// drawnOf are the sets of each bank. They are worked out when odds are first asked for.
var (
	drawnOf = map[bankRule]func() *drawn{
		{}:                             later(bankRule{}),
		{soft17: true}:                 later(bankRule{soft17: true}),
		{pushes22: true}:               later(bankRule{pushes22: true}),
		{soft17: true, pushes22: true}: later(bankRule{soft17: true, pushes22: true}),
	}
)

func later(r bankRule) func() *drawn { return sync.OnceValue(func() *drawn { return drawnBy(r) }) }

// drawsOf are the sets of a bank.
func drawsOf(r bankRule) *drawn { return drawnOf[r]() }

func drawnBy(r bankRule) *drawn {
	all := new(drawn)
	for up := range all {
		all[up] = r.drawsAfter(up)
	}
	return all
}

// longestList is the room that spread needs.
func (d *drawn) longestList() (n int) {
	for _, list := range d {
		n = max(n, len(list))
	}
	return n
}

func (r bankRule) drawsAfter(up int) []draw {
	ways := map[points]float64{}
	r.orders(points{}, 1+up, up == ace, ways)
	list := []draw{{}}
	r.grow(&list, 0, 0, points{}, up, ways)
	return list
}

// orders counts the orders in which the bank draws each set: to 16 it draws, on 17 it stands, or draws on a soft one.
// (Common rule 6.)
func (r bankRule) orders(drawn points, hard int, soft bool, ways map[points]float64) {
	if total := standing(hard, soft); total > 17 || total == 17 && !(r.soft17 && total != hard) {
		ways[drawn]++
		return
	}
	for value := range drawn {
		next := drawn
		next[value]++
		r.orders(next, hard+value+1, soft || value == ace, ways)
	}
}

// standing is the bank's total: an ace counts eleven whenever that makes 17 to 21, and until then changes nothing.
func standing(hard int, soft bool) int {
	if soft && hard+10 <= hand.Best {
		return hard + 10
	}
	return hard
}

// most is the most that the bank's cards can count, aces one: a ten to 16.
const most = 26

// grow adds the sets that contain another, if one of them or one that contains it is an end.
func (r bankRule) grow(list *[]draw, before, least int, drawn points, up int, ways map[points]float64) bool {
	deep := drawn.size()
	any := false
	for value := least; value < len(drawn); value++ {
		next := drawn
		next[value]++
		at := len(*list)
		*list = append(*list, draw{
			before: before, value: value, used: drawn[value], deep: deep, ways: ways[next],
			end: r.endOf(up, next),
		})
		larger := next.sum()+1+up < most && r.grow(list, at, value, next, up, ways)
		if ways[next] == 0 && !larger {
			*list = (*list)[:at]
			continue
		}
		any = true
	}
	return any
}

// sum is what the cards count together, aces one.
func (p *points) sum() (hard int) {
	for value, n := range p {
		hard += (value + 1) * n
	}
	return hard
}

func (r bankRule) endOf(up int, drawn points) End {
	all := drawn
	all[up]++
	total := standing(all.sum(), all[ace] > 0)
	switch {
	case total == hand.Best+1 && r.pushes22:
		return end22
	case total > hand.Best:
		return EndOver
	case total < 17:
		return 0 // part of others
	case drawn.size() == 1 && total == hand.Best:
		return EndBlackJack
	}
	return End(total - 17)
}

// spread is how the bank ends that shows a value and draws from what is left. work has room for each draw.
func (d *drawn) spread(up int, left *points, work []float64) (s Spread) {
	size := left.size()
	list := d[up]
	work[0] = 1
	for i := 1; i < len(list); i++ {
		d := &list[i]
		p := work[d.before] * float64(left[d.value]-d.used)
		if p <= 0 {
			work[i] = 0
			continue
		}
		p *= inverse[size-d.deep]
		work[i] = p
		s[d.end] += d.ways * p
	}
	return s
}
