package transcript_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// goldenOutputs are the output lines of all cases.
func goldenOutputs(t testing.TB) (lines []string) {
	for line := range strings.Lines(goldenText(t)) {
		if strings.HasPrefix(line, `{"out"`) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// TestGoldenOutputs: ParseOutput reads every answer of the cases, and what it read is
// written as it was.
func TestGoldenOutputs(t *testing.T) {
	p := transcript.NewParser(nil)
	for _, line := range goldenOutputs(t) {
		out, err := p.ParseOutput([]byte(line), 1)
		if err != nil {
			t.Errorf("%s: %v", line, err)
		} else if again := transcript.AppendOutput(nil, &out); string(again) != line {
			t.Errorf("%s\nbecomes\n%s", line, again)
		}
	}
}

// TestOutputsSurviveBeingWritten: ParseOutput reads what AppendOutput wrote, whatever a
// dealer and his guests may do.
func TestOutputsSurviveBeingWritten(t *testing.T) {
	p := transcript.NewParser(nil)
	dice := rand.New(rand.NewPCG(5, 1))
	kinds := map[vocab.Kind]int{}
	var tab *table.Table
	var player tabletest.Player
	houses := append(profile.Built().Names(), "hole", "linked")
	sevens := []card.Card{card.Of(7, card.Spades), card.Of(7, card.Hearts), card.Of(2, card.Clubs)}
	unseen := func() bool {
		for k := range vocab.EveryOutput {
			if kinds[k] == 0 {
				return true
			}
		}
		return false
	}
	for i, least := 0, tier.Times(50_000, 200_000); i < least || i < 4*least && unseen(); i++ {
		if i%500 == 0 {
			tab, player = new(table.Table), tabletest.Player{Dice: dice, Boxes: 3, Freely: true}
			if i%1500 == 0 {
				player.Pack = sevens
			}
			tab.Step(tabletest.SetUp(rules.Setup{House: houses[i/500%len(houses)]}))
		}
		in := player.Next(tab)
		if dice.IntN(10) == 0 {
			in = player.Anything(tab)
		}
		for _, out := range tab.Step(&in) {
			line := transcript.AppendOutput(nil, &out)
			got, err := p.ParseOutput(line, 1)
			if err != nil || !reflect.DeepEqual(asWritten(got), asWritten(out)) {
				t.Fatalf("%s: %v\n got %+v\nwant %+v", line, err, got, out)
			}
			kinds[out.Kind]++
		}
	}
	for k := range vocab.EveryOutput {
		if kinds[k] == 0 {
			t.Errorf("no %s was written", k)
		}
	}
}

// asWritten leaves out what a line does not say.
func asWritten(out vocab.Output) vocab.Output {
	if !out.Unstated {
		out.Times, out.Odds = 0, money.Ratio{}
	}
	if out.Result != nil {
		result := *out.Result
		if out.Result = &result; len(result.Bank) == 0 {
			result.Bank = nil
		}
		if result.Sums.Unstated {
			result.Sums = vocab.Sums{Unstated: true}
		}
	}
	if out.Trouble != nil {
		trouble := *out.Trouble
		out.Trouble = &trouble
		for _, due := range []*vocab.Due{&trouble.Undone.Was, &trouble.Undone.Now} {
			if due.Allowed = 0; due.To != vocab.ToBox && due.To != vocab.ToCall {
				due.Box, due.Hand = 0, 0
			}
		}
	}
	return out
}

// TestBadOutputs: an answer is read as strictly as an input. The caret stands under the
// column that the error must name.
func TestBadOutputs(t *testing.T) {
	for _, c := range []struct{ line, at, what string }{
		{`{"in":"open"}`, `^`, `there is no field "out"`},
		{`{"round":1}`, `^`, `there is no field "out": write what is answered, such as {"out":"closed-bets"}`},
		{`{"out":"waved"}`, `       ^`, `"waved" is no output`},
		{`{"out":"opened"}`, `^`, `opened lines need the field "round"`},
		{`{"out":"opened","round":-1}`, `                        ^`, `-1 of "round" is no whole number from 0`},
		{
			`{"out":"opened","round":1,"box":1}`, `                                ^`,
			`opened lines have no field "box"; they have out, round`,
		},
		{`{"out":"opened","round":1,"table":1}`, `                          ^`, `"table" is no field of a transcript`},
		{
			`{"out":"dealt","card":"TS","to":"box","box":1,"hand":1,"total":10}`, `^`,
			`dealt lines need the field "soft"`,
		},
		{
			`{"out":"dealt","card":"TS","to":"bank","box":1,"total":10,"soft":false}`,
			`                                             ^`, `dealt lines have no field "box"`,
		},
		{
			`{"out":"dealt","card":"TS","to":"bank","points":1,"total":10,"soft":false}`,
			`                                                          ^`, `dealt lines have no field "total"`,
		},
		{
			`{"out":"dealt","card":"TS","to":"aside","box":0}`, `                                              ^`,
			`dealt lines have no field "box"`,
		},
		{`{"out":"dealt","card":"TS","to":"call"}`, `                                ^`, `"call" is no to`},
		{
			`{"out":"dealt","card":"TS","to":"bank","total":256,"soft":false}`,
			`                                               ^`, `256 is too large: at most 255`,
		},
		{`{"out":"due","to":"shoe"}`, `                  ^`, `"shoe" is no to`},
		{
			`{"out":"due","to":"bank","allowed":[]}`, `                                   ^`,
			`due lines have no field "allowed"`,
		},
		{
			`{"out":"due","to":"call","box":1,"hand":1,"allowed":["card","hit"]}`,
			`                                                    ^`, `"allowed" holds "hit", which it cannot`,
		},
		{
			`{"out":"done","box":1,"hand":1,"why":"tired"}`, `                                     ^`,
			`"tired" is no why`,
		},
		{`{"out":"settled","box":1,"bettor":"a","wager":"Luck","outcome":"win","why":"tie","stake":1,"returned":1,"won":1}`, `                                              ^`, `"Luck" is no wager`},
		{`{"out":"settled","box":1,"bettor":"a","wager":"main","outcome":"win","why":"tie","stake":1,"returned":1,"won":null}`, `                                                                                         ^`, `"stake" is null where the other amounts are, and only there`},
		{`{"out":"settled","box":1,"bettor":"a","wager":"main","outcome":"win","why":"tie","stake":1,"returned":1,"won":1,"rounded":false}`, `                                                                                                                          ^`, `settled lines have no field "rounded"`},
		{`{"out":"settled","box":1,"bettor":"a","wager":"main","outcome":"win","why":"tie","stake":1,"returned":1,"won":1,"ratio":"1:1"}`, `                                                                                                                        ^`, `settled lines have no field "ratio"`},
		{
			`{"out":"bonus","box":1,"bettor":"a","wager":"main","why":"tie","stake":null,"won":null,"ratio":"one"}`,
			`                                                                                               ^`,
			`"one" is not a ratio`,
		},
		{
			`{"out":"undone","in":"paid","was":{"to":"box"},"now":"bank"}`, `                                  ^`,
			`need the field "box"`,
		},
		{
			`{"out":"undone","in":"paid","was":{"to":"bank"},"now":"bank"}`,
			`                                                      ^`, `"bank" of "now" is no object`,
		},
		{
			`{"out":"undone","in":"paid","was":{"to":"bank","soft":1},"now":{"to":"bank"}}`,
			`                                               ^`, `"soft" is no field`,
		},
		{`{"out":"irregular","code":"rain","choices":[]}`, `                          ^`, `"rain" is no irregularity`},
	} {
		_, err := transcript.NewParser(nil).ParseOutput([]byte(c.line), 7)
		var e *transcript.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: got %v, want an Error", c.line, err)
			continue
		}
		if want := strings.IndexByte(c.at, '^') + 1; e.Line != 7 || e.Column != want ||
			!strings.Contains(e.What, c.what) {
			t.Errorf("%s:\n got %v\nwant column %d, %s", c.line, err, want, c.what)
		}
	}
}

// FuzzOutput: what ParseOutput takes is written as the same line, but for the order of
// its fields and the spaces between them, and read again as the same output.
func FuzzOutput(f *testing.F) {
	for _, line := range goldenOutputs(f) {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		p := transcript.NewParser(nil)
		out, err := p.ParseOutput(line, 1)
		if err != nil {
			return
		}
		written := transcript.AppendOutput(nil, &out)
		again, err := p.ParseOutput(written, 1)
		if err != nil || !reflect.DeepEqual(again, out) {
			t.Fatalf("%s\n is %+v, and written\n%s\n is %+v, %v", line, out, written, again, err)
		}
		if a, b := canonical(t, line), canonical(t, written); a != b {
			t.Fatalf("%s\nis written as\n%s", a, b)
		}
	})
}

// FuzzInput: what Parse takes is written as a line that is read as the same input.
func FuzzInput(f *testing.F) {
	for _, line := range goldenLines(f) {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		p := transcript.NewParser(nil)
		p.AnyHouse = true
		in, err := p.Parse(line, 1)
		if err != nil {
			return
		}
		written := transcript.AppendInput(nil, &in)
		if again, err := p.Parse(written, 1); err != nil || !reflect.DeepEqual(again, in) {
			t.Fatalf("%s\n is %+v, and written\n%s\n is %+v, %v", line, in, written, again, err)
		}
	})
}

// canonical writes a line with its fields in order, and whole numbers in one way.
func canonical(t *testing.T, line []byte) string {
	v := jsontext.Value(strings.ReplaceAll(string(line), "-0", "0"))
	if err := v.Canonicalize(jsontext.CanonicalizeRawInts(false)); err != nil {
		t.Fatal(err)
	}
	return string(v)
}
