package notation_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/notation"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestInputsAreReadAgain: written inputs are read back unchanged, whatever their names,
// times and codes.
func TestInputsAreReadAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		player := &tabletest.Player{
			Dice: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 5)), Boxes: 7,
			Freely: true,
		}
		var tab table.Table
		tab.Step(tabletest.SetUp(rules.Setup{House: "wiesbaden"}))
		var inputs []vocab.Input
		for range rapid.IntRange(1, 30).Draw(t, "inputs") {
			in := player.Anything(&tab)
			tab.Step(&in)
			if in.Kind == vocab.InSetup || in.Bettors != nil && len(in.Bettors) == 0 {
				continue
			}
			in.Line, in.Time = 0, rapid.Int64Range(0, 1e12).Draw(t, "time")
			if in.Bettor != "" {
				in.Bettor = rapid.StringN(1, 20, -1).Draw(t, "bettor")
			}
			if in.Kind == vocab.InResolve {
				in.Because = rapid.String().Draw(t, "because")
			}
			inputs = append(inputs, in)
		}
		text := notation.AppendInputs(nil, inputs, 2)
		got, err := tabletest.ReadInputs(string(text), 2)
		if err != nil || !reflect.DeepEqual(got, inputs) {
			t.Fatalf("%+v\nis written as %s\nand read as %+v (%v)", inputs, text, got, err)
		}
	})
}

// TestEveryFieldIsReadAgain: so are inputs of every kind in each of its forms, with values in all fields.
func TestEveryFieldIsReadAgain(t *testing.T) {
	for in := range tabletest.FilledInputs(rand.New(rand.NewPCG(11, 3))) {
		if in.Kind == vocab.InSetup {
			continue // a position says the rules
		}
		leaveOut(&in)
		text := notation.AppendInputs(nil, []vocab.Input{in}, 2)
		got, err := tabletest.ReadInputs(string(text), 2)
		if err != nil || !reflect.DeepEqual(got, []vocab.Input{in}) {
			t.Errorf("%s, read as\n     %+v (%v)\nwant %+v", text, got, err, in)
		}
	}
}

// leaveOut takes out of an input what the notation does not write: seals, which say nothing without their record, whose
// command it was that took a slip further, and places that a line may name and nobody asks for.
func leaveOut(in *vocab.Input) {
	switch in.Kind {
	case vocab.InCard, vocab.InHole, vocab.InResolve:
		in.Code = ""
	case vocab.InFill, vocab.InCredit:
		in.Command = ""
	case vocab.InCall:
		switch in.Amount = max(in.Amount, -in.Amount); {
		case in.Bettor != "":
			in.Bettors = nil
		case in.Call == vocab.CallSurrender:
			in.Box = 0
		}
	case vocab.InCorrect:
		if in.Correct.What == vocab.Move && in.Correct.To != vocab.ToBox {
			in.Box, in.Hand = 0, 0
		}
	}
}

// TestReadPositionRefuses: a wrong line is refused, with the place and the cause.
func TestReadPositionRefuses(t *testing.T) {
	const whole = "rules wiesbaden EUR min=10.00 box_max=500.00 unit=0.50 decks=6 boxes=7 call=required " +
		"keys_apart=150 profile=b3f0a2b769d4 | " +
		"round 1 deal due box 1/1 | bank 9S =9 | box 1 a 20.00 : TS =10 | before | in open; stake 1 a 20; close; TS 9S"
	if _, err := tabletest.Position(whole, profile.Built()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, want string }{
		{whole, "", "begins with \"rules\""},
		{"wiesbaden", "nowhere", "column 7: house \"nowhere\" is not known"},
		{"b3f0a2b769d4", "ffffffffffff", "the line needs \"ffffffffffff\""},
		{"b3f0a2b769d4", "b3f0", "the line needs \"b3f0\""},
		{"min=10.00", "min=ten", "column 1: min: \"ten\" is not an amount"},
		{"boxes=7", "boxes=-7", "column 1: boxes=-7 is not a number"},
		{"unit=0.50", "colour=red", "rules does not take \"colour=red\""},
		{"9S =9", "9S =10", `the line says "bank 9S =10", but its inputs lead to "bank 9S =9"`},
		{"| box 1 a 20.00 : TS =10", "| box 2 a 20.00 : TS =10", "its inputs lead to"},
		{"| before", "| behind 1X", "1X"},
		{"| before", "| somewhere", `column 189: "somewhere" is not a part of a position`},
		{"| before", "| held nothing", `"nothing" is not an irregularity`},
		{"| before", "| last rejected=never", "unknown reason"},
		{"| before", "| alert lost-cards raised=noon", "raised=noon is not a time"},
		{"| before", "| dealer lost-cards=often", "is not an irregularity"},
		{"| before", "| before seen=AS", "is no count of a card"},
		{"in open; ", "in ", "a round begins with open"},
		{"stake 1 a 20", "stake 9 a 20", "the round's input 2, stake, is refused: unknown-box"},
		{"stake 1 a 20", "stake 1", "stake needs a bettor"},
		{"stake 1 a 20", "stake one a 20", `"one" is not a number: a box is expected`},
		{"stake 1 a 20", `stake 1 "a 20`, "the quotation mark is not closed"},
	} {
		line := strings.Replace(whole, c.from, c.to, 1)
		if _, err := tabletest.Position(line, profile.Built()); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n%v, want %q", line, err, c.want)
		}
	}
}

// TestPictureMayBeLeftOut: parts that follow from the rest may be left out.
func TestPictureMayBeLeftOut(t *testing.T) {
	const line = "rules wiesbaden EUR profile=b3f0a2b769d4 | in open; stake 1 a 20; close; TS 9S"
	tab, err := tabletest.Position(line, profile.Built())
	if err != nil {
		t.Fatal(err)
	}
	if due := tab.Due(); due.To != vocab.ToBox || len(tab.Bank().Cards) != 1 {
		t.Errorf("due is %+v, the bank has %v", due, tab.Bank().Cards)
	}
}

func FuzzReadPosition(f *testing.F) {
	dice := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		player := &tabletest.Player{Dice: dice, Boxes: 3, Freely: true, Unshuffled: true}
		var tab table.Table
		tab.Step(tabletest.SetUp(rules.Setup{House: "mendrisio"}))
		for range dice.IntN(80) {
			in := player.Anything(&tab)
			tab.Step(&in)
		}
		f.Add(string(notation.AppendPosition(nil, &tab)))
	}
	f.Fuzz(func(t *testing.T, line string) {
		tab, err := tabletest.Position(line, profile.Built())
		if err != nil {
			return
		}
		text := string(notation.AppendPosition(nil, tab))
		again, err := tabletest.Position(text, profile.Built())
		if err != nil {
			t.Fatalf("%q\nwas written as\n%s\nwhich is refused: %v", line, text, err)
		}
		if next := string(notation.AppendPosition(nil, again)); next != text {
			t.Fatalf("%s\nis read and written again as\n%s", text, next)
		}
	})
}

func FuzzInputs(f *testing.F) {
	f.Add("open; stake 1 a 20 perfect-pair standing player=p; close; TS 7D 9S; double a b; resolve burn AS dealer " +
		"because=\"so it was\"\n@1.25s rest")
	f.Add("paid box 3 45.00; shoe gap 2; storage touched \"part 3\"; acknowledge lost-cards s1; insurance 1 a -; " +
		"even-money 2 b; paid -5")
	f.Fuzz(func(t *testing.T, text string) {
		inputs, err := tabletest.ReadInputs(text, 2)
		var placed *tabletest.NotationError
		if err != nil {
			if !errors.As(err, &placed) || placed.Column < 1 || placed.Column > len(text)+1 {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		written := notation.AppendInputs(nil, inputs, 2)
		again, err := tabletest.ReadInputs(string(written), 2)
		if err != nil || !reflect.DeepEqual(again, inputs) {
			t.Fatalf("%q is %+v, written as %q and read as %+v (%v)", text, inputs, written, again, err)
		}
	})
}
