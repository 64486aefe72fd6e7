package hd44780_test

import (
	"embed"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/datadriven"
	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/device/hd44780"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/datatest"
	"github.com/sabot-table/sabot/internal/testkit/devicetest"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
)

//go:embed testdata/chip.txt
var testdata embed.FS

const address = 0x27

// TestChip reads testdata/chip.txt: "start" starts a display and prints what it did,
// "show" writes lines and prints what went over the bus and what a person sees.
func TestChip(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var display *devicetest.Display
		var chip *hd44780.Chip
		datatest.Run(t, testdata, "testdata/chip.txt", func(t *testing.T, d *datadriven.TestData) string {
			var err error
			begun := time.Now()
			switch d.Cmd {
			case "start":
				display = devicetest.NewDisplay(address, 1)
				chip, err = hd44780.Start(display, address, !d.HasArg("dark"))
			case "show":
				err = chip.Write(linesOf(d.Input))
			case "refresh":
				err = chip.Refresh()
			default:
				d.Fatalf(t, "unknown command %q", d.Cmd)
			}
			if err != nil {
				return err.Error() + "\n"
			}
			wantNoFaults(t, display)
			return told(display, time.Since(begun), d.HasArg("steps"))
		})
	})
}

// linesOf takes the rows from between bars, if there are any: datadriven trims spaces at the ends.
func linesOf(text string) (lines hd44780.Lines) {
	for i, line := range strings.Split(text, "\n") {
		lines[i] = strings.Trim(line, "|")
	}
	return lines
}

func told(display *devicetest.Display, took time.Duration, steps bool) string {
	var b strings.Builder
	glyphs := 0
	for _, did := range display.Did() {
		switch {
		case strings.HasPrefix(did, "glyph row"):
			glyphs++
		case steps:
			b.WriteString(did + "\n")
		}
	}
	if glyphs > 0 {
		fmt.Fprintf(&b, "%d rows of glyphs\n", glyphs)
	}
	transfers, bytes := display.Traffic()
	rows, lit := display.Screen()
	fmt.Fprintf(&b, "%d transfers, %d bytes, %v, light %t\n", transfers, bytes, took, lit)
	for _, row := range rows {
		b.WriteString("|" + row + "|\n")
	}
	return b.String()
}

func wantNoFaults(t rapid.TB, display *devicetest.Display) {
	t.Helper()
	for _, fault := range display.Faults() {
		t.Errorf("a real display would not have understood: %s", fault)
	}
}

// TestStartFromAnyState: a display left in the middle of anything shows what it is given, and so does one that a
// disturbance put out of step, once refreshed.
func TestStartFromAnyState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rapid.Check(bubbled{t}, func(t *rapid.T) {
			display := devicetest.NewDisplay(address, rapid.Uint64().Draw(t, "seed"))
			for range rapid.IntRange(0, 2).Draw(t, "former lives") {
				chip := start(t, display)
				show(t, chip, drawLines(t))
				disturb(t, display)
			}
			chip := start(t, display)
			for range rapid.IntRange(1, 4).Draw(t, "views") {
				want := drawLines(t)
				if disturb(t, display) {
					if err := chip.Refresh(); err != nil {
						t.Fatal(err)
					}
				}
				show(t, chip, want)
				if got, lit := display.Screen(); got != padded(want) || !lit {
					t.Fatalf("shows %q, light %t; want %q", got, lit, padded(want))
				}
			}
			wantNoFaults(t, display)
		})
	})
}

// bubbled keeps rapid from asking for the test's deadline, which a bubble does not have.
type bubbled struct{ rapid.TB }

func start(t *rapid.T, display *devicetest.Display) *hd44780.Chip {
	chip, err := hd44780.Start(display, address, true)
	if err != nil {
		t.Fatal(err)
	}
	return chip
}

func show(t *rapid.T, chip *hd44780.Chip, lines hd44780.Lines) {
	if err := chip.Write(lines); err != nil {
		t.Fatal(err)
	}
}

func disturb(t *rapid.T, display *devicetest.Display) bool {
	sparks := rapid.SliceOfN(rapid.Byte(), 0, 3).Draw(t, "sparks")
	for _, spark := range sparks {
		display.Disturb(spark)
	}
	bubble.Pass(time.Second) // the effects of the sparks are over
	return len(sparks) > 0
}

const characters = " ABCabc0189.,:;?!+-=()/|{}♠♥♦♣äöü…"

func drawLines(t *rapid.T) (lines hd44780.Lines) {
	row := rapid.StringOfN(rapid.SampledFrom([]rune(characters)), 0, hd44780.Columns, -1)
	for i := range lines {
		lines[i] = row.Draw(t, "row")
	}
	return lines
}

func padded(lines hd44780.Lines) [hd44780.Rows]string {
	for i, line := range lines {
		lines[i] = fmt.Sprintf("%-*s", hd44780.Columns, line)
	}
	return lines
}

func TestShows(t *testing.T) {
	for _, char := range characters {
		if !hd44780.Shows(char) {
			t.Errorf("%q is not shown", char)
		}
	}
	for _, char := range "\\~\x00\x1f\x7fÄé€–\u202f王" {
		if hd44780.Shows(char) {
			t.Errorf("%q is shown, but no display has it", char)
		}
	}
}

// TestCheck distinguishes a display that is there from one that is not, and from one that has forgotten everything.
func TestCheck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		display := devicetest.NewDisplay(address, 1)
		chip, err := hd44780.Start(display, address, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := chip.Check(); err != nil {
			t.Errorf("a good display: %v", err)
		}
		display.Unplug()
		if err := chip.Check(); !errors.Is(err, syscall.EREMOTEIO) {
			t.Errorf("an unplugged display: %v", err)
		}
		if _, err := hd44780.Start(display, address, false); !errors.Is(err, syscall.EREMOTEIO) {
			t.Errorf("starting an unplugged display: %v", err)
		}
		display.Plug()
		if err := chip.Check(); !errors.Is(err, hd44780.ErrRestarted) {
			t.Errorf("a display that was plugged in again: %v", err)
		}
	})
}
