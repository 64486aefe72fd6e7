package table_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// housesOwnBets is a house with side bets that are drawn from the language of paytables, one of them for the jackpot;
// nil where the check refuses it, such as for a line that no cards win.
func housesOwnBets(dice *rand.Rand) *profile.House {
	var text strings.Builder
	text.WriteString("extends: schaffhausen\nhouse: drawn\njackpot: {seed: 1000.00, feeds: \"7:10\", envy: " +
		"50.00}\nside_bets:\n")
	for i := range 3 {
		cards, conditions := tabletest.AnyPaytable(dice)
		fmt.Fprintf(&text,
			"  - {bet: bet-%d, title: Bet %d, cards: %s, bettors: anybody, least: 5.00, most: %d.00, step: 5.00, "+
				"one_per_bettor: false, pays: [\n", i, i, cards, 5+i*20)
		for k, when := range conditions {
			pays := fmt.Sprintf("\"%d:1\"", 2*k+1)
			if i == 0 {
				pays = []string{"jackpot", "1/10 jackpot", "20.00"}[k]
			}
			fmt.Fprintf(&text, "      {line: line-%d, when: %q, pays: %s},\n", k+1, when, pays)
		}
		text.WriteString("    ]}\n")
	}
	if dice.IntN(2) == 0 {
		text.WriteString("cards: {jokers: 6}\n")
	}
	h, err := profile.Built().Parse("drawn.yaml", []byte(text.String()))
	if err != nil {
		return nil
	}
	return h
}

// TestDrawnPaytables plays rounds in houses whose side bets are drawn from the language: whatever is written, engine
// and second book agree on every wager, and a table that is placed in the midst of it goes on as this one.
func TestDrawnPaytables(t *testing.T) {
	most, first := tier.Times(6, 1000), tier.SeedOf(t)
	played, won := 0, 0
	for seed := first; played < most; seed++ {
		dice := rand.New(rand.NewPCG(seed, 36))
		h := housesOwnBets(dice)
		if h == nil {
			continue
		}
		played++
		s := newSession()
		in := vocab.Input{Kind: vocab.InSetup, Setup: &rules.Setup{House: h.House}, Rules: h.Rules}
		player := &tabletest.Player{Dice: dice, Boxes: 1 + dice.IntN(4), Freely: true}
		must(t, s, s.step(in))
		for s.rounds < 12 {
			if err := s.step(player.Next(&s.tab)); err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, s.inputs)
			}
		}
		for kind, n := range s.kinds {
			if strings.HasPrefix(kind, "bet-") && strings.Contains(kind, " win ") {
				won += n
			}
		}
	}
	if won < most {
		t.Errorf("only %d side bets were won in %d houses", won, played)
	}
}

// TestJokerComesLast: a bet on the first cards of box and bank that a Joker decides, too, waits for one until none can
// be laid to the box any more.
func TestJokerComesLast(t *testing.T) {
	h, err := profile.Built().Parse("own.yaml", []byte(`extends: wiesbaden
house: own
side_bets:
  - {bet: own, title: Own, cards: first+up, bettors: anybody, least: 5.00, most: 50.00, step: 5.00,
     one_per_bettor: false, pays: [
       {line: with-joker, when: one-rank and joker, pays: "50:1"},
       {line: alone, when: one-rank, pays: "10:1"}]}
`))
	if err != nil {
		t.Fatal(err)
	}
	for cards, want := range map[string]string{
		"7S 7D JOKER KD": `"why":"with-joker"`, "7S 7D KD": `"why":"alone"`, "JOKER 7S 7D": `"why":"with-joker"`,
	} {
		s := newSession()
		must(t, s, s.step(vocab.Input{Kind: vocab.InSetup, Setup: &rules.Setup{House: h.House}, Rules: h.Rules}))
		lines := []string{
			`{"in":"open"}`, `{"in":"stake","box":1,"bettor":"a","wager":"main","amount":1000}`,
			`{"in":"stake","box":1,"bettor":"a","wager":"own","amount":500}`, `{"in":"close"}`,
		}
		for one := range strings.FieldsSeq(cards) {
			lines = append(lines, `{"in":"card","card":"`+one+`"}`)
		}
		for n, line := range lines {
			in, err := transcript.NewParser(tabletest.Book()).Parse([]byte(line), uint64(n+2))
			if err != nil {
				t.Fatal(err)
			}
			must(t, s, s.step(in))
			if settled := strings.Contains(string(written(s.last)), `"settled"`); settled != (n == len(lines)-1) {
				t.Errorf("after %s: settled %t\n%s", line, settled, written(s.last))
			}
		}
		if said := string(written(s.last)); !strings.Contains(said, want) {
			t.Errorf("%s: %s", cards, said)
		}
	}
}
