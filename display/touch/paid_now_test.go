package touch_test

import (
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/panel"
	"github.com/sabot-table/sabot/display/touch"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestPaidNow: what a house pays or takes at once is asked for as soon as it is decided;
// the golden key, the panel's key and a touch of the box say that it is done, and then the
// screen goes on with the round.
func TestPaidNow(t *testing.T) {
	const twins = "open; stake 1 a 20; stake 2 b 10; stake 2 b 10 twins; close\nTS 8D 6D 9S 8H"
	for _, c := range []struct {
		name, house, lines string
		headline, detail   string
		key, put, then     string
	}{
		{
			"Twins", "wiesbaden", twins, "Pay Twins on box 2: 110.00", "Box 1: Card or Stand?",
			"Paid", `{"in":"paid","box":2,"bettor":"b","wager":"twins"}`, "Box 1: Card or Stand?",
		}, {
			"Twins of two guests", "wiesbaden",
			"open; stake 1 a 20; stake 1 a 10 twins; stake 1 b 20 twins; close\n8D 6D 8H", "Pay Twins on box 1: 330.00",
			"Box 1: Card, Stand or Split?",
			"Paid", `{"in":"paid","box":1,"wager":"twins"}`, "Box 1: Card, Stand or Split?",
		}, {
			"while cards are dealt", "wiesbaden",
			"open; stake 1 a 20; stake 1 a 10 twins; stake 2 b 10; close\n8D TS 6D 8H", "Card to box 2", "", "", "", "",
		}, {
			"lost Twins on two boxes", "wiesbaden",
			"open; stake 1 a 20; stake 1 a 10 twins; stake 2 b 10; stake 2 b 10 twins; close\nTS 8D 6D 9S 7H",
			"Take Twins on boxes 1, 2: 20.00", "Box 1: Card or Stand?",
			"Taken", `{"in":"paid","wager":"twins","why":"no-match"}`, "Box 1: Card or Stand?",
		}, {
			"taken before it is paid", "wiesbaden",
			"open; stake 1 a 20; stake 1 a 10 twins; stake 2 b 10; stake 2 b 10 twins; close\n8S 9D 6D 8H 7H",
			"Take Twins on box 2: 10.00", "Box 1: Card, Stand or Split?",
			"Taken", `{"in":"paid","box":2,"bettor":"b","wager":"twins"}`, "Pay Twins on box 1: 110.00",
		}, {
			"before the insurance", "wiesbaden", "open; stake 1 a 20; stake 1 a 10 twins; close\n8S AD 8H",
			"Pay Twins on box 1: 110.00", "Insurance?",
			"Paid", `{"in":"paid","box":1,"bettor":"a","wager":"twins"}`, "Insurance?",
		}, {
			"even money", "wiesbaden", "open; stake 1 a 20; close\nKS AD AH\neven-money 1 a",
			"Pay Even money on box 1: 20.00", "Insurance or Even money?",
			"Paid", `{"in":"paid","box":1,"bettor":"a","wager":"main","hand":1,"why":"even-money"}`,
			"Insurance or Even money?",
		}, {
			"three sevens", "schaffhausen",
			"open; stake 1 a 20; stake 1 b 10; stake 2 c 20; close\n7S TD 6C 7C 8C\ncard\n7D",
			"Pay Three sevens on box 1: 30.00", "Box 2: Card, Stand, Double or Surrender?",
			"Paid", `{"in":"paid","box":1,"wager":"main","why":"three-sevens"}`,
			"Box 2: Card, Stand, Double or Surrender?",
		}, {
			"surrender", "schaffhausen", "open; stake 1 a 20; stake 1 b 10; close\n9S 6C 7C\nsurrender b",
			"Give back on box 1: 5.00", "Box 1: Card, Stand, Double or Surrender?",
			"Given back", `{"in":"paid","box":1,"bettor":"b","wager":"main","hand":1,"why":"surrender"}`,
			"Box 1: Card, Stand, Double or Surrender?",
		}, {
			"a bust", "st-moritz", "open; stake 1 a 20; stake 1 b 10; stake 2 c 20; close\nTS 7D 6C 8H 8C\ncard\nKC",
			"Take the stakes on box 1: 30.00", "Box 2: Card, Stand or Double?",
			"Taken", `{"in":"paid","box":1,"wager":"main","hand":1,"why":"bust"}`, "Box 2: Card, Stand or Double?",
		}, {
			"a Black Jack", "mendrisio", "open; stake 1 a 20; stake 2 a 20; close\nAS TD 7C KH 9D",
			"Pay Black Jack on box 1: 30.00", "Box 2: Card or Stand?",
			"Paid", `{"in":"paid","box":1,"bettor":"a","wager":"main","hand":1,"why":"blackjack"}`,
			"Box 2: Card or Stand?",
		}, {
			"a wrong forecast", "baden", "open; stake 1 a 20; stake 2 b 20; close\n5S 7D 7C\nlower\n9S",
			"Take the stakes on box 1: 20.00", "Box 2: Higher, Lower or Stand?",
			"Taken", `{"in":"paid","box":1,"bettor":"a","wager":"main","hand":1,"why":"wrong-forecast"}`,
			"Box 2: Higher, Lower or Stand?",
		}, {
			"won Crazy Twins, which wait for the payment", "wiesbaden",
			"open; stake 1 a 20; stake 1 a 10 crazy-twins; stake 2 b 20; close\nKS 9S KD QS 8D\nrest\nrest\n7C",
			"Pay and press Paid", "In all 240.00 EUR", "Paid", `{"in":"paid"}`, "Open the bets",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			tab := at(t, c.house, c.lines)
			v := display.From(tab, "BJ 4", 1)
			if h, d := prompt(v); h != c.headline || d != c.detail {
				t.Fatalf("the screen says %q and %q, not %q and %q", h, d, c.headline, c.detail)
			}
			if c.key == "" {
				return
			}
			golden := step(v)
			if len(golden) != 1 || display.English.Say(golden[0].Label) != c.key || written(golden[0].Put) != c.put {
				t.Fatalf("the golden keys are %+v, not one %q that puts in %s", golden, c.key, c.put)
			}
			if in, err := panel.Input(v, panel.Paid); err != nil || written([]vocab.Input{in}) != c.put {
				t.Errorf("the panel's key puts in %+v, %v", in, err)
			}
			if tab.Step(&golden[0].Put[0]); tab.Rejected() != 0 {
				t.Fatalf("it is refused: %s", tab.Rejected())
			}
			v = display.From(tab, "BJ 4", 2)
			if h, _ := prompt(v); h != c.then {
				t.Errorf("then the screen says %q, not %q", h, c.then)
			}
			for _, k := range touch.Keys(v) {
				if said := display.English.Say(k.Label); k.Name == "undo" && said != "Take back: "+c.key {
					t.Errorf("what was pressed as %q is undone as %q", c.key, said)
				}
			}
		})
	}
}

// TestPaidLater: a dealer who goes on with the round is asked no more; a touch of the box
// pays it all the same, and what nobody touches is in the payment.
func TestPaidLater(t *testing.T) {
	const lines = "open; stake 1 a 20; stake 2 b 10; stake 2 b 10 twins; close\nTS 8D 6D 9S 8H\nrest"
	tab := at(t, "wiesbaden", lines)
	v := display.From(tab, "BJ 4", 1)
	if h, _ := prompt(v); h != "Box 2: Card, Stand or Split?" {
		t.Errorf("the screen says %q", h)
	}
	k, ok := touch.OnBox(v, v.Boxes[1])
	if !ok || written(k.Put) != `{"in":"paid","box":2,"bettor":"b","wager":"twins"}` {
		t.Fatalf("a touch of the box puts in %+v", k)
	}
	moment := v.Moment
	tab.Step(&k.Put[0])
	if v = display.From(tab, "BJ 4", 2); v.Moment == moment {
		t.Error("a second touch means the same moment")
	}
	if k, ok := touch.OnBox(v, v.Boxes[1]); ok {
		t.Errorf("a second touch puts in %+v", k)
	}
	for later, want := range map[string]string{
		"paid box 2 wager=twins; rest; KD 5C": "",
		"rest; KD 5C":                         "In all 110.00 EUR",
	} {
		tab := at(t, "wiesbaden", lines+"\n"+later)
		h, d := prompt(display.From(tab, "BJ 4", 3))
		if d != want {
			t.Errorf("after %q the payment says %q, not %q", later, d, want)
		}
		if nothing := h == "Nothing to pay – press Paid"; nothing != (want == "") {
			t.Errorf("after %q the payment is headed %q", later, h)
		}
	}
}

// TestWhatIsTakenBackIsNamed: in the payment a box that has lost is taken, one that has won is paid.
func TestWhatIsTakenBackIsNamed(t *testing.T) {
	const lines = "open; stake 1 a 20; stake 2 b 20; close\nTS TC TD 6H KS\nrest\nrest\n8H\npaid box "
	for box, want := range map[string]string{"1": "Take back: Taken", "2": "Take back: Paid"} {
		said := ""
		for _, k := range touch.Keys(display.From(at(t, "wiesbaden", lines+box), "BJ 4", 1)) {
			if k.Name == "undo" {
				said = display.English.Say(k.Label)
			}
		}
		if said != want {
			t.Errorf("after box %s the key says %q, not %q", box, said, want)
		}
	}
}

func at(t *testing.T, house, lines string) *table.Table {
	t.Helper()
	var tab table.Table
	tab.Step(tabletest.SetUp(rules.Setup{House: house}))
	if _, err := tabletest.Play(&tab, lines); err != nil {
		t.Fatal(err)
	}
	return &tab
}

func prompt(v display.View) (headline, detail string) {
	s := display.Prompt(v)
	return display.English.Say(s.Headline), display.English.Say(s.Detail)
}

// step are the golden keys.
func step(v display.View) (keys []touch.Key) {
	for _, k := range touch.Keys(v) {
		if k.Kind == touch.Step {
			keys = append(keys, k)
		}
	}
	return keys
}

func written(put []vocab.Input) string {
	var b []byte
	for i := range put {
		b = transcript.AppendInput(b, &put[i])
	}
	return string(b)
}
