package main

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/transcript"
)

// benchRounds is how many rounds the transcripts below have, at seven boxes.
const benchRounds = 5000

// evening is a transcript, as lines and packed.
type evening struct {
	lines, packed []byte
	inputs        int
}

// evenings have one to three stakes on each box, or one.
var evenings = map[string]func() evening{
	"co-players": sync.OnceValue(func() evening { return played(rand.New(rand.NewPCG(7, 1))) }),
	"holders":    sync.OnceValue(func() evening { return played(lone{rand.New(rand.NewPCG(7, 1))}) }),
}

// lone are dice that always choose the first of three ways, so that one bettor plays on
// each box. Then nobody insures, either.
type lone struct{ *rand.Rand }

func (l lone) IntN(n int) int {
	if n == 3 {
		return 0
	}
	return l.Rand.IntN(n)
}

func played(dice tabletest.Dice) evening {
	all := tabletest.Deal(dice, benchRounds, 7)
	e := evening{inputs: len(all)}
	for i := range all {
		e.lines = append(transcript.AppendInput(e.lines, &all[i]), '\n')
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression))
	if err != nil {
		panic(err) // its options are right
	}
	e.packed = w.EncodeAll(e.lines, nil)
	return e
}

// BenchmarkReplay is `sabot replay FILE > /dev/null`: read, played, every output
// written as its line.
func BenchmarkReplay(b *testing.B) {
	for _, who := range []string{"co-players", "holders"} {
		e := evenings[who]()
		b.Run("json/"+who, func(b *testing.B) { benchmarkReplay(b, e.lines, e.inputs) })
		b.Run("zstd/"+who, func(b *testing.B) { benchmarkReplay(b, e.packed, e.inputs) })
	}
}

func benchmarkReplay(b *testing.B, file []byte, inputs int) {
	path := filepath.Join(b.TempDir(), "evening")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		b.Fatal(err)
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer null.Close()
	b.ReportAllocs()
	for b.Loop() {
		var errOut bytes.Buffer
		if run(context.Background(), []string{"replay", path}, env{nil, null, &errOut}) != exitOK {
			b.Fatal(errOut.String())
		}
	}
	perSecond := float64(b.N) / b.Elapsed().Seconds()
	b.ReportMetric(perSecond*float64(inputs), "inputs/s")
	b.ReportMetric(perSecond*benchRounds, "rounds/s")
}
