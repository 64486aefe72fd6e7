package main

import (
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// ofOneTable are the modules that make run downloads and compiles, each with what it is for: whoever tries Sabot waits
// for them. Another one has to be worth that to one simulated table.
var ofOneTable = map[string]string{
	"aead.dev/minisign":                   "updates are signed",
	"github.com/coreos/go-systemd/v22":    "the service manager is told what the table does",
	"github.com/creack/pty":               "the simulated shoe has a serial port",
	"github.com/eclipse/paho.mqtt.golang": "the table tells the pit",
	"github.com/go-json-experiment/json":  "transcripts and messages are JSON, and allocate nothing",
	"github.com/gorilla/websocket":        "paho.mqtt.golang, and mochi-mqtt",
	"github.com/klauspost/compress":       "old parts of a journal are packed, by zstd",
	"github.com/mochi-mqtt/server/v2":     "the simulated table has a broker",
	"github.com/rs/xid":                   "mochi-mqtt",
	"go.bug.st/serial":                    "the shoe is at a serial port",
	"go.yaml.in/yaml/v4":                  "configurations and houses are YAML",
	"golang.org/x/crypto":                 "PINs are hashed by Argon2",
	"golang.org/x/net":                    "paho.mqtt.golang",
	"golang.org/x/sync":                   "what runs at the same time ends together",
	"golang.org/x/sys":                    "GPIO, serial ports and disks are the kernel's",
	"periph.io/x/conn/v3":                 "character displays are at an I²C bus",
	"periph.io/x/host/v3":                 "which board it is",
}

// TestModulesOfOneTable: what make run builds comes from these modules and no other.
func TestModulesOfOneTable(t *testing.T) {
	t.Parallel()
	if _, err := os.ReadDir("."); err != nil { // so that go test's cache knows of files that this program does not have
		t.Fatal(err)
	}
	list := exec.Command("go", "list", "-deps", "-tags", "onetable", "-f",
		"{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", ".")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	linked := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if module := strings.TrimSpace(line); module != "" {
			linked[module] = true
		}
	}
	for module := range linked {
		if ofOneTable[module] == "" {
			t.Errorf("make run downloads and compiles %s, too", module)
		}
	}
	for _, module := range slices.Sorted(maps.Keys(ofOneTable)) {
		if !linked[module] {
			t.Errorf("%s is in the list, and make run does not need it", module)
		}
	}
}
