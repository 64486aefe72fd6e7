package topic_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

const pitPage = "../README.md"

// TestPage holds what the pit's page says of events to the vocabulary, and its example of a
// house's result to what the engine deals.
func TestPage(t *testing.T) {
	page := readPage(t)
	text := marked(t, page, "events", eventTable())
	text = marked(t, text, "result", resultExample(t))
	switch {
	case text == page:
	case !*topic.Update:
		t.Fatalf("%s does not follow the engine: run go test ./pit/topic -run Page -update", pitPage)
	default:
		if err := os.WriteFile(pitPage, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func readPage(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(pitPage)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// marked puts text between the marks of its name.
func marked(t *testing.T, page, name, text string) string {
	t.Helper()
	begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->\n"
	before, rest, found := strings.Cut(page, begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no marks for %s", pitPage, name)
	}
	return before + begin + "\n" + text + "\n" + end + after
}

// eventTable lists the types of events, with the fields of their data.
func eventTable() string {
	var b strings.Builder
	b.WriteString("| `type` | what happened | fields of `data` |\n|---|---|---|\n")
	for i := range vocab.Outputs {
		line := &vocab.Outputs[i]
		if line.Name == "" {
			continue
		}
		var fields []string
		for _, f := range line.Fields {
			if name := "`" + f.Name + "`"; !slices.Contains(fields, name) {
				fields = append(fields, name)
			}
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", line.Name, line.Meaning, strings.Join(fields, ", "))
	}
	fmt.Fprintf(&b, "| `%s` | a line in the journal is not an output | `error` |\n", topic.TypeUnreadable)
	return b.String()
}

// resultExample is a round with what it came to for the house, event by event.
func resultExample(t *testing.T) string {
	t.Helper()
	inputs, err := tabletest.Inputs("open; stake 1 a 20; stake 1 b 50; stake 2 c 30; close\n" +
		"TS 8H AD 9H KS\ninsurance 1 a 10; insurance 1 b 25\ninsurance-closed\nrest\nrest\nKH\npaid")
	if err != nil {
		t.Fatal(err)
	}
	var tab table.Table
	var fold tally.Fold
	var b strings.Builder
	b.WriteString("| `data` of the event | for the house |\n|---|---|\n")
	sum, counted := int64(0), int64(0)
	for n, in := range append([]vocab.Input{*tabletest.SetUp(rules.Setup{House: "wiesbaden"})}, inputs...) {
		outs := tab.Step(&in)
		for i := range outs {
			out := &outs[i]
			switch out.Kind {
			case vocab.Settled, vocab.Bonus:
				won := resultOf(out)
				sum += won
				fmt.Fprintf(&b, "| `%s` | %+d |\n", transcript.AppendOutput(nil, out), won)
			case vocab.RoundDecided:
				fmt.Fprintf(&b, "| `%s` | **%+d** |\n", transcript.AppendOutput(nil, out), sum)
			}
		}
		step := fold.Record(tally.Record{Seq: uint64(n + 1), At: time.Unix(int64(n), 0), In: &in, Outs: outs})
		if step.Ended != nil {
			counted = resultOfRound(step.Ended)
		}
	}
	if !tab.Settled() || counted != sum || sum == 0 {
		t.Fatalf("the example comes to %d, and is counted as %d", sum, counted)
	}
	return b.String()
}

// resultOf is the formula of the page.
func resultOf(out *vocab.Output) int64 {
	if out.Kind == vocab.Bonus {
		return -out.Won
	}
	return out.Stake - out.Returned - out.Won
}

func resultOfRound(r *tally.Round) (sum int64) {
	for _, w := range r.Wagers {
		sum += w.Staked - w.Returned
	}
	return sum
}

// TestHousesResult: by the page's formula, over the events that hold in the end, the house's
// result is what package tally counts and what the sums of the round say, whatever guests and
// croupier do.
func TestHousesResult(t *testing.T) {
	rounds := 0
	for house, name := range profile.Built().Names() {
		dice := rand.New(rand.NewPCG(uint64(house), 5))
		player := tabletest.Player{Dice: dice, Boxes: 3, Freely: true}
		var tab table.Table
		var fold tally.Fold
		var decided *vocab.Output
		for n := range 3000 {
			in := *tabletest.SetUp(rules.Setup{House: name})
			if n > 0 {
				if in = player.Next(&tab); dice.IntN(10) == 0 {
					in = player.Anything(&tab)
				}
				if in.Kind == vocab.InSetup {
					continue
				}
			}
			outs := tab.Step(&in)
			for i := range outs {
				if outs[i].Kind == vocab.Finished && decided != nil { // what was accepted is what was paid
					decided.Sums.Won += outs[i].Payment.Given - outs[i].Payment.Owed
				}
				if outs[i].Kind == vocab.RoundDecided {
					one := outs[i]
					result := *one.Result
					one.Result, decided = &result, &one
				}
			}
			step := fold.Record(tally.Record{Seq: uint64(n + 1), At: time.Unix(int64(n), 0), In: &in, Outs: outs})
			if step.Ended == nil || decided == nil || step.Ended.Void || decided.Sums.Unstated ||
				decided.Round != step.Ended.Number {
				continue
			}
			rounds++
			if sums := decided.Sums; sums.Staked-sums.Returned-sums.Won != resultOfRound(step.Ended) {
				t.Fatalf("round %d at %s: the sums are %+v, and counted is %d", step.Ended.Number, name, sums,
					resultOfRound(step.Ended))
			}
		}
	}
	if rounds < 50 {
		t.Errorf("only %d rounds", rounds)
	}
}
