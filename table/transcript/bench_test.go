package transcript_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/tabletest"
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

// BenchmarkRead reads inputs from lines and from the compact form.
func BenchmarkRead(b *testing.B) {
	inputs := benchInputs()
	b.Run("json", func(b *testing.B) { benchmarkRead(b, text(inputs), len(inputs)) })
	b.Run("compact", func(b *testing.B) { benchmarkRead(b, compacted(b, inputs), len(inputs)) })
}

func benchmarkRead(b *testing.B, form []byte, inputs int) {
	p := transcript.NewParser(profile.Built())
	b.SetBytes(int64(len(form)))
	b.ReportAllocs()
	for b.Loop() {
		reader := transcript.NewReader(bytes.NewReader(form), p)
		var in vocab.Input
		for range inputs {
			if err := reader.Read(&in); err != nil {
				b.Fatal(err)
			}
		}
	}
	perSecond(b, inputs, "inputs")
}

// BenchmarkWrite writes inputs as lines and in the compact form, and outputs.
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
	b.Run("compact", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			e := transcript.NewEncoder(io.Discard)
			for i := range inputs {
				if err := e.Encode(&inputs[i]); err != nil {
					b.Fatal(err)
				}
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
