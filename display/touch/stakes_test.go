package touch_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestBoxes plays each case and tells what may be touched on a box: "box HOUSE on=N",
// with marks for a table where nobody enters amounts, repeats for a house whose side bets
// come again.
func TestBoxes(t *testing.T) {
	datadriven.Walk(t, "testdata/boxes", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd != "box" || len(d.CmdArgs) == 0 {
				d.Fatalf(t, "unknown command %q: a case begins with box and a house", d.Cmd)
			}
			var on int
			d.ScanArgs(t, "on", &on)
			v := played(t, d.CmdArgs[0].Key, d.Input)
			v.Bets.Amounts, v.Bets.RepeatsSides = !d.HasArg("marks"), d.HasArg("repeats")
			return told(v, v.Boxes[on-1])
		})
	})
}

// played is what a table shows once the lines are played, and what it remembers of
// rounds before.
func played(t *testing.T, house, lines string) display.View {
	t.Helper()
	var tab table.Table
	var memory display.Memory
	tab.Step(tabletest.SetUp(rules.Setup{House: house}))
	v := display.From(&tab, "bj-1", 1)
	for part := range strings.SplitSeq(strings.ReplaceAll(lines, "\n", ";"), ";") {
		said, err := tabletest.Play(&tab, part)
		if err != nil || strings.Contains(said, "rejected") || strings.Contains(said, "IRREGULAR") {
			t.Fatalf("%s: %v", said, err)
		}
		v = display.From(&tab, "bj-1", 1)
		memory.Look(&v)
	}
	return v
}

// told writes what may be touched: the box itself, its tray, its side bets, and the keys
// that play all boxes at once.
func told(v display.View, b display.Box) string {
	var s strings.Builder
	if k, ok := touch.OnBox(v, b); ok {
		fmt.Fprintln(&s, "box:", key(k))
		if k.Does.Key != "" {
			fmt.Fprintln(&s, "does:", display.English.Say(k.Does))
		}
	}
	for _, k := range touch.Keys(v) {
		if k.Name == "same" {
			fmt.Fprintln(&s, "all:", key(k))
		}
	}
	for _, w := range touch.Sides(v, b) {
		fmt.Fprintln(&s, "side:", wager(w))
	}
	if t, ok := touch.TrayOn(v, b); ok {
		for _, g := range t.Guests {
			guest(&s, g)
		}
		if t.Back != nil {
			fmt.Fprintln(&s, "back:", key(*t.Back))
		}
	}
	return s.String()
}

func guest(s *strings.Builder, g touch.Guest) {
	fmt.Fprint(s, g.Name)
	if g.Holder {
		fmt.Fprint(s, " ★")
	}
	if g.Joins {
		fmt.Fprint(s, " joins")
	}
	fmt.Fprintln(s)
	for _, w := range g.Wagers {
		fmt.Fprintln(s, "  "+wager(w))
	}
	for _, k := range []*touch.Key{g.Seat, g.Back} {
		if k != nil {
			fmt.Fprintln(s, "  "+key(*k))
		}
	}
}

func wager(w touch.Wager) string {
	text := display.English.Say(w.Key.Label)
	if w.Taken {
		text += " ✓"
	}
	if w.Amount != 0 {
		text += " " + display.English.Chips(display.Line{Amount: w.Amount}, 2)
	}
	if w.Why.Key != "" {
		return text + " – " + display.English.Say(w.Why)
	}
	if w.Chips != nil {
		if w.Carried {
			text += " carried"
		}
		text += fmt.Sprintf(" chips %s to %s by %s: %s", display.English.Money(w.Least, 2),
			display.English.Money(w.Room, 2), display.English.Money(w.Step, 2), line(*w.Chips))
	}
	return text + puts(w.Key.Put)
}

func key(k touch.Key) string {
	text := display.English.Say(k.Label) + puts(k.Put)
	if k.Lays {
		text += " lays"
	}
	if k.Opens != "" {
		text += " opens " + k.Opens
	}
	return text
}

func puts(inputs []vocab.Input) string {
	var s strings.Builder
	for _, in := range inputs {
		s.WriteString(" " + line(in))
	}
	return s.String()
}

// line is an input as it is put in.
func line(in vocab.Input) string { return string(transcript.AppendInput(nil, &in)) }
