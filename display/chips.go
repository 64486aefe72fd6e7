package display

import "github.com/sabot-table/sabot/table/vocab"

// Stack is so many chips of one value, in minor units.
type Stack struct {
	Value int64
	Count int64
}

// InChips says how an amount is paid with a table's chips, the smallest of which comes
// first: in as few as it takes when each is laid as often as it goes, the largest first.
// rest is what no chip pays.
func InChips(amount int64, chips []int64) (stacks []Stack, rest int64) {
	rest = amount
	for i := len(chips) - 1; i >= 0; i-- {
		if count := rest / chips[i]; count > 0 {
			stacks = append(stacks, Stack{chips[i], count})
			rest -= count * chips[i]
		}
	}
	return stacks, rest
}

// ToTake is what the dealer takes in from a box, as far as the amounts are known.
func ToTake(b Box) int64 {
	var sum int64
	for _, p := range b.Payouts {
		if moveOf(p) == Take && !p.Paid {
			sum += max(0, moved(p, Take))
		}
	}
	if b.Before != nil {
		sum += b.Before.Back
	}
	return sum
}

// NextToPay is the box whose payment comes next, false outside the payment and once all
// are paid.
func NextToPay(v View) (Box, bool) {
	if v.Due.To != vocab.ToPayment {
		return Box{}, false
	}
	for _, b := range v.Boxes {
		if len(b.Payouts) > 0 && !b.Paid {
			return b, true
		}
	}
	return Box{}, false
}
