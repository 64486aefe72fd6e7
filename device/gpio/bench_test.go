package gpio

import (
	"context"
	"fmt"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sabot-table/sabot/device/keys"
)

// idleFor is how long to wait for contacts that do not move.
const idleFor = 5 * time.Second

// BenchmarkBoardIdle measures how much of a core it takes to wait for the edges of 17 contacts when none comes. Once is
// enough: use -benchtime 1x.
func BenchmarkBoardIdle(b *testing.B) {
	const contacts = 17
	chip := Chip{Name: "gpiochip0", Label: "a chip", Lines: make([]Info, contacts)}
	var inputs []Line
	for n := range contacts {
		input, err := ParseInput(fmt.Sprintf("gpiochip0:%d", n))
		if err != nil {
			b.Fatal(err)
		}
		inputs = append(inputs, input)
	}
	board, err := open(inputs, nil, newKernel(nil, chip))
	if err != nil {
		b.Fatal(err)
	}
	defer board.Close()
	for range b.N {
		ctx, stop := context.WithTimeout(b.Context(), idleFor)
		before, began := cpuTime(b), time.Now()
		if edges, _, err := board.Wait(ctx, keys.Never); len(edges) > 0 || err != nil {
			b.Fatal(edges, err)
		}
		stop()
		b.ReportMetric(100*float64(cpuTime(b)-before)/float64(time.Since(began)), "%-of-a-core")
	}
	b.ReportMetric(0, "ns/op")
}

// cpuTime is how much processor time this process has used.
func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	var used unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Nano())
}
