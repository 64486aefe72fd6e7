package display

import (
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// ChipsOf are the chips that lie in the tray of a table, the smallest first: the house's or, where it lists none, those
// that are usual in the currency, which have no colour.
func ChipsOf(r *rules.Rules) []rules.Chip {
	if len(r.Chips) > 0 {
		return r.Chips
	}
	if chips := usualChips[r.Table.Currency]; chips != nil {
		return chips
	}
	return otherChips[r.Digits()]
}

// usualChips are the chips that lie on tables of a currency, and otherChips those of all other currencies, by how many
// decimals these have: without any, the smallest chip is a hundred.
var (
	usualChips = map[string][]rules.Chip{
		"EUR": chipsOf(100, 2, 5, 10, 20, 50, 100, 500, 1000),
		"CHF": chipsOf(100, 1, 5, 10, 20, 50, 100, 500, 1000),
		"USD": dollars, "GBP": dollars, "AUD": dollars, "CAD": dollars, "NZD": dollars,
		"KRW": chipsOf(1000, 1, 5, 10, 50, 100, 500, 1000, 5000),
	}
	dollars    = chipsOf(100, 1, 5, 25, 100, 500, 1000, 5000)
	otherChips = [...][]rules.Chip{
		0: chipsOf(100, oneToFive...), 2: chipsOf(100, oneToFive...), 3: chipsOf(1000, oneToFive...),
	}
	oneToFive = []rules.Money{1, 5, 10, 50, 100, 500, 1000, 5000}
)

func chipsOf(unit rules.Money, values ...rules.Money) (list []rules.Chip) {
	for _, value := range values {
		list = append(list, rules.Chip{Value: unit * value})
	}
	return list
}

// mostLaid is how many chips fit side by side on a screen.
const mostLaid = 8

// laid are the chips with which stakes are entered and paid: multiples of the table's unit, of very many the smallest.
func laid(r *rules.Rules) (values []int64) {
	for _, one := range ChipsOf(r) {
		if value := int64(one.Value); value%r.Table.Unit == 0 && len(values) < mostLaid {
			values = append(values, value)
		}
	}
	return Denominations(values, r.Table.BoxMax)
}

// Look is what a chip looks like; one that the house does not list has no colour.
func (v *View) Look(value int64) rules.Chip {
	if v.Rules != nil {
		for _, one := range v.Rules.Chips {
			if int64(one.Value) == value {
				return one
			}
		}
	}
	return rules.Chip{Value: rules.Money(value)}
}

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
