package secondbook

import (
	"fmt"
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

func amount(minor int64) string { return money.Format(minor, 2) }

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
