package inventory_test

import (
	"context"
	"errors"
	"os"
	"regexp"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/device/gpio"
	"github.com/sabot-table/sabot/device/inventory"
	"github.com/sabot-table/sabot/device/keys"
	"github.com/sabot-table/sabot/internal/testkit/devicetest"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
)

func chips(t *testing.T, tree string, more ...string) []inventory.Chip {
	t.Helper()
	s := devicetest.Tree(t, tree, more...)
	m, err := inventory.Read(s, s.Current(), false)
	if err != nil {
		t.Fatal(err)
	}
	return m.GPIO
}

func line(t *testing.T, parse func(string) (gpio.Line, error), text string) gpio.Line {
	t.Helper()
	l, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestLinesForKeys: of a Raspberry Pi only the lines for keys are listened to that nothing else has, however it is
// named.
func TestLinesForKeys(t *testing.T) {
	others := []gpio.Line{
		line(t, gpio.ParseOutput, "GPIO26"), line(t, gpio.ParseInput, "gpiochip0:4 active-high"),
		line(t, gpio.ParseOutput, "pinctrl-bcm2711:25"),
	}
	for tree, want := range map[string][]string{
		"pi4": {
			"GPIO5", "GPIO6", "GPIO7", "GPIO8", "GPIO9", "GPIO10", "GPIO11", "GPIO12", "GPIO13", "GPIO16", "GPIO19",
			"GPIO20", "GPIO21",
		},
		"pc": nil,
	} {
		if got := inventory.LinesForKeys(chips(t, tree), others); !slices.Equal(got, want) {
			t.Errorf("of the %s it listens to %v, not to %v", tree, got, want)
		}
	}
	if got := inventory.LinesForKeys(chips(t, "pc", "", "node /dev/gpiochip7 root:root 660", "chip /dev/gpiochip7 own",
		`line GPIO5 input "w1"`, "line GPIO6 output", "line GPIO7", "line GPIO17"), nil); !slices.Equal(got,
		[]string{"GPIO7"}) {
		t.Errorf("it listens to %v", got)
	}
}

// TestForKeys: the lines are those of the wiring's table, from the first key to the last box, but for the supervisor's,
// which is closed to 3.3 V.
func TestForKeys(t *testing.T) {
	text, err := os.ReadFile("../../docs/wiring.md")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, row := range regexp.MustCompile(`(?m)^\| .(\w+). \| (GPIO\d+) \|`).FindAllStringSubmatch(string(text), -1) {
		key := !slices.Contains([]string{"supervisor", "green", "amber", "red", "buzzer", "lock"}, row[1])
		if slices.Contains(inventory.ForKeys, row[2]) != key {
			t.Errorf("%s is on %s: it is listened to %v", row[1], row[2], !key)
		}
		if key {
			count++
		}
	}
	if count != len(inventory.ForKeys) {
		t.Errorf("the wiring has %d of %d lines", count, len(inventory.ForKeys))
	}
}

// bank is a keysim.Bank that nothing takes lines for.
type bank struct {
	*keysim.Bank
	missing []keys.Missing
}

func (b bank) Missing() ([]keys.Missing, <-chan struct{}) { return b.missing, nil }
func (b bank) Close() error                               { return nil }

// TestAwaitPress: a press is told by its line, however its contact bounces. What is held down, and a spark, is not a
// press.
func TestAwaitPress(t *testing.T) { synctest.Test(t, awaitPress) }

func awaitPress(t *testing.T) {
	simulated := keysim.NewBank(keysim.BankOptions{Contacts: 3, Bounce: 5 * time.Millisecond, Seed: 3})
	simulated.Hold(0)
	open := func(names []string) (inventory.KeyBank, error) {
		if !slices.Equal(names, []string{"GPIO5", "GPIO6", "GPIO13"}) {
			t.Errorf("%v are opened", names)
		}
		go func() {
			<-simulated.Watched()
			simulated.Spark(1)
			simulated.Press(2, 60*time.Millisecond)
		}()
		return bank{Bank: simulated}, nil
	}
	three := []string{"GPIO5", "GPIO6", "GPIO13"}
	if got, err := inventory.AwaitPress(t.Context(), three, open); got != "GPIO13" || err != nil {
		t.Errorf("GPIO13 was pressed, and it says %q, %v", got, err)
	}
	quiet := func([]string) (inventory.KeyBank, error) {
		return bank{Bank: keysim.NewBank(keysim.BankOptions{Contacts: 1})}, nil
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if got, err := inventory.AwaitPress(ctx, []string{"GPIO5"}, quiet); got != "" || err != nil {
		t.Errorf("nothing was pressed, and it says %q, %v", got, err)
	}
}

// TestNoLinesForKeys: what keeps it from listening is said.
func TestNoLinesForKeys(t *testing.T) {
	if _, err := inventory.AwaitPress(t.Context(), nil, inventory.OpenKeys); !errors.Is(err, inventory.ErrNoKeyLine) {
		t.Errorf("without lines it says %v", err)
	}
	busy := errors.New("busy")
	taken := func([]string) (inventory.KeyBank, error) {
		return bank{keysim.NewBank(keysim.BankOptions{Contacts: 1}), []keys.Missing{{Contacts: []int{0}, Err: busy}}},
			nil
	}
	if _, err := inventory.AwaitPress(t.Context(), []string{"GPIO5"}, taken); !errors.Is(err, busy) {
		t.Errorf("of lines that are taken it says %v", err)
	}
}
