package main

import (
	"os/exec"
	"strings"
	"testing"
)

// notLinked lists packages that have no place in the program of a real table, and why.
var notLinked = map[string]string{
	"sabot/sim-hardware":        "sabot-demo plays a table, sabotd runs one",
	"sabot/sim-hardware/broker": "a house has a broker",
	"sabot/pit/store":           "the pit keeps what tables tell",
	"jackc/pgx":                 "the pit has a database, a table its journal",
	"mochi-mqtt/server":         "a house has a broker",
	"creack/pty":                "pseudo-terminals are for simulated shoes",
	"parquet-go/parquet-go":     "sabot exports",
	"modernc.org/sqlite":        "sabot exports",
	"internal/ops/export":       "sabot exports",
	"prometheus/client_":        "metrics are lines of text",
	"golang.org/protobuf":       "nothing at a table speaks it",
	"golang.org/x/text":         "internal/alike has what names look like",
}

// TestLinks: sabotd links nothing that only the other programs need.
func TestLinks(t *testing.T) {
	t.Parallel()
	deps, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range strings.Lines(string(deps)) {
		if strings.HasPrefix(pkg, "vendor/") {
			continue // the standard library's own
		}
		for part, why := range notLinked {
			if strings.Contains(pkg, part) {
				t.Errorf("sabotd links %s: %s", strings.TrimSpace(pkg), why)
			}
		}
	}
}
