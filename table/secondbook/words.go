package secondbook

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/money"
)

// names writes cards as they lie.
func names(cards []card.Card) string {
	if len(cards) == 0 {
		return "no card"
	}
	list := make([]string, len(cards))
	for i, c := range cards {
		list[i] = c.String()
	}
	return strings.Join(list, " ")
}

// counted is a total as a croupier says it.
func counted(total int, soft bool) string {
	if soft {
		return fmt.Sprintf("soft %d", total)
	}
	return fmt.Sprintf("hard %d", total)
}

// mark stands around an amount in minor units, until inCurrency writes it. No text at the table has one.
const mark = "\x00"

// amount is an amount in what is told.
func amount(minor int64) string { return mark + strconv.FormatInt(minor, 10) + mark }

// inCurrency writes the amounts of what is told with so many decimals.
func inCurrency(err error, digits int) error {
	if err == nil || !strings.Contains(err.Error(), mark) {
		return err
	}
	parts := strings.Split(err.Error(), mark)
	for i := 1; i < len(parts); i += 2 {
		if minor, wrong := strconv.ParseInt(parts[i], 10, 64); wrong == nil {
			parts[i] = money.Format(minor, digits)
		}
	}
	return errors.New(strings.Join(parts, ""))
}

// String puts the grounds of a verdict into words.
func (r reason) String() string {
	switch {
	case r.points > 0:
		return fmt.Sprintf("%s: %d %s %d", names(r.hand), r.points, r.text, r.game)
	case len(r.hand) > 0:
		return fmt.Sprintf("%s against the bank's %s", valued(r.hand), valued(r.bank))
	case r.text != "" && len(r.bank) > 0:
		return r.text + " " + valued(r.bank)
	default:
		return r.text
	}
}

func valued(cards []card.Card) string {
	if natural(cards) {
		return names(cards) + " (Black Jack)"
	}
	total, _ := count(cards)
	return fmt.Sprintf("%s (%d)", names(cards), total)
}
