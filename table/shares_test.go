package table_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestManyLinesOfTheJackpot: nine lines win of it in one round, and the second book agrees with every one.
func TestManyLinesOfTheJackpot(t *testing.T) {
	var file strings.Builder
	file.WriteString(`extends: mendrisio
house: many-lines
table: {boxes: 9, boxes_to: 9, boxes_from: 1}
side_bets:
  - {bet: nine-pairs, title: Nine Pairs, cards: box, bettors: with-stake, least: 5, most: 5, step: 5,
     one_per_bettor: false, pays: [
`)
	for rank := 2; rank <= 10; rank++ {
		fmt.Fprintf(&file, "      {line: pair-of-%d, when: 2 of %s, pays: 1/20 jackpot},\n", rank, name(rank))
	}
	file.WriteString("  ]}\n")
	house, err := profile.Built().Parse("many-lines.yaml", []byte(file.String()))
	if err != nil {
		t.Fatal(err)
	}
	s := newSession()
	must(t, s, s.step(vocab.Input{Kind: vocab.InSetup, Setup: &rules.Setup{House: house.House}, Rules: house.Rules}))
	var stakes, first, second, rests strings.Builder
	for box := 1; box <= 9; box++ {
		fmt.Fprintf(&stakes, "stake %d a%d 10; stake %d a%d 5 nine-pairs; ", box, box, box, box)
		fmt.Fprintf(&first, "%sS ", name(box+1))
		fmt.Fprintf(&second, "%sH ", name(box+1))
		rests.WriteString("; rest")
	}
	text := "open; " + stakes.String() + "close; " + first.String() + "6C " + second.String() + rests.String() +
		"; TC 9D"
	inputs, err := tabletest.ReadInputs(text, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range inputs {
		must(t, s, s.step(in))
	}
	won := 0
	for _, out := range s.tab.Decided() {
		if out.Wager != vocab.WagerMain && out.Won > 0 {
			won++
		}
	}
	if won != 9 {
		t.Errorf("%d of nine lines have won, and the table rejects %s", won, s.tab.Rejected())
	}
}

func name(rank int) string {
	if rank == 10 {
		return "T"
	}
	return fmt.Sprint(rank)
}
