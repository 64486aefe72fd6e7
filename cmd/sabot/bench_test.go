package main

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/tabletest"
	"github.com/sabot-table/sabot/table/transcript"
)

// benchRounds is how many rounds the transcripts below have, at seven boxes.
const benchRounds = 500

// played is the transcript of some rounds.
func played() (lines []byte, inputs int) {
	all := tabletest.Deal(rand.New(rand.NewPCG(7, 1)), benchRounds, 7)
	for i := range all {
		lines = append(transcript.AppendInput(lines, &all[i]), '\n')
	}
	return lines, len(all)
}

// BenchmarkReplay is what `sabot replay` does: parse, play, write the outputs.
func BenchmarkReplay(b *testing.B) {
	lines, inputs := played()
	b.ReportAllocs()
	b.SetBytes(int64(len(lines)))
	for b.Loop() {
		if err := transcript.Replay(bytes.NewReader(lines), transcript.NewParser(rules.Built()), io.Discard); err != nil {
			b.Fatal(err)
		}
	}
	perSecond := float64(b.N) / b.Elapsed().Seconds()
	b.ReportMetric(perSecond*float64(inputs), "inputs/s")
	b.ReportMetric(perSecond*benchRounds, "rounds/s")
}

// BenchmarkParse only reads the lines.
func BenchmarkParse(b *testing.B) {
	lines, inputs := played()
	b.ReportAllocs()
	for b.Loop() {
		parser := transcript.NewParser(rules.Built())
		number := uint64(0)
		for line := range bytes.Lines(lines) {
			number++
			if _, err := parser.Parse(bytes.TrimSuffix(line, []byte("\n")), number); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.N)*float64(inputs)/b.Elapsed().Seconds(), "lines/s")
}
