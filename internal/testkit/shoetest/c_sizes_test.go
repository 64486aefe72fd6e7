package shoetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// The library compiles for the microcontrollers without a warning, and README.md has
// the sizes. With the compilers that the table names they are exact; others may differ
// a little. make test compiles for one processor of each family.
func TestSizes(t *testing.T) {
	targets := []string{"cortex-m0", "atmega328p", "cortex-m4", "atmega2560"}[:tier.Times(2, 4)]
	NeedProgram(t, "arm-none-eabi-gcc", "gcc-arm-none-eabi")
	NeedProgram(t, "avr-gcc", "gcc-avr")
	out := t.TempDir()
	MakeC(t, "OUT="+out, "TARGETS="+strings.Join(targets, " "), "cross")
	table, err := exec.Command(filepath.Join(CFolder(t), "sizes.sh"), out).Output()
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../../firmware-protocol/c/README.md")
	if err != nil {
		t.Fatal(err)
	}
	told, got := rowsOf(string(readme)), rowsOf(string(table))
	if len(got) != len(targets) || len(told) != 4 {
		t.Fatalf("README.md has %d rows of sizes, and %d were made for %q: run make sizes in firmware-protocol/c",
			len(told), len(got), targets)
	}
	for processor, row := range got {
		compareRows(t, processor, told[processor], row)
	}
}

// rowsOf finds the rows of a table of sizes, by processor.
func rowsOf(text string) map[string][]string {
	rows := map[string][]string{}
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if len(cells) == 7 && strings.Contains(cells[1], "-gcc ") {
			rows[cells[0]] = cells[1:]
		}
	}
	return rows
}

func compareRows(t *testing.T, processor string, told, got []string) {
	t.Helper()
	if told == nil {
		t.Errorf("README.md has no sizes for %s: run make sizes in firmware-protocol/c", processor)
		return
	}
	tolerance := 0.0
	if told[0] != got[0] {
		tolerance = 0.15
	}
	for i := 1; i < len(got); i++ {
		was, errWas := strconv.Atoi(told[i])
		is, errIs := strconv.Atoi(got[i])
		if errWas != nil || errIs != nil || float64(max(was-is, is-was)) > tolerance*float64(was) {
			t.Errorf("%s: README.md says %v, but it is %v: run make sizes in firmware-protocol/c", processor, told, got)
			return
		}
	}
}
