package history_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/vocab"
)

// records makes records of lines: inputs, each with its outputs below it.
func records(lines string) []history.Record {
	var list []history.Record
	for line := range strings.Lines(strings.TrimSpace(lines) + "\n") {
		if strings.HasPrefix(line, `{"out"`) {
			last := &list[len(list)-1]
			last.Outputs = append(last.Outputs, line...)
			continue
		}
		seq := uint64(len(list) + 1)
		list = append(list, history.Record{Seq: seq, At: int64(seq) * 1e9, Input: []byte(strings.TrimSpace(line))})
	}
	return list
}

// TestTakenBack: a correction marks the key press that it took back, and no other of
// the same kind; what had followed from it is no result.
func TestTakenBack(t *testing.T) {
	for name, c := range map[string]struct {
		lines string
		back  map[uint64]uint64 // by which record, by record
	}{
		"the last of two": {`
{"in":"call","call":"rest"}
{"in":"call","call":"rest"}
{"in":"undo"}
{"out":"undone","in":"call","call":"rest","box":1,"hand":1}`, map[uint64]uint64{2: 3}},
		"one after the other": {`
{"in":"call","call":"rest"}
{"in":"call","call":"rest"}
{"in":"undo"}
{"out":"undone","in":"call","call":"rest","box":1,"hand":1}
{"in":"undo"}
{"out":"undone","in":"call","call":"rest","box":1,"hand":1}`, map[uint64]uint64{2: 3, 1: 4}},
		"not one that was refused": {`
{"in":"close"}
{"out":"closed-bets"}
{"in":"close"}
{"out":"rejected","reason":"bets-closed","line":2}
{"in":"undo"}
{"out":"undone","in":"close"}`, map[uint64]uint64{1: 3}},
		"of what the shoe told, its loading": {`
{"in":"shoe","event":"loaded"}
{"in":"shoe","event":"note","code":"locked host"}
{"in":"undo","of":"shoe"}
{"out":"undone","in":"shoe"}`, map[uint64]uint64{1: 3}},
		"contradictory keys": {`
{"in":"call","call":"rest"}
{"in":"call","call":"card"}
{"out":"irregular","code":"contradictory-keys","calls":["card","rest"],"choices":[]}
{"out":"undone","in":"call","call":"rest","box":1,"hand":1}
{"in":"call","call":"card"}`, map[uint64]uint64{1: 2}},
		"with what followed": {`
{"in":"paid","box":1}
{"out":"settled","box":1,"bettor":"a","wager":"main","hand":1,"outcome":"win","stake":1,"returned":1,"won":1}
{"in":"undo"}
{"out":"undone","in":"paid","box":1}`, map[uint64]uint64{1: 2}},
	} {
		round := history.Of(1, records(c.lines))
		for _, s := range round.Steps {
			if s.TakenBack != c.back[s.Seq] {
				t.Errorf("%s: record %d is taken back by %d, not by %d", name, s.Seq, s.TakenBack, c.back[s.Seq])
			}
		}
		if len(round.Boxes) != 0 {
			t.Errorf("%s: what was taken back settled %+v", name, round.Boxes)
		}
	}
}

// TestStakes: a stake that is placed again replaces, and one that is withdrawn takes
// the bettor's side bets along.
func TestStakes(t *testing.T) {
	round := history.Of(1, records(`
{"in":"stake","box":3,"bettor":"a","wager":"main","amount":1000}
{"in":"stake","box":3,"bettor":"a","wager":"main","amount":2000}
{"in":"stake","box":3,"bettor":"b","wager":"main"}
{"in":"stake","box":3,"bettor":"b","wager":"twins","amount":500}
{"in":"stake","box":1,"bettor":"c","wager":"main","amount":1000}
{"in":"stake","box":1,"bettor":"c","wager":"twins","amount":500}
{"in":"stake","box":1,"bettor":"c","wager":"main","amount":0}
{"in":"stake","box":2,"bettor":"d","wager":"main","amount":1}
{"out":"rejected","reason":"below-minimum","line":8}
{"in":"stake","box":3,"bettor":"b","wager":"twins","amount":0}`))
	got, err := json.Marshal(round.Boxes)
	const want = `[{"box":3,"stakes":[{"bettor":"a","wager":"main","amount":2000},{"bettor":"b","wager":"main","amount":null}]}]`
	if err != nil || string(got) != want {
		t.Errorf("the stakes are %s, %v\nnot %s", got, err, want)
	}
}

// FuzzRead: whatever a line holds, it is kept as it is, and as JSON it is valid.
func FuzzRead(f *testing.F) {
	for _, line := range []string{
		`{"out":"dealt","card":"TH","to":"box","box":3,"hand":1,"total":17,"soft":false}`,
		`{"out":"waved","box":"three","total":{}}`, `{"in":`, `null`, `[]`, `{"IN":"card","in":7}`, ``, "\x00",
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var r history.Reader
		for _, line := range []history.Line{r.Input(text), r.Output(text)} {
			if line.Text() != string(text) {
				t.Errorf("%q is kept as %q", text, line.Text())
			}
			if out, err := json.Marshal(line); err != nil || !json.Valid(out) {
				t.Errorf("%q is written as %q, %v", text, out, err)
			}
		}
	})
}

// TestOtherVersions: what this version does not know is passed over, and what is missing
// is none, so that a round of another version is told as far as it can be.
func TestOtherVersions(t *testing.T) {
	var r history.Reader
	for _, c := range []struct {
		line string
		want vocab.Output
	}{
		{`{"out":"opened","round":7,"weather":{"rain":[1,2]}}`, vocab.Output{Kind: vocab.Opened, Round: 7}},
		{`{"out":"rejected","reason":"no-humour","line":3}`, vocab.Output{Kind: vocab.Rejected, Line: 3}},
		{`{"out":"done","box":"three","hand":1}`, vocab.Output{Kind: vocab.HandDone, Hand: 1}},
		{`{"out":"undone","in":"paid","now":{"to":"box","seat":4}}`, vocab.Output{
			Kind: vocab.Undone, Input: vocab.InPaid, Trouble: &vocab.Trouble{
				Undone: vocab.UndoneTold{Now: vocab.Due{To: vocab.ToBox}},
			},
		}},
		{`{"out":"waved"}`, vocab.Output{}},
		{`{"out":`, vocab.Output{}},
	} {
		if got := r.Output([]byte(c.line)).Out; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s is read as %+v, want %+v", c.line, got, c.want)
		}
	}
	const stake = `{"in":"stake","box":3,"bettor":"a","wager":"main","amount":"much","tip":5}`
	want := vocab.Input{Kind: vocab.InStake, Box: 3, Bettor: "a", Wager: vocab.WagerMain}
	if got := r.Input([]byte(stake)).In; !reflect.DeepEqual(got, want) {
		t.Errorf("%s is read as %+v, want %+v", stake, got, want)
	}
}

// TestBigWins: those that stand, with who has confirmed them; one that is asked for again is confirmed no more, and one
// that a correction has made another is gone.
func TestBigWins(t *testing.T) {
	const one, another = `"box":1,"bettor":"a","wager":"twins","why":"twins","won":33000`,
		`"box":2,"bettor":"b","wager":"twins","why":"twins","won":44000`
	settled := func(win string) string {
		return `{"out":"settled",` + strings.Replace(win, `"why"`, `"outcome":"win","stake":3000,"returned":3000,"why"`,
			1) + "}\n"
	}
	const asks, right = `{"out":"irregular","code":"big-win","choices":["accept"],`,
		`{"out":"resolved","code":"big-win","with":"accept","by":"s1",`
	told := `{"in":"card","card":"8S"}` + "\n" + settled(one) + settled(another) + asks + one + "}\n" + asks + another +
		"}\n" + `{"in":"resolve","with":"accept","by":"s1"}` + "\n" + right + one + "}\n"
	corrected := `{"in":"correct","what":"end-shoe","by":"s1"}` + "\n" +
		`{"out":"corrected","what":"end-shoe","by":"s1"}` + "\n"
	cleared := `{"out":"resolved","code":"big-win","with":"cleared","by":"",` + another + "}\n"
	for name, c := range map[string]struct{ lines, want string }{
		"one of two is confirmed": {told, "a 33000 s1; b 44000 "},
		"the other is gone":       {told + corrected + settled(one) + cleared, "a 33000 s1"},
		"it is asked for again": {
			told + corrected + settled(one) + settled(another) + asks + one + "}\n",
			"a 33000 ; b 44000 ",
		},
	} {
		round := history.Of(1, records(c.lines))
		var got []string
		for _, w := range round.BigWins() {
			got = append(got, fmt.Sprintf("%s %d %s", w.Line.Out.Bettor, w.Line.Out.Won, w.By))
		}
		if is := strings.Join(got, "; "); is != c.want {
			t.Errorf("%s: %q, want %q", name, is, c.want)
		}
	}
}
