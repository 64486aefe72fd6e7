package paneldriver

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cockroachdb/datadriven"
	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
)

// across are presses of a key of which the panel sees less than all: each is none. UNPLUG
// takes the whole panel away, or the key alone.
var across = []string{
	"hold KEY; wait 300ms; UNPLUG; wait 100ms; release KEY; wait 1s; plug",
	"UNPLUG; wait 100ms; hold KEY; wait 300ms; release KEY; wait 1s; plug",
	"UNPLUG; wait 100ms; hold KEY; wait 300ms; plug; wait 900ms; release KEY",
	"hold KEY; wait 300ms; UNPLUG; wait 1s; plug; wait 900ms; release KEY",
	"hold KEY; wait 300ms; UNPLUG; wait 100ms; plug; wait 5s; release KEY",
	"hold KEY; wait 5ms; UNPLUG; wait 100ms; release KEY; wait 100ms; plug",
	"chatter KEY for 400ms; wait 100ms; UNPLUG; wait 1s; plug",
	"UNPLUG; chatter KEY for 400ms; wait 200ms; plug",
}

// TestNoPressAcrossALoss presses bouncing keys, one of them with a long press, while they are
// unplugged and plugged in: each press that the panel could see is put in once, and no other
// is. The key switch is on only while it is seen to be.
func TestNoPressAcrossALoss(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var script, want []string
		losses := 0 // of the key switch
		for range rapid.IntRange(1, 12).Draw(r, "steps") {
			key := rapid.SampledFrom([]string{"rest", "card"}).Draw(r, "key")
			unplug := rapid.SampledFrom([]string{"unplug", "unplug " + key}).Draw(r, "what")
			switch which := rapid.IntRange(-3, len(across)-1).Draw(r, "step"); {
			case which == -1:
				script = append(script, "press "+key+" for 900ms")
				want = append(want, map[string]string{"rest": "rest", "card": "split"}[key])
			case which < 0:
				script, want = append(script, "press "+key), append(want, key)
			case key == "rest":
				// It has no long press, and is put in as soon as it has settled.
				which = []int{1, 2, 5}[which%3]
				fallthrough
			default:
				if unplug == "unplug" {
					losses++
				}
				script = append(script, strings.NewReplacer("KEY", key, "UNPLUG", unplug).Replace(across[which]))
			}
		}
		var text string
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, &datadriven.TestData{CmdArgs: []datadriven.CmdArg{
				{Key: "card", Vals: []string{"split"}},
				{Key: "rest"},
				{Key: "supervisor"},
			}}, rapid.Uint64().Draw(r, "seed"))
			b.line("hold supervisor")
			b.lines(strings.Join(script, "\n"))
			text = b.end()
		})
		var got []string
		for line := range strings.Lines(text) {
			if call, is := strings.CutPrefix(line, `{"in":"call","call":"`); is {
				got = append(got, strings.TrimSuffix(call, "\"}\n"))
			}
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			r.Fatalf("put in were %v, want %v:\n%s", got, want, text)
		}
		if on, off := strings.Count(text, "key on: true"), strings.Count(text, "key on: false"); on != off+1 ||
			off != losses {
			r.Fatalf("the key switch, which is held, was lost %d times, on %d times and off %d times:\n%s", losses,
				on, off, text)
		}
	})
}

// TestLossesAreTold: what was lost is told, and once that it is back.
func TestLossesAreTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, &datadriven.TestData{CmdArgs: []datadriven.CmdArg{{Key: "card"}}}, 1)
		for range 20 {
			b.bank.Unplug()
			bubble.Settle(steady / 2)
			b.bank.Plug()
			bubble.Settle(steady / 2)
		}
		b.settle()
		text := b.end()
		if lost, back := strings.Count(text, "missing are card"), strings.Count(text, "none is missing"); lost != 1 ||
			back != 1 {
			t.Errorf("a loose plug was told %d times, and back %d times:\n%s", lost, back, text)
		}
	})
}
