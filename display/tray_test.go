package display_test

import (
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// TestDifferenceOfACount: the views say what the last count came to, and by how much it differs where somebody can
// tell; a screen shows that where a supervisor's key is turned, or where the house lets the dealer see it.
func TestDifferenceOfACount(t *testing.T) {
	var tab table.Table
	var memory display.Memory
	var line uint64
	tab.Step(tabletest.SetUp(rules.Setup{House: "wiesbaden"}))
	look := func() display.View {
		v := display.From(&tab, "bj", line)
		memory.Look(&v)
		return v
	}
	play := func(words string) display.View {
		inputs, err := tabletest.Inputs(words)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range inputs {
			line++
			in.Line = line
			tab.Step(&in)
			look()
		}
		return look()
	}
	if v := look(); v.Tray.Last != nil {
		t.Errorf("nobody has counted: %+v", v.Tray.Last)
	}
	if v := play("count opening 5x20 dealer=d7 by=anna"); *v.Tray.Last != (display.Count{Sum: 10_000}) {
		t.Errorf("the first count differs from nothing: %+v", v.Tray.Last)
	}
	v := play("buy-in 20 by=d7; count interim 5x15 dealer=d7 by=anna")
	if want := (display.Count{Sum: 7500, Difference: -500, Known: true}); *v.Tray.Last != want {
		t.Errorf("the count came to %+v, want %+v", *v.Tray.Last, want)
	}
	lost := play("open; stake 1 a -; close; TS 7D 9H; rest; TD; paid; count interim 5x15 dealer=d7 by=anna")
	if want := (display.Count{Sum: 7500, Lost: true}); *lost.Tray.Last != want {
		t.Errorf("after a round without amounts the count came to %+v, want %+v", *lost.Tray.Last, want)
	}
	v.Supervisor = &authority.Status{Proof: authority.PINOrKey}
	if display.SeesDifference(v) {
		t.Error("a dealer sees it whose house does not say so")
	}
	v.Supervisor.Present = "anna"
	if !display.SeesDifference(v) {
		t.Error("the key is turned, and nobody sees it")
	}
	house, err := profile.Built().Parse("open.yaml",
		[]byte("extends: wiesbaden\nhouse: open\ntray_difference: dealer\n"))
	if err != nil {
		t.Fatal(err)
	}
	if v.Supervisor.Present, v.Rules = "", house.Rules; !display.SeesDifference(v) {
		t.Error("the house lets the dealer see it, and he does not")
	}
}

// TestSlipDue: the prompt says which fill is to be counted, and which credit given out, between two rounds.
func TestSlipDue(t *testing.T) {
	const filled = "fill asked 5x20 by=d7; fill approved 1 by=anna; fill sent 1 5x20 by=cage"
	for _, tt := range []struct{ line, want string }{
		{"fill asked 5x20 by=d7; fill approved 1 by=anna", ""},
		{filled, "Fill 1 is here: count it"},
		{filled + "; fill received 1 5x20 by=d7", ""},
		{"credit asked 5x20 by=d7; credit approved 1 by=anna", "Credit 1: give it out"},
		{"credit asked 5x20 by=d7; credit approved 1 by=anna; credit sent 1 5x20 by=d7", ""},
		{filled + "; open", ""},
	} {
		var tab table.Table
		tab.Step(tabletest.SetUp(rules.Setup{House: "wiesbaden"}))
		if _, err := tabletest.Play(&tab, tt.line); err != nil {
			t.Fatal(err)
		}
		if got := display.English.Say(display.SlipDue(display.From(&tab, "bj", 1))); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.line, got, tt.want)
		}
	}
}
