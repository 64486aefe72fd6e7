package transcript_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/tabletest"
	"github.com/sabot-table/sabot/table/transcript"
)

const benchRounds = 500

func benchInputs() []table.Input {
	return tabletest.Deal(rand.New(rand.NewPCG(7, 1)), benchRounds, 7)
}

func BenchmarkParse(b *testing.B) {
	lines := bytes.Split(bytes.TrimSpace(text(benchInputs())), []byte("\n"))[1:]
	p := transcript.NewParser(rules.Built())
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := p.Parse(lines[i%len(lines)], 1); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}

func BenchmarkAppendInput(b *testing.B) {
	inputs := benchInputs()
	var line []byte
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		line = transcript.AppendInput(line[:0], &inputs[i%len(inputs)])
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}

func BenchmarkAppendOutput(b *testing.B) {
	outs := answers(benchInputs())
	var line []byte
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		line = transcript.AppendOutput(line[:0], &outs[i%len(outs)])
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}

func BenchmarkDecode(b *testing.B) {
	inputs := benchInputs()
	compact := compacted(b, inputs)
	p := transcript.NewParser(rules.Built())
	b.ReportAllocs()
	var in table.Input
	for b.Loop() {
		d := transcript.NewDecoder(bytes.NewReader(compact), p)
		for range inputs {
			if err := d.Decode(&in); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.N)*float64(len(inputs))/b.Elapsed().Seconds(), "inputs/s")
}

func BenchmarkEncode(b *testing.B) {
	inputs := benchInputs()
	b.ReportAllocs()
	for b.Loop() {
		b.SetBytes(int64(len(compacted(b, inputs))))
	}
	b.ReportMetric(float64(b.N)*float64(len(inputs))/b.Elapsed().Seconds(), "inputs/s")
}

func BenchmarkReplayCompact(b *testing.B) {
	input := compacted(b, benchInputs())
	p := transcript.NewParser(rules.Built())
	b.SetBytes(int64(len(input)))
	b.ReportAllocs()
	for b.Loop() {
		if err := transcript.Replay(bytes.NewReader(input), p, io.Discard); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*benchRounds/b.Elapsed().Seconds(), "rounds/s")
}

// BenchmarkReplay is the auditor's work: a transcript of rounds at seven boxes,
// read, played and written.
func BenchmarkReplay(b *testing.B) {
	input := text(benchInputs())
	p := transcript.NewParser(rules.Built())
	b.SetBytes(int64(len(input)))
	b.ReportAllocs()
	for b.Loop() {
		if err := transcript.Replay(bytes.NewReader(input), p, io.Discard); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*benchRounds/b.Elapsed().Seconds(), "rounds/s")
}
