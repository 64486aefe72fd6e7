// Package figure keeps the figures of what Sabot costs, so that nothing becomes slower or larger unseen.
//
// What does not depend on the machine stands in figures.txt: allocations, bytes of the programs, packages linked, bytes
// on the wire and on disk a round. The test TestFigures of each package measures what it can reach, and Check compares
// it with the file. More than 5 % worse is red until the file has the new value and the reason for it, which one
// command writes. More than 5 % better is red, too, with the same remedy: while the file has the old value, all that
// was gained could be lost again, and no test would say so.
//
// What depends on the machine is a ratio: Beside takes turns at the code and at a yardstick in the same run. The
// command in the folder table measures these in five minutes, prints them beside the last ones, and keeps them in
// last.md.
package figure

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// why is the reason for which figures.txt is written anew.
var why = flag.String("figures.why", "", "write what differs into figures.txt, for this `reason`")

// Tolerance is how much a figure may differ from the file, as a part of it.
const Tolerance = 0.05

// Check compares what was measured with the figure of this name, of which less is better. It goes into figures.txt with
// this unit, such as "bytes a card", if it is not there yet and the test runs with -figures.why.
//
// With the race detector nothing is compared: it allocates, and keeps less for later use.
func Check(t testing.TB, name string, now float64, unit string) {
	t.Helper()
	if RaceDetector {
		t.Logf("%s is not compared, since the race detector changes it", name)
		return
	}
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	folder, err := filepath.Rel(root, here)
	if err != nil {
		t.Fatal(err)
	}
	test, _, _ := strings.Cut(t.Name(), "/")
	place := fmt.Sprintf("go test ./%s -run '^%s$'", filepath.ToSlash(folder), test)
	wrote, err := check(filepath.Join(root, File), place, Row{Name: name, Value: round(now), Unit: unit}, *why)
	if err != nil {
		t.Error(err)
	}
	if wrote {
		t.Logf("%s has %s %s now", File, number(round(now)), unit)
	}
}

// Root is the folder of the module that the current folder belongs to.
func Root() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder, nil
		}
		above := filepath.Dir(folder)
		if above == folder {
			return "", errors.New("no folder above this one has a go.mod")
		}
		folder = above
	}
}

// check compares a figure with the file, or writes it there if there is a reason to. place is the command of the test
// that measured it.
func check(file, place string, now Row, reason string) (wrote bool, err error) {
	rows, err := ReadFile(file)
	if err != nil {
		return false, err
	}
	before, known := find(rows, now.Name)
	if known && before.Unit == now.Unit && !differs(before.Value, now.Value) {
		return false, nil
	}
	if reason != "" {
		return true, record(file, now, reason)
	}
	remedy := fmt.Sprintf("\n\t%s -figures.why 'what changed it, and what it is good for'", place)
	switch {
	case !known:
		return false, fmt.Errorf("%s, %s %s, is not in %s: add it with%s", now.Name, number(now.Value), now.Unit,
			File, remedy)
	case before.Unit != now.Unit:
		return false, fmt.Errorf("%s is in %s, and %s has %s: write it with%s", now.Name, now.Unit, File,
			before.Unit, remedy)
	case now.Value > before.Value:
		return false,
			fmt.Errorf("%s is %s worse: %s %s, and %s has %s. Make it smaller; or, if it is worth that, write the "+
				"new value "+
				"and the reason with%s", now.Name, Percent(before.Value, now.Value), number(now.Value), now.Unit, File,
				number(before.Value), remedy)
	}
	return false,
		fmt.Errorf("%s is %s better: %s %s, and %s has %s. Write the new value, or it can be lost again unseen:%s",
			now.Name, Percent(before.Value, now.Value), number(now.Value), now.Unit, File, number(before.Value), remedy)
}

// differs says whether a figure is outside of what the file allows.
func differs(before, now float64) bool { return math.Abs(now-before) > Tolerance*before }

// Percent is how much a value has changed, without its sign.
func Percent(before, now float64) string {
	if before == 0 {
		return "endlessly"
	}
	return fmt.Sprintf("%.1f %%", math.Abs(now-before)/before*100)
}

// round keeps two digits after the point: allocations are counted over many operations.
func round(v float64) float64 { return math.Round(v*100) / 100 }
