package luck

import (
	"math/big"

	"github.com/sabot-table/sabot/table/hand"
)

// bankBust is how likely the bank goes over 21 when it draws to the end: to 16 it draws, on 17 it stands.
func (c cards) bankBust() *big.Rat {
	b := bank{size: c.size()}
	for _, one := range c.all {
		b.left[hand.Points(one.Rank())] += c.decks
	}
	b.draw(0, false, 0, big.NewInt(1))
	return b.over()
}

// bank goes through every order of points in which the bank can draw. What it counts is exact: the ordered ways by
// their length.
type bank struct {
	left [11]int64 // cards by their points, an ace counting 1
	size int64
	bust [32]big.Int
}

func (b *bank) draw(hard int, ace bool, drawn int, ways *big.Int) {
	if total := best(hard, ace); total >= 17 {
		if total > hand.Best {
			b.bust[drawn].Add(&b.bust[drawn], ways)
		}
		return
	}
	for points := 1; points <= 10; points++ {
		if n := b.left[points]; n > 0 {
			b.left[points]--
			b.draw(hard+points, ace || points == 1, drawn+1, new(big.Int).Mul(ways, big.NewInt(n)))
			b.left[points]++
		}
	}
}

// over is the probability of all ways over 21.
func (b *bank) over() *big.Rat {
	sum := new(big.Rat)
	for n := range b.bust {
		if b.bust[n].Sign() > 0 {
			sum.Add(sum, new(big.Rat).SetFrac(&b.bust[n], new(big.Int).MulRange(b.size-int64(n)+1, b.size)))
		}
	}
	return sum
}

func best(hard int, ace bool) int {
	if ace && hard+10 <= hand.Best {
		return hard + 10
	}
	return hard
}
