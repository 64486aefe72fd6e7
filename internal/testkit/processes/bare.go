package processes

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/figure"
)

// Starts reports how long a program takes to its line that says that it is ready, in turns with a bare one. Before each
// start it does what must be done.
func Starts(b *testing.B, bare string, before func(), program string, args ...string) {
	b.Helper()
	var ours, bares []time.Duration
	for range b.N {
		before()
		p := Start(b, program, args...)
		ours = append(ours, p.Ready)
		p.Stop()
		p = Start(b, bare)
		bares = append(bares, p.Ready)
		p.Kill()
	}
	b.ReportMetric(figure.Ratio(ours, bares), figure.OverBare)
	slices.Sort(ours)
	b.ReportMetric(float64(ours[len(ours)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(ours[len(ours)-1].Microseconds())/1000, "max-ms")
	b.ReportMetric(0, "ns/op") // includes the way down
}

// Bare builds a program that says that it is ready, and waits for its end: with it the start of others is compared.
func Bare(t testing.TB) (binary string) {
	t.Helper()
	const source = `package main

import (
	"fmt"
	"time"
)

func main() {
	fmt.Println("  page  http://127.0.0.1/")
	time.Sleep(time.Hour)
}
`
	folder := t.TempDir()
	file, binary := filepath.Join(folder, "main.go"), filepath.Join(folder, "bare")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", binary, file)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the bare program: %v\n%s", err, said)
	}
	return binary
}
