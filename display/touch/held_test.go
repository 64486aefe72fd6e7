package touch_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/transcript"
)

// TestHeld: what the screen says of each irregularity, and what each key does.
//
//	held HOUSE [proof=pin] [key] [present=anna] [decks=1] [dealer=(burn,…)]
//	inputs, in the words of tabletest
//
// A key stands as [shortcut] name (kind) "label: note" and what it opens or puts in.
func TestHeld(t *testing.T) {
	datadriven.RunTest(t, "testdata/held.txt", func(t *testing.T, d *datadriven.TestData) string {
		v := view(t, d)
		switch d.Cmd {
		case "held":
			return said(display.Story(v)) + said(display.Waits(v)) + keys(touch.Keys(v))
		case "cards":
			return cards(touch.Cards(v))
		case "alerts":
			return keys(touch.Alerts(v)) + fmt.Sprintf("asks for a supervisor: %v\n", touch.Proves(v))
		}
		d.Fatalf(t, "unknown command %q", d.Cmd)
		return ""
	})
}

// view plays a case's lines, and says who stands at the table.
func view(t *testing.T, d *datadriven.TestData) display.View {
	setup := rules.Setup{House: d.CmdArgs[0].Key}
	if d.HasArg("decks") {
		d.ScanArgs(t, "decks", &setup.Decks)
	}
	var tab table.Table
	tab.Step(tabletest.SetUp(setup))
	if _, err := tabletest.Play(&tab, d.Input); err != nil {
		d.Fatalf(t, "%v", err)
	}
	v := display.From(&tab, "BJ 4", 1)
	if d.HasArg("proof") {
		v.Supervisor = status(t, d)
	}
	if d.HasArg("dealer") {
		arg, _ := d.Arg("dealer")
		for _, name := range arg.Vals {
			choice, known := irregularity.ParseChoice(name)
			if !known {
				d.Fatalf(t, "%q is no choice", name)
			}
			v.Held.Dealer = append(v.Held.Dealer, choice)
		}
	}
	return v
}

func status(t *testing.T, d *datadriven.TestData) *authority.Status {
	var proof string
	d.ScanArgs(t, "proof", &proof)
	s := &authority.Status{Names: []string{"anna", "bruno"}, Key: d.HasArg("key")}
	if err := s.Proof.UnmarshalText([]byte(proof)); err != nil {
		d.Fatalf(t, "%v", err)
	}
	switch {
	case d.HasArg("present"):
		d.ScanArgs(t, "present", &s.Present)
	case s.Proof != authority.None:
		s.Needs = s.Proof
	}
	return s
}

func said(all []display.Message) string {
	var b strings.Builder
	for _, m := range all {
		b.WriteString(display.English.Say(m) + "\n")
	}
	return b.String()
}

func keys(all []touch.Key) string {
	var b strings.Builder
	for _, k := range all {
		b.WriteString(heldKey(k) + "\n")
	}
	return b.String()
}

func heldKey(k touch.Key) string {
	s := fmt.Sprintf("[%s] %s (%s) %q", k.Shortcut, k.Name, k.Kind, display.English.Say(k.Label))
	if note := display.English.Say(k.Note); note != "" {
		s += fmt.Sprintf(": %q", note)
	}
	if k.Opens != "" {
		s += " opens " + k.Opens
	}
	for _, in := range k.Put {
		s += " " + string(transcript.AppendInput(nil, &in))
	}
	return s
}

func cards(ranks []touch.Rank) string {
	var b strings.Builder
	for _, r := range ranks {
		fmt.Fprintf(&b, "[%s] %s:", r.Shortcut, display.English.Say(r.Label))
		for _, c := range r.Cards {
			fmt.Fprintf(&b, " [%s] %s", c.Shortcut, display.English.Say(c.Label))
		}
		b.WriteByte('\n')
	}
	if len(ranks) > 0 {
		fmt.Fprintf(&b, "such as %s\n", heldKey(ranks[6].Cards[2].Key))
	}
	return b.String()
}

// TestEveryChoiceIsAKey: whatever a house may offer for an irregularity is a key with
// words of its own, and what it puts in is what resolves it.
func TestEveryChoiceIsAKey(t *testing.T) {
	for code := range irregularity.EveryCode {
		choices := slices.Collect(irregularity.Possible(code).All)
		v := display.View{Held: &display.Held{Code: code, Choices: choices}}
		offered := touch.Keys(v)
		if code == irregularity.ShoeDue { // which the loading of the shoe puts right, too
			if offered[0].Opens != touch.OpensLoaded {
				t.Errorf("%s: the first key is %s", code, offered[0].Name)
			}
			offered = offered[1:]
		}
		if len(offered) != len(choices) {
			t.Errorf("%s: %d keys for %v", code, len(offered), choices)
		}
		for _, k := range offered {
			for _, m := range []display.Message{k.Label, k.Note} {
				if _, told := display.English.Lookup(m.Key); !told {
					t.Errorf("%s: %s has no text %s", code, k.Name, m.Key)
				}
			}
			if (len(k.Put) == 1) == (k.Opens == touch.OpensCards) {
				t.Errorf("%s: %s puts in %v and opens %q", code, k.Name, k.Put, k.Opens)
			}
		}
		if code.Holds() && display.Story(v)[0].Key == "held.call" {
			t.Errorf("%s has no story", code)
		}
	}
}
