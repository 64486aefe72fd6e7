package odds

import (
	"sync"

	"github.com/sabot-table/sabot/table/hand"
)

// combination is a hand by what its cards count, whatever their order.
type combination struct {
	count [10]uint8 // aces, twos, to tens
	cards int
	total int // the best
	soft  bool
	// next is the combination with one card more, by that card; over is one of more than 21.
	next [10]int
}

// over is the index of no combination: more than 21.
const over = -1

// none is the index of the combination of no cards.
const none = 0

// combinations are all hands of at most 21, the one without cards first. They are worked out when odds are first asked
// for: most starts of a program ask for none.
var combinations = sync.OnceValue(graph)

// graph makes every hand from those with a card less.
func graph() []combination {
	list := []combination{{}}
	known := map[[10]uint8]int{{}: none}
	for at := 0; at < len(list); at++ {
		for value := range list[at].next {
			count := list[at].count
			count[value]++
			next, ok := known[count]
			if !ok {
				next = over
				if one := combined(count); one.total <= hand.Best {
					next = len(list)
					list = append(list, one)
				}
				known[count] = next
			}
			list[at].next[value] = next
		}
	}
	return list
}

func combined(count [10]uint8) combination {
	c := combination{count: count}
	for value, n := range count {
		c.cards += int(n)
		c.total += (value + 1) * int(n)
	}
	if count[ace] > 0 && c.total+10 <= hand.Best {
		c.total, c.soft = c.total+10, true
	}
	return c
}

// The values that rules mention, as indices.
const (
	ace   = 0
	seven = 6
	ten   = 9
)

// of is the combination of cards by their values.
func of(values ...int) int {
	at := none
	for _, value := range values {
		if at = combinations()[at].next[value]; at == over {
			return over
		}
	}
	return at
}

// pair is the value of which a hand has two cards and no other, or -1.
func (c *combination) pair() int {
	if c.cards == 2 {
		for value, n := range c.count {
			if n == 2 {
				return value
			}
		}
	}
	return -1
}

// blackJack says that the first two cards are an ace and a ten.
func (c *combination) blackJack() bool { return c.cards == 2 && c.count[ace] == 1 && c.count[ten] == 1 }

// threeSevens says that the hand is 7-7-7.
func (c *combination) threeSevens() bool { return c.cards == 3 && c.count[seven] == 3 }

// left are the cards of a shoe without those of the hand.
func (c *combination) left(p points) points {
	for value, n := range c.count {
		p[value] -= int(n)
	}
	return p
}
