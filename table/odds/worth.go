package odds

import "github.com/sabot-table/sabot/table/vocab"

// Worth is what something is worth to the bettor, per unit of the first stake: the mean of the result, the mean of its
// square, and how often it is more than nothing.
type Worth struct{ Mean, Square, Win float64 }

// certain is a result that is sure.
func certain(result float64) Worth {
	w := Worth{Mean: result, Square: result * result}
	if result > 0 {
		w.Win = 1
	}
	return w
}

// add adds what comes with a probability.
func (w *Worth) add(p float64, part Worth) {
	w.Mean += p * part.Mean
	w.Square += p * part.Square
	w.Win += p * part.Win
}

// Variance is that of the result. Of one that is sure, the digits that are rounded off can come to less than nothing.
func (w Worth) Variance() float64 { return max(w.Square-w.Mean*w.Mean, 0) }

// Calls are what each call is worth with a hand. A call that the house does not allow is not among them.
type Calls struct {
	worth   [vocab.CallSurrender + 1]Worth
	allowed [vocab.CallSurrender + 1]bool
}

// Ranked are the calls that are compared. Of two that are worth the same the first is best.
var Ranked = [...]vocab.Call{vocab.CallRest, vocab.CallCard, vocab.CallDouble, vocab.CallSplit, vocab.CallSurrender}

// Of is what a call is worth, and whether it is allowed.
func (c *Calls) Of(call vocab.Call) (Worth, bool) { return c.worth[call], c.allowed[call] }

func (c *Calls) set(call vocab.Call, w Worth) { c.worth[call], c.allowed[call] = w, true }

// Best is the call that is worth most.
func (c *Calls) Best() (best vocab.Call) {
	for _, call := range Ranked {
		if c.allowed[call] && (best == 0 || c.worth[call].Mean > c.worth[best].Mean) {
			best = call
		}
	}
	return best
}

// BestWorth is what the best call is worth.
func (c *Calls) BestWorth() Worth { return c.worth[c.Best()] }
