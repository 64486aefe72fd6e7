package luck

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
)

// pair is the covariance of a side bet's results on two boxes of one round.
func (c *cards) pair(r *rules.Rules, bet *rules.Offer, o *Odds) float64 {
	if at := bet.Needs(); at&(sidebet.First|sidebet.Second) == 0 || at&sidebet.BankHand != 0 {
		return o.variance // the bank's cards alone decide, or nearly: all boxes win or lose together
	}
	product, house := 0.0, byLine(r, bet)
	for _, up := range c.all {
		product += float64(c.left(up)) / float64(c.Size()) * c.product(bet, house, up)
	}
	return product - o.mean*o.mean
}

// boxPlaces are the cards of a box's initial deal.
const boxPlaces = 2

// product is the mean product of the results on two boxes when the bank shows a card. A result that the bank's second
// card decides counts with its mean.
func (c *cards) product(bet *rules.Offer, house map[sidebet.Line]float64, up card.Card) float64 {
	plain, laid := c.results(bet, house, up, false), c.results(bet, house, up, true)
	one, two := float(c.OnBox(boxPlaces)), float(c.OnBox(2*boxPlaces))
	both := 2*one - two // a Joker on each
	if both == 0 && one == 0 {
		return c.twice(plain, plain, up)
	}
	return (1-two)*c.twice(plain, plain, up) + 2*(one-both)*c.twice(plain, laid, up) + both*c.twice(laid, laid, up)
}

// results are a box's results by its two cards.
type results [][]float64

func (c *cards) results(bet *rules.Offer, house map[sidebet.Line]float64, up card.Card, joker bool) results {
	all := make(results, len(c.all))
	for i, a := range c.all {
		all[i] = make([]float64, len(c.all))
		for k, b := range c.all {
			lies := sidebet.Cards{First: a, Second: b, Bank: up, Joker: joker}
			line, decided := bet.Judge(lies)
			if decided {
				all[i][k] = house[line]
				continue
			}
			n := 0.0
			for _, lies.BankSecond = range c.all {
				line, _ = bet.Judge(lies)
				left := float64(c.left(lies.BankSecond, a, b, up))
				all[i][k] += left * house[line]
				n += left
			}
			all[i][k] /= n
		}
	}
	return all
}

// byLine is what the house wins with each line on a stake of one.
func byLine(r *rules.Rules, bet *rules.Offer) map[sidebet.Line]float64 {
	house := map[sidebet.Line]float64{"": 1}
	for _, line := range bet.Lines() {
		house[line] = -float(pays(r, bet, line))
	}
	return house
}

// twice is the mean of f on one box times g on another, with five different cards. For each two cards of the first box
// the sum over the second box's is that over full packs, less what the three cards on the table take away.
func (c *cards) twice(f, g results, up card.Card) float64 {
	n := make([]float64, len(c.all))
	for i, one := range c.all {
		n[i] = float64(c.left(one, up))
	}
	row, col := make([]float64, len(n)), make([]float64, len(n))
	full := 0.0
	for i := range n {
		for k := range n {
			row[i] += n[k] * g[i][k]
			col[i] += n[k] * g[k][i]
		}
	}
	for i := range n {
		full += n[i] * (row[i] - g[i][i])
	}
	size := float64(c.Size() - 1)
	sum := 0.0
	for i := range n {
		for k := range n {
			w := n[i] * n[k]
			if i == k {
				w = n[i] * (n[i] - 1)
			}
			sum += w * f[i][k] * (full - without(g, row, col, i, k))
		}
	}
	return sum / (size * (size - 1) * (size - 2) * (size - 3))
}

// without is what the second box's sum loses when the cards i and k are gone.
func without(g results, row, col []float64, i, k int) float64 {
	lost := row[i] + col[i] - 2*g[i][i]
	lost += row[k] + col[k] - 2*g[k][k]
	return lost - g[i][k] - g[k][i]
}
