package transcript_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestGolden replays every transcript under testdata/replay: JSON lines in, JSON
// lines out, and the error if there is one. They are the contract as other
// people's tools see it: a line may gain fields, and change in no other way.
func TestGolden(t *testing.T) {
	for _, path := range goldenFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
				if d.Cmd != "replay" {
					d.Fatalf(t, "unknown command %q: a case begins with replay", d.Cmd)
				}
				p := transcript.NewParser(tabletest.Book())
				d.MaybeScanArgs(t, "house", &p.House)
				return replayed(p, d.Input)
			})
		})
	}
}

func replayed(p *transcript.Parser, text string) string {
	var out bytes.Buffer
	if err := transcript.Replay(strings.NewReader(text), p, &out); err != nil {
		fmt.Fprintf(&out, "error: %v\n", err)
	}
	return out.String()
}

func goldenFiles(t testing.TB) []string {
	files, err := filepath.Glob("testdata/replay/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases under testdata/replay: %v", err)
	}
	return files
}

// goldenText is all cases with their answers.
func goldenText(t testing.TB) string {
	var all strings.Builder
	for _, path := range goldenFiles(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	return all.String()
}

// goldenInputs are the transcripts of all cases, without their answers.
func goldenInputs(t testing.TB) []string {
	var inputs []string
	for part := range strings.SplitSeq(goldenText(t), "\nreplay") {
		var input strings.Builder
		for line := range strings.Lines(part) {
			if strings.HasPrefix(line, `{"in"`) {
				input.WriteString(line)
			}
		}
		inputs = append(inputs, input.String())
	}
	return inputs
}

// goldenLines are the input lines of all cases.
func goldenLines(t testing.TB) []string {
	return strings.Split(strings.TrimSpace(strings.Join(goldenInputs(t), "")), "\n")
}

// TestEveryNameIsInTheGoldenFiles: what the engine can say and hear is shown, but for irregularities: rounds show each
// of them in two houses.
func TestEveryNameIsInTheGoldenFiles(t *testing.T) {
	text := goldenText(t)
	shown := func(what string) {
		t.Helper()
		if !strings.Contains(text, what) {
			t.Errorf("no case shows %s", what)
		}
	}
	named := func(field string, name fmt.Stringer) {
		t.Helper()
		shown(fmt.Sprintf("%q:%q", field, name))
	}
	every(vocab.InSetup, vocab.InJackpot, func(k vocab.InputKind) { named("in", k) })
	every(vocab.Opened, vocab.JackpotTold, func(k vocab.Kind) { named("out", k) })
	every(vocab.ToBox, vocab.ToNothing, func(to vocab.To) { named("to", to) })
	every(vocab.ShoeLoaded, vocab.ShoeNote, func(e vocab.ShoeEvent) { named("event", e) })
	for from := range vocab.EverySource {
		named("from", from)
	}
	for c := range vocab.EveryCall {
		named("call", c)
	}
	for r := range vocab.EveryReason {
		named("reason", r)
	}
	for d := range vocab.EveryDone {
		named("why", d)
	}
	for c := range irregularity.EveryChoice {
		named("with", c)
	}
	for o := range vocab.EveryOutcome {
		named("outcome", o)
	}
	for w := range vocab.EveryWhy {
		if !ofBets(w) {
			named("why", w)
		}
	}
	for bet := range sidebet.EveryBet {
		if !offered(bet) {
			continue
		}
		shown(fmt.Sprintf(`"wager":%q,"outcome":"lose","why":"no-match"`, bet))
		for _, line := range profile.KnownBets()[bet].Def.Lines() {
			shown(fmt.Sprintf(`"wager":%q,"outcome":"win","why":%q`, bet, line))
		}
	}
	for _, field := range []string{
		"t", "seated", "player", "bettors", "role", "by", "missing", "rounded", "alarm", "jackpot", "profile",
		"points", "ratio", "times",
	} {
		shown(fmt.Sprintf("%q:", field))
	}
	for _, amount := range []string{"stake", "returned", "won", "staked"} {
		shown(fmt.Sprintf("%q:null", amount))
	}
}

// TestRecordInDoubt: each irregularity of the record is raised by an event of the storage.
func TestRecordInDoubt(t *testing.T) {
	raised := map[irregularity.Code]bool{}
	for event := range vocab.EveryStorageEvent {
		code := event.Raises()
		if raised[code] = true; code == 0 {
			continue
		}
		// Between rounds there is nothing to void.
		choices := slices.Collect(irregularity.Possible(code).Without(irregularity.VoidRound).All)
		want := fmt.Sprintf(`{"out":"irregular","code":%q,"found":"part 3","choices":["%s"]}`+"\n", code, choices[0])
		got := replayed(transcript.NewParser(profile.Built()),
			fmt.Sprintf(`{"in":"setup","house":"wiesbaden"}`+"\n"+`{"in":"storage","event":%q,"code":"part 3"}`+
				"\n", event))
		if len(choices) != 1 || got != want {
			t.Errorf("%s is answered by\n%swant\n%s", event, got, want)
		}
	}
	for code := range irregularity.EveryCode {
		if code.OfRecord() && !raised[code] {
			t.Errorf("no event of the storage raises %s", code)
		}
	}
}

// ofBets says whether a reason is a line of a paytable.
func ofBets(w vocab.Why) bool {
	for line := range sidebet.EveryLine {
		if w == vocab.WhyLine(line) {
			return true
		}
	}
	return false
}

// offered says whether a house that comes with Sabot offers a side bet.
func offered(bet sidebet.Bet) bool {
	for _, house := range profile.Built() {
		if house.Offer(bet) != nil {
			return true
		}
	}
	return false
}

func every[T ~uint8](first, last T, do func(T)) {
	for v := first; v <= last; v++ {
		do(v)
	}
}
