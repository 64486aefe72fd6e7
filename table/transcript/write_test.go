package transcript_test

import (
	"math/rand/v2"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/transcript"
)

// TestWritingAllocatesNothing: lines are made in the memory that there is.
func TestWritingAllocatesNothing(t *testing.T) {
	inputs := tabletest.Deal(rand.New(rand.NewPCG(7, 1)), 20, 7)
	line := make([]byte, 0, 1024)
	var tab table.Table
	lines := 0
	play := func() {
		for i := range inputs {
			line = transcript.AppendInput(line[:0], &inputs[i])
			outs := tab.Step(&inputs[i])
			for j := range outs {
				line = transcript.AppendOutput(line[:0], &outs[j])
				lines++
			}
		}
	}
	play()
	inputs = inputs[1:] // a setup makes a table of its own
	if got := testing.AllocsPerRun(5, play); got != 0 || lines < 20*50 {
		t.Errorf("the %d lines of 20 rounds allocate %v times, want never", lines, got)
	}
}
