package gpio

import (
	"errors"
	"math/rand/v2"
	"syscall"
	"testing"

	periph "periph.io/x/conn/v3/gpio"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// TestAttackLines: another program takes lines of the panel before the table, drives them as it wants, gives them up
// and takes them again whenever the table lets go of them. Nothing that it does is an edge of a key; what the table
// reports of the line is that it is gone, and how it was found when it is back.
func TestAttackLines(t *testing.T) {
	busy := errors.New("line_request ioctl: " + syscall.EBUSY.Error())
	chip := Chip{Label: "mcp23017", Device: "1-0020", Lines: make([]Info, 3)}
	k := newKernel(t)
	k.add("gpiochip0", chip)
	for range chip.Lines {
		k.lines[chip.Label] = append(k.lines[chip.Label], &fakeLine{t: t, level: periph.High})
	}
	taken, r := k.lines[chip.Label], rand.New(rand.NewPCG(tier.Seed(), 1))
	for _, l := range taken {
		l.refuses = busy
	}
	b := openOn(t, k, []string{"mcp23017:0", "mcp23017:1"}, []string{"mcp23017:2"})
	tries, through, held := 0, 0, true
	look := func() (back bool) {
		t.Helper()
		for _, e := range later(t, b) {
			back = back || e.Back
			if !e.Gone && !e.Back || held && e.Back {
				through++
				t.Errorf("after %d tries it reports %+v", tries, e)
			}
		}
		return back
	}
	for range tier.Times(100, 5000) {
		tries++
		switch { // the other program has the lines, and does with them what it wants
		case held && r.IntN(3) > 0:
			for _, l := range taken[:2] {
				l.level = periph.Level(r.IntN(2) == 0)
			}
		case held:
			for _, l := range taken {
				l.refuses = nil
			}
			held = false
			if !look() {
				t.Fatalf("after %d tries the lines are not back", tries)
			}
			continue
		default: // it pulls the chip out, and has its lines before the table has them again
			k.remove(t, chip.Label)
			look()
			k.revive(chip.Label)
			for _, l := range taken {
				l.refuses = busy
			}
			k.add("gpiochip0", chip)
			held = true
		}
		look()
	}
	attack.Report(t, "panel: lines that another program holds", tries, through)
}
