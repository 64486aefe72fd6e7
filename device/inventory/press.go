package inventory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sabot-table/sabot/device/gpio"
	"github.com/sabot-table/sabot/device/keys"
)

// forKeys are the lines that docs/wiring.md has for keys to ground. No other line is touched: listening pulls a line
// up, which would light a lamp or open a lock, and takes lines of the card, the buses and the shoe away from what they
// are for.
var forKeys = []string{
	"GPIO4", "GPIO5", "GPIO6", "GPIO7", "GPIO8", "GPIO9", "GPIO10", "GPIO11", "GPIO12", "GPIO13",
	"GPIO16", "GPIO19", "GPIO20", "GPIO21", "GPIO25", "GPIO26",
}

// ErrNoKeyLine is that this computer has no line for a key that is free.
var ErrNoKeyLine = errors.New("this computer has no free lines for keys: type the line, as sabot devices lists it")

// LinesForKeys are those of a machine's chips that a key may be on, and that nothing uses, by the names that a
// configuration has. others are lines that are for something else, such as the lamps.
func LinesForKeys(chips []Chip, others []gpio.Line) (free []string) {
	for _, name := range forKeys {
		found := 0
		for _, c := range chips {
			for _, l := range c.Lines {
				if l.Name != name {
					continue
				}
				found++
				if l.Used || l.Output || slices.ContainsFunc(others, func(o gpio.Line) bool { return is(o, c, l) }) {
					found++ // not to be had
				}
			}
		}
		if found == 1 {
			free = append(free, name)
		}
	}
	return free
}

// is reports whether a line of a configuration is this one, however it is named.
func is(of gpio.Line, c Chip, l Line) bool {
	address := of.Address()
	return address == l.Name || slices.ContainsFunc(append([]string{c.Name, c.Label, c.Device}, c.Links...),
		func(chip string) bool {
			return chip != "" && address == fmt.Sprintf("%s:%d", chip, l.Number)
		})
}

// KeyBank are contacts that can be closed.
type KeyBank interface {
	keys.Bank
	Missing() ([]keys.Missing, <-chan struct{})
	Close() error
}

// OpenKeys takes lines as keys to ground.
func OpenKeys(names []string) (KeyBank, error) {
	var lines []gpio.Line
	for _, name := range names {
		l, err := gpio.ParseInput(name)
		if err != nil {
			return nil, err
		}
		l.Use = "a key that is asked for"
		lines = append(lines, l)
	}
	return gpio.Open(lines, nil)
}

// How a press is told from a spark and from a line that is held down.
const pressDebounce, pressLong, pressStuck = 20 * time.Millisecond, time.Second, 10 * time.Second

// AwaitPress waits for a press on one of the lines, and returns it; "" if none comes before ctx ends. What is held down
// before it begins is not a press.
func AwaitPress(
	ctx context.Context, names []string, open func([]string) (KeyBank, error),
) (line string, err error) {
	if len(names) == 0 {
		return "", ErrNoKeyLine
	}
	bank, err := open(names)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, bank.Close()) }()
	if missing, _ := bank.Missing(); len(missing) > 0 && len(missing[0].Contacts) == len(names) {
		return "", missing[0].Err
	}
	watching, found := context.WithCancel(ctx)
	defer found()
	filter := keys.New(keys.Settings{
		Contacts: make([]keys.Contact, len(names)), Debounce: pressDebounce, Long: pressLong,
		Stuck: pressStuck,
	})
	err = keys.Watch(watching, bank, filter, func(e keys.Event, _ time.Duration) {
		if e.Kind == keys.Short && line == "" {
			line = names[e.Key]
			found()
		}
	})
	if watching.Err() != nil {
		err = nil
	}
	return line, err
}
