package transcript_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

func benchInputs() []vocab.Input {
	return tabletest.Deal(rand.New(rand.NewPCG(7, 1)), 500, 7)
}

// answers are the outputs of inputs, but for the round's, whose cards and sums belong
// to the engine.
func answers(inputs []vocab.Input) []vocab.Output {
	var t table.Table
	var all []vocab.Output
	for _, in := range inputs {
		for _, out := range t.Step(&in) {
			if out.Kind != vocab.RoundDecided {
				all = append(all, out)
			}
		}
	}
	return all
}

// perSecond says how many of what were done, n in each operation.
func perSecond(b *testing.B, n int, what string) {
	b.ReportMetric(float64(b.N)*float64(n)/b.Elapsed().Seconds(), what+"/s")
}

// BenchmarkRead reads inputs and outputs from their lines.
func BenchmarkRead(b *testing.B) {
	all := benchInputs()
	p := transcript.NewParser(profile.Built())
	b.Run("json", func(b *testing.B) {
		lines := written(all, transcript.AppendInput)
		b.SetBytes(int64(len(lines)))
		b.ReportAllocs()
		for b.Loop() {
			reader := transcript.NewReader(bytes.NewReader(lines), p)
			var in vocab.Input
			for range all {
				if err := reader.Read(&in); err != nil {
					b.Fatal(err)
				}
			}
		}
		perSecond(b, len(all), "inputs")
	})
	b.Run("outputs", func(b *testing.B) {
		outs := answers(all)
		lines := bytes.Split(bytes.TrimSpace(written(outs, transcript.AppendOutput)), []byte("\n"))
		b.ReportAllocs()
		for b.Loop() {
			for _, line := range lines {
				if _, err := p.ParseOutput(line, 1); err != nil {
					b.Fatal(err)
				}
			}
		}
		perSecond(b, len(outs), "outputs")
	})
}

// text writes lines.
func written[L any](all []L, appendLine func([]byte, *L) []byte) (lines []byte) {
	for i := range all {
		lines = append(appendLine(lines, &all[i]), '\n')
	}
	return lines
}

// BenchmarkWrite writes inputs and outputs as lines.
func BenchmarkWrite(b *testing.B) {
	inputs := benchInputs()
	outs := answers(inputs)
	var line []byte
	b.Run("json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for i := range inputs {
				line = transcript.AppendInput(line[:0], &inputs[i])
			}
		}
		perSecond(b, len(inputs), "inputs")
	})
	b.Run("outputs", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for i := range outs {
				line = transcript.AppendOutput(line[:0], &outs[i])
			}
		}
		perSecond(b, len(outs), "outputs")
	})
}
