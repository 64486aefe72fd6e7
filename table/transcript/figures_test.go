package transcript_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/figure"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestFigures: how long the lines of a round are, and what reading and writing one allocates.
func TestFigures(t *testing.T) {
	inputs := benchInputs()
	lines := written(inputs, transcript.AppendInput)
	var outputs []byte
	var tab table.Table
	for i := range inputs {
		for _, out := range tab.Step(&inputs[i]) {
			outputs = append(transcript.AppendOutput(outputs, &out), '\n')
		}
	}
	figure.Check(t, "transcript.round.bytes", float64(len(lines)+len(outputs))/float64(tab.Round()),
		"bytes a round of seven boxes")

	reader := transcript.NewReader(bytes.NewReader(lines), transcript.NewParser(profile.Built()))
	var in vocab.Input
	read := func() {
		if err := reader.Read(&in); err != nil {
			t.Fatal(err)
		}
	}
	read() // the setup has a table of its own
	reading := testing.AllocsPerRun(len(inputs)-2, read)
	figure.Check(t, "transcript.input.allocations", reading, "allocations an input, read")

	var line []byte
	outs := answers(inputs)
	writing := testing.AllocsPerRun(2, func() {
		for i := range outs {
			line = transcript.AppendOutput(line[:0], &outs[i])
		}
	})
	figure.Check(t, "transcript.output.allocations", writing/float64(len(outs)), "allocations an output, written")
}

func readAll(tb testing.TB, lines []byte, p *transcript.Parser) {
	tb.Helper()
	reader := transcript.NewReader(bytes.NewReader(lines), p)
	var in vocab.Input
	for {
		if err := reader.Read(&in); err == io.EOF {
			return
		} else if err != nil {
			tb.Fatal(err)
		}
	}
}

// BenchmarkLinesBeside takes turns at lines, read or written, and at the SHA-256 of their bytes.
func BenchmarkLinesBeside(b *testing.B) {
	inputs := benchInputs()
	b.Run("read", func(b *testing.B) {
		lines := written(inputs, transcript.AppendInput)
		p := transcript.NewParser(profile.Built())
		figure.Beside(b, func() { readAll(b, lines, p) }, figure.Hash(len(lines)))
	})
	b.Run("written", func(b *testing.B) {
		outs := answers(inputs)
		var line []byte
		figure.Beside(b, func() {
			for i := range outs {
				line = transcript.AppendOutput(line[:0], &outs[i])
			}
		}, figure.Hash(len(written(outs, transcript.AppendOutput))))
	})
}
