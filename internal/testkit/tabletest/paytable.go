package tabletest

import (
	"fmt"
	"strings"

	"github.com/sabot-table/sabot/table/sidebet"
)

// AnyPaytable draws a side bet in the language of paytables: at which cards it looks, and what wins its lines, the
// highest first. It is one that can be defined.
func AnyPaytable(d Dice) (cards string, conditions []string) {
	for {
		cards = oneOf(d, "box", "bank", "up", "first", "box+up", "box+bank", "first+up", "bank-hand", "hand")
		conditions = nil
		for range 1 + d.IntN(3) {
			conditions = append(conditions, anyCondition(d, cards))
		}
		if Defined(cards, conditions) != nil {
			return cards, conditions
		}
	}
}

// Defined is the bet, nil where it cannot be defined.
func Defined(cards string, conditions []string) *sidebet.Def {
	var at sidebet.Places
	if err := at.UnmarshalText([]byte(cards)); err != nil {
		panic(err)
	}
	var rows []sidebet.Row
	for i, text := range conditions {
		row := sidebet.Row{Line: sidebet.Line(fmt.Sprintf("line-%d", i+1))}
		if err := row.When.UnmarshalText([]byte(text)); err != nil {
			panic(err)
		}
		rows = append(rows, row)
	}
	def, _, err := sidebet.Define(at, rows)
	if err != nil {
		return nil
	}
	return def
}

func oneOf(d Dice, list ...string) string { return list[d.IntN(len(list))] }

func anyCondition(d Dice, cards string) string {
	var ways []string
	for range 1 + d.IntN(5)/4 {
		var tests []string
		for range 1 + d.IntN(5)/2 {
			tests = append(tests, anyTest(d, cards))
		}
		ways = append(ways, strings.Join(tests, " and "))
	}
	return strings.Join(ways, " or ")
}

func anyTest(d Dice, cards string) string {
	test := anyShape(d)
	if d.IntN(5) == 0 {
		test = "not " + test
	}
	if strings.Contains(test, "spread") || strings.Contains(test, "kept") || strings.Contains(test, "joker") {
		return test
	}
	if d.IntN(4) == 0 {
		test += " in " + oneOf(d, "box", "bank", "first", "up", cards)
	}
	return test
}

func anyShape(d Dice) string {
	span := func(low, n int) string {
		at := low + d.IntN(n)
		switch d.IntN(4) {
		case 0:
			return fmt.Sprintf("%d+", at)
		case 1:
			return fmt.Sprintf("%d-%d", at, at+d.IntN(4))
		}
		return fmt.Sprint(at)
	}
	switch d.IntN(12) {
	case 0:
		return "total " + span(12, 9)
	case 1:
		return "hard-total " + span(8, 12)
	case 2:
		return "cards " + span(2, 4)
	case 3:
		return "spread " + span(1, 4)
	case 4:
		return oneOf(d, "kept", "joker")
	case 5, 6:
		return oneOf(d, "suited", "one-colour", "one-rank", "identical", "straight", "blackjack", "bust", "soft")
	case 7:
		return span(0, 3) + " of " + oneOf(d, "up-rank", "up-card")
	case 8:
		return oneOf(d, "all of ", "none of ") + anyCards(d)
	}
	return span(0, 4) + " of " + anyCards(d)
}

func anyCards(d Dice) string {
	return oneOf(d, "A", "7", "Q", "K", "T", "A/K", "2/3/4", "QH", "7S/7H", "ten-value", "picture", "hearts", "clubs",
		"red", "black",
		"red 7", "black J", "red ten-value")
}
