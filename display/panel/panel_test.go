package panel_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/panel"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/notation"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestPanel plays the files in testdata on a table and its panel. Besides what rounds
// have, a line may say what happens at the panel:
//
//	key card          the key is pressed: the answer has its input, and what follows
//	cover 3           the sensor of box 3 sees chips; uncover 3: it no longer does
//	panel             the lamps that are lit, and whether the card exit is locked
func TestPanel(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			setup := rules.Setup{House: d.Cmd}
			d.MaybeScanArgs(t, "call", &setup.Calls)
			b := &bench{t: t, parser: transcript.NewParser(profile.Built())}
			b.table.Step(tabletest.SetUp(setup))
			for line := range strings.Lines(d.Input) {
				b.line(strings.TrimSpace(line))
			}
			return b.text.String()
		})
	})
}

// bench is a table with a panel, directly connected.
type bench struct {
	t     *testing.T
	table table.Table
	boxes panel.Boxes
	// parser reads every input again, as a restart would.
	parser *transcript.Parser
	text   strings.Builder
}

func (b *bench) view() display.View { return display.From(&b.table, "bj-1", 1) }

func (b *bench) line(line string) {
	var name string
	var box int
	switch {
	case line == "":
	case line == "panel":
		fmt.Fprintf(&b.text, "> panel\n%s\n", lit(panel.Light(b.view())))
	case scan(line, "key %s", &name):
		b.press(line, name)
	case scan(line, "cover %d", &box), scan(line, "uncover %d", &box):
		b.boxes.Cover(box, line[0] == 'c')
		fmt.Fprintf(&b.text, "> %s\n", line)
	default:
		said, err := tabletest.Play(&b.table, line)
		if err != nil {
			b.t.Fatal(err)
		}
		b.text.WriteString(said)
	}
	for in, news := b.boxes.Next(b.view()); news; in, news = b.boxes.Next(b.view()) {
		b.step(in)
	}
}

func scan(line, format string, into any) bool {
	n, err := fmt.Sscanf(line, format, into)
	return n == 1 && err == nil
}

func (b *bench) press(line, name string) {
	fmt.Fprintf(&b.text, "> %s\n", line)
	key, ok := panel.ParseKey(name)
	if !ok {
		b.t.Fatalf("%q is not a key", name)
	}
	in, err := panel.Input(b.view(), key)
	if err != nil {
		fmt.Fprintf(&b.text, "refused: %v\n", err)
		return
	}
	b.step(in)
}

func (b *bench) step(in vocab.Input) {
	line := transcript.AppendInput(nil, &in)
	fmt.Fprintf(&b.text, "%s\n", line)
	if again, err := b.parser.Parse(line, 0); err != nil || !reflect.DeepEqual(again, in) {
		b.t.Errorf("the journal could not be replayed: %s is %+v, %v", line, again, err)
	}
	for _, out := range b.table.Step(&in) {
		fmt.Fprintln(&b.text, notation.Digits(2).Output(out))
	}
}

// lit names the lamps that are lit.
func lit(l panel.Lights) string {
	var burn []string
	for _, lamp := range []struct {
		name string
		is   panel.Lamp
	}{{"green", l.Green}, {"amber", l.Amber}, {"red", l.Red}, {"floor", l.Floor}} {
		switch lamp.is {
		case panel.On:
			burn = append(burn, lamp.name)
		case panel.Blink:
			burn = append(burn, lamp.name+" blinks")
		}
	}
	if l.Locked {
		burn = append(burn, "locked")
	}
	return strings.Join(burn, ", ")
}

// TestLightOfSamples: the lamps at the tables with which every display is tested.
func TestLightOfSamples(t *testing.T) {
	for _, c := range []struct{ sample, want string }{
		{"idle", "amber, locked"},
		{"bets", "amber, locked"},
		{"deal", "green"},
		{"insurance", "amber, locked"},
		{"play", "amber, locked"},
		{"bank", "green"},
		{"payment", "amber, locked"},
		{"held", "red, locked"},
		{"held-both", "red, locked"},
		{"offline", "red blinks, locked"},
		{"rejected", "amber, locked"},
		{"cut-card", "amber, locked"},
	} {
		if got := lit(panel.Light(displaytest.Named(c.sample))); got != c.want {
			t.Errorf("%s: %s, want %s", c.sample, got, c.want)
		}
	}
	v := displaytest.Named("deal")
	v.Held = &display.Held{Code: irregularity.StorageFailing}
	if got := lit(panel.Light(v)); got != "red blinks, locked" {
		t.Errorf("nothing can be recorded: %s", got)
	}
	if got := lit(panel.Light(display.View{})); got != "" {
		t.Errorf("before the first view: %s", got)
	}
}

// TestOneLampBurns at every sample: a dark panel would look dead.
func TestOneLampBurns(t *testing.T) {
	for _, s := range displaytest.Samples() {
		if l := panel.Light(s.View); l.Green == panel.Off && l.Amber == panel.Off && l.Red == panel.Off {
			t.Errorf("%s: no lamp is lit", s.Name)
		} else if l.Locked == (l.Green != panel.Off) {
			t.Errorf("%s: a card may be drawn and cannot, or may not and can: %+v", s.Name, l)
		}
	}
}

func TestRaised(t *testing.T) {
	free, unread, offline := displaytest.Named("play"), displaytest.Named("held"), displaytest.Named("offline")
	for _, c := range []struct {
		before, after display.View
		want          panel.Sound
	}{
		{free, free, 0},
		{free, unread, panel.Irregular},
		{unread, unread, 0},
		{unread, offline, panel.Irregular},
		{offline, free, 0},
		{display.View{}, offline, panel.Irregular},
	} {
		if got := panel.Raised(c.before, c.after); got != c.want {
			t.Errorf("from %+v to %+v: %d, want %d", c.before.Held, c.after.Held, got, c.want)
		}
	}
}

// TestPatterns: sounds differ, begin and end with the buzzer on, and are over before
// the next press.
func TestPatterns(t *testing.T) {
	if got := panel.Sound(0).Pattern(); got != nil {
		t.Errorf("silence is %v", got)
	}
	refused, irregular := panel.Refused.Pattern(), panel.Irregular.Pattern()
	if len(refused)%2 != 1 || len(irregular)%2 != 1 || len(refused) == len(irregular) {
		t.Errorf("the patterns are %v and %v", refused, irregular)
	}
}

func TestKeyNames(t *testing.T) {
	for k := range panel.EveryKey {
		if again, ok := panel.ParseKey(k.String()); !ok || again != k {
			t.Errorf("%s is read as %s", k, again)
		}
		if _, is := vocab.ParseCall(k.String()); is != k.IsCall() {
			t.Errorf("%s announces a decision: %t", k, k.IsCall())
		}
	}
	if _, ok := panel.ParseKey(""); ok {
		t.Error("a key has no name")
	}
	if name := panel.Key(200).String(); name != "unnamed 200" {
		t.Errorf("no key is called %q", name)
	}
}
