package secondbook

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
)

// This file reads the paytables of the side bets: word by word, as they stand there, and not as the engine has them.

// paytable is a side bet's.
type paytable struct {
	bet   sidebet.Bet
	lines []payline
	// second, down: a line looks at the box's second card, at the bank's second.
	second, down bool
}

// payline is a line, won by any of its ways: each is what must all be so.
type payline struct {
	line sidebet.Line
	ways [][]clause
}

// clause is one thing that is said of cards.
type clause struct {
	not   bool
	words []string
	where []string
	// names are the cards that are counted.
	names []string
}

// paytablesOf reads the paytables of a house.
func paytablesOf(r *rules.Rules) (all []paytable) {
	for _, o := range r.Offers() {
		t := paytable{bet: o.Bet}
		for _, row := range o.Rows() {
			t.lines = append(t.lines, payline{row.Line, t.read(row.When.String(), o.Cards().String())})
		}
		all = append(all, t)
	}
	return all
}

// read takes a condition apart.
func (t *paytable) read(text, cards string) (ways [][]clause) {
	for way := range strings.SplitSeq(text, " or ") {
		var all []clause
		for said := range strings.SplitSeq(way, " and ") {
			said, where, elsewhere := strings.Cut(said, " in ")
			if !elsewhere {
				where = cards
			}
			said, not := strings.CutPrefix(said, "not ")
			c := clause{not: not, words: strings.Fields(said), where: strings.Split(where, "+")}
			if last := c.words[len(c.words)-1]; len(c.words) > 2 {
				c.names = strings.Split(last, "/")
			}
			if c.words[0] == "spread" {
				c.where = []string{"box", "up"}
			}
			if !c.ofNoCards() {
				t.second = t.second || slices.Contains(c.where, "box")
				t.down = t.down || slices.Contains(c.where, "bank")
			}
			all = append(all, c)
		}
		ways = append(ways, all)
	}
	return ways
}

func (c *clause) ofNoCards() bool { return c.words[0] == "kept" || c.words[0] == "joker" }

// felt of one box, as far as a side bet looks at it.
type spot struct {
	first, second, up, down card.Card
	// joker: a Joker was laid to the box. dealt: none can be any more.
	joker, dealt bool
	// ended: the box's hands are all decided, lost: it has lost.
	ended, lost bool
	hand        []card.Card
	// bank is the bank's hand once it draws no more, else nil.
	bank []card.Card
}

// wins is the line that wins; false while what is to come can change it.
func (t *paytable) wins(s spot) (sidebet.Line, bool) {
	to := (*card.Card)(nil)
	switch {
	case t.second && s.second == card.None:
		to = &s.second
	case t.down && s.down == card.None:
		to = &s.down
	default:
		return t.first(&s)
	}
	var line sidebet.Line
	begun := false
	for c := range card.All {
		*to = c
		is, sure := t.wins(s)
		if !sure || begun && is != line {
			return "", false
		}
		line, begun = is, true
	}
	return line, true
}

// first is the first line that holds.
func (t *paytable) first(s *spot) (sidebet.Line, bool) {
	for i := range t.lines {
		holds, sure := t.lines[i].holds(s)
		switch {
		case !sure:
			return "", false
		case holds:
			return t.lines[i].line, true
		}
	}
	return "", true
}

func (l *payline) holds(s *spot) (is, sure bool) {
	sure = true
	for _, way := range l.ways {
		all, known := true, true
		for i := range way {
			holds, told := way[i].holds(s)
			if told && holds == way[i].not {
				all, known = false, true
				break
			}
			known = known && told
		}
		if all && known {
			return true, true
		}
		sure = sure && known
	}
	return false, sure
}

// holds says whether what is said is so, but for its not; told is false while nobody knows.
func (c *clause) holds(s *spot) (is, told bool) {
	switch c.words[0] {
	case "kept":
		return !s.lost, s.ended
	case "joker":
		return s.joker, s.joker || s.dealt
	case "spread":
		one, other, up := s.first.Rank().Height(), s.second.Rank().Height(), s.up.Rank().Height()
		low, high := min(one, other), max(one, other)
		return low < up && up < high && between(c.words[1], high-low-1), true
	}
	var room [4]card.Card
	cards, told := s.at(c.where, room[:0])
	return told && c.said(s, cards), told
}

// at are the cards at some places; false for a hand that goes on.
func (s *spot) at(where []string, room []card.Card) (cards []card.Card, told bool) {
	cards = room
	for _, place := range where {
		switch place {
		case "box":
			cards = append(cards, s.first, s.second)
		case "bank":
			cards = append(cards, s.up, s.down)
		case "first":
			cards = append(cards, s.first)
		case "up":
			cards = append(cards, s.up)
		case "hand":
			return s.hand, s.ended
		case "bank-hand":
			return s.bank, s.bank != nil
		}
	}
	return cards, true
}

// said says whether something is so of cards.
func (c *clause) said(s *spot, cards []card.Card) bool {
	total, soft := count(cards)
	hard := 0
	for _, one := range cards {
		hard += worth(one)
	}
	switch c.words[0] {
	case "suited":
		return same(cards, func(c card.Card) int { return int(c.Suit()) })
	case "one-colour":
		return same(cards, func(c card.Card) int { return colour(c) })
	case "one-rank":
		return same(cards, func(c card.Card) int { return int(c.Rank()) })
	case "identical":
		return same(cards, func(c card.Card) int { return int(c) })
	case "straight":
		return inRow(cards, 14) || inRow(cards, 1)
	case "blackjack":
		return natural(cards)
	case "bust":
		return total > 21
	case "soft":
		return soft
	case "total":
		return between(c.words[1], total)
	case "hard-total":
		return between(c.words[1], hard)
	case "cards":
		return between(c.words[1], len(cards))
	}
	n := 0
	for _, one := range cards {
		if c.means(s, one) {
			n++
		}
	}
	switch c.words[0] {
	case "all":
		return n == len(cards)
	case "none":
		return n == 0
	}
	return between(c.words[0], n)
}

// same says whether all cards have one value of something.
func same(cards []card.Card, of func(card.Card) int) bool {
	for _, c := range cards {
		if of(c) != of(cards[0]) {
			return false
		}
	}
	return true
}

// inRow says whether each card is one higher than another, the ace counting as given.
func inRow(cards []card.Card, ace int) bool {
	var room [24]int
	heights := room[:0]
	for _, c := range cards {
		height := int(c.Rank())
		if c.Rank() == card.Ace {
			height = ace
		}
		heights = append(heights, height)
	}
	slices.Sort(heights)
	for i := 1; i < len(heights); i++ {
		if heights[i] != heights[i-1]+1 {
			return false
		}
	}
	return true
}

// between says whether a number is what is written: 2, 2+ or 2-4.
func between(written string, n int) bool {
	low, more := strings.CutSuffix(written, "+")
	low, high, span := strings.Cut(low, "-")
	from, _ := strconv.Atoi(low)
	to := from
	if span {
		to, _ = strconv.Atoi(high)
	}
	return n >= from && (more || n <= to)
}

// means says whether a card is among those that are counted.
func (c *clause) means(s *spot, one card.Card) bool {
	switch c.words[2] {
	case "up-rank":
		return alike(one, s.up)
	case "up-card":
		return one == s.up
	case "red", "black":
		if one.Red() != (c.words[2] == "red") {
			return false
		}
		if len(c.words) == 3 {
			return true
		}
	}
	for _, name := range c.names {
		switch {
		case name == one.String(), len(name) == 1 && name[0] == one.String()[0],
			name == "ten-value" && worth(one) == 10, name == "picture" && one.Rank() >= card.Jack,
			name == suitName(one):
			return true
		}
	}
	return false
}

func colour(c card.Card) int {
	if c.Red() {
		return 1
	}
	return 0
}

func suitName(c card.Card) string {
	names := [...]string{card.Spades: "spades", card.Hearts: "hearts", card.Diamonds: "diamonds", card.Clubs: "clubs"}
	return names[c.Suit()]
}
