package transcript_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/transcript"
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
				p := transcript.NewParser(rules.Built())
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

// TestEveryNameIsInTheGoldenFiles: what the engine can say and hear is shown.
func TestEveryNameIsInTheGoldenFiles(t *testing.T) {
	text := goldenText(t)
	shown := func(field, name string) {
		if !strings.Contains(text, fmt.Sprintf("%q:%q", field, name)) {
			t.Errorf("no case shows %q: %q", field, name)
		}
	}
	every(table.InSetup, table.InPaid, func(k table.InputKind) { shown("in", k.String()) })
	every(table.Opened, table.Finished, func(k table.Kind) { shown("out", k.String()) })
	every(table.CallCard, table.CallInsuranceClosed, func(c table.Call) { shown("call", c.String()) })
	every(table.BetsClosed, table.NoStakes, func(r table.Reason) { shown("reason", r.String()) })
	every(table.ToBox, table.ToNothing, func(to table.To) { shown("to", to.String()) })
	every(table.DoneRest, table.DoneSplitAce, func(d table.Done) { shown("why", d.String()) })
	every(table.UnreadCard, table.ShoeAlarm, func(c table.Code) { shown("code", c.String()) })
	every(table.Identify, table.Cleared, func(c table.Choice) { shown("with", c.String()) })
	every(table.Win, table.Void, func(o table.Outcome) { shown("outcome", o.String()) })
	every(table.WhyBlackJack, table.WhyVoidRound, func(w table.Why) { shown("why", w.String()) })
	every(table.ShoeLoaded, table.ShoeAlarmCleared, func(e table.ShoeEvent) { shown("event", e.String()) })
	for _, field := range []string{"t", "seated", "player", "bettors", "role", "by", "missing", "rounded", "alarm", "jackpot"} {
		if !strings.Contains(text, fmt.Sprintf("%q:", field)) {
			t.Errorf("no case shows the field %q", field)
		}
	}
}

func every[T ~uint8](first, last T, do func(T)) {
	for v := first; v <= last; v++ {
		do(v)
	}
}
