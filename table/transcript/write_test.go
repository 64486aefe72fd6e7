package transcript_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/tabletest"
	"github.com/sabot-table/sabot/table/transcript"
)

// answers are the outputs of some inputs.
func answers(inputs []table.Input) []table.Output {
	var t table.Table
	var outs []table.Output
	for _, in := range inputs {
		for _, out := range t.Step(in) {
			out.Bank = slices.Clone(out.Bank)
			outs = append(outs, out)
		}
	}
	return outs
}

// TestWritingAllocatesNothing: lines are made in the memory that there is.
func TestWritingAllocatesNothing(t *testing.T) {
	inputs := tabletest.Deal(rand.New(rand.NewPCG(7, 1)), 20, 7)
	outs := answers(inputs)
	line := make([]byte, 0, 1024)
	got := testing.AllocsPerRun(5, func() {
		for i := range inputs {
			line = transcript.AppendInput(line[:0], &inputs[i])
		}
		for i := range outs {
			line = transcript.AppendOutput(line[:0], &outs[i])
		}
	})
	if got != 0 {
		t.Errorf("the lines of 20 rounds allocate %v times, want never", got)
	}
}
