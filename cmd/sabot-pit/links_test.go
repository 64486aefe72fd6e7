package main

import (
	"os/exec"
	"strings"
	"testing"
)

// notLinked lists packages that have no place in the pit's program, and why. display/lcd is not among them: it drives
// nothing, and says whether the words of a house fit the small display at its tables.
var notLinked = map[string]string{
	"sabot/device":        "keys, lights and displays are the table's",
	"sabot/shoe":          "shoes are the table's",
	"firmware-protocol":   "shoes are the table's",
	"sabot/sim-hardware":  "sabot-demo plays a floor, sabot-pit hears one",
	"internal/ops/config": "the pit has a configuration of its own",
	"periph.io":           "pins and buses are the table's",
	"go.bug.st/serial":    "shoes are the table's",
	"mochi-mqtt/server":   "a house has a broker",
}

// TestLinks: sabot-pit links nothing that only a table needs, such as the drivers of its devices.
func TestLinks(t *testing.T) {
	t.Parallel()
	deps, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range strings.Lines(string(deps)) {
		pkg = strings.TrimSpace(pkg)
		for part, why := range notLinked {
			if strings.Contains(pkg, part) && !strings.HasSuffix(pkg, "sabot/shoe/card") {
				t.Errorf("sabot-pit links %s: %s", pkg, why)
			}
		}
	}
}
