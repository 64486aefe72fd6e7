package config

import (
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/device/gpio"
	"github.com/sabot-table/sabot/device/keys"
	"github.com/sabot-table/sabot/display/panel"
)

// Keys are the lines of the dealer's keys, of the supervisor's key switch and of the
// boxes' sensors, each as gpio.ParseInput reads it; empty for a key that is not there.
type Keys struct {
	Card      string `yaml:"card"`
	Rest      string `yaml:"rest"`
	Double    string `yaml:"double"`
	Split     string `yaml:"split"`
	Surrender string `yaml:"surrender"`
	Insurance string `yaml:"insurance"`
	EvenMoney string `yaml:"even_money"`
	Higher    string `yaml:"higher"`
	Lower     string `yaml:"lower"`
	Bets      string `yaml:"bets"`
	Paid      string `yaml:"paid"`
	Undo      string `yaml:"undo"`

	Supervisor string `yaml:"supervisor"`

	Box1 string `yaml:"box_1"`
	Box2 string `yaml:"box_2"`
	Box3 string `yaml:"box_3"`
	Box4 string `yaml:"box_4"`
	Box5 string `yaml:"box_5"`
	Box6 string `yaml:"box_6"`
	Box7 string `yaml:"box_7"`
	Box8 string `yaml:"box_8"`
	Box9 string `yaml:"box_9"`

	// Debounce is how long a contact must rest, BoxDebounce a sensor.
	Debounce    time.Duration `yaml:"debounce"`
	BoxDebounce time.Duration `yaml:"box_debounce"`
	// Contradiction is how far apart two calls must be.
	Contradiction time.Duration `yaml:"contradiction"`
	// Stuck is how long a key is held until it counts as stuck.
	Stuck time.Duration `yaml:"stuck"`
}

// LongPress says what long presses of keys do: the name of another key in Keys; empty
// for nothing.
type LongPress struct {
	// After is how long a key is held for it.
	After time.Duration `yaml:"after"`

	Card      string `yaml:"card"`
	Rest      string `yaml:"rest"`
	Double    string `yaml:"double"`
	Split     string `yaml:"split"`
	Surrender string `yaml:"surrender"`
	Insurance string `yaml:"insurance"`
	EvenMoney string `yaml:"even_money"`
	Higher    string `yaml:"higher"`
	Lower     string `yaml:"lower"`
	Bets      string `yaml:"bets"`
	Paid      string `yaml:"paid"`
	Undo      string `yaml:"undo"`
}

// Signals are the lines of the panel's outputs, each as gpio.ParseOutput reads it;
// empty for one that is not there.
type Signals struct {
	Green  string `yaml:"green"`
	Amber  string `yaml:"amber"`
	Red    string `yaml:"red"`
	Buzzer string `yaml:"buzzer"`
	// Lock locks the shoe's card exit while it is on.
	Lock string `yaml:"lock"`
}

func defaultKeys() Keys {
	return Keys{
		Debounce: keys.UsualDebounce, BoxDebounce: 300 * time.Millisecond,
		Contradiction: keys.UsualWindow, Stuck: keys.UsualStuck,
	}
}

// Button is one of the dealer's keys in a configuration.
type Button struct {
	Key panel.Key
	// Path is the key of its line in the file.
	Path string
	Line string
	// Long is what a long press does, 0 for nothing.
	Long panel.Key

	long string // as it is written
}

// Buttons lists the dealer's keys, also those without a line.
func (c Config) Buttons() []Button {
	k, l := c.Keys, c.LongPress
	lines := [...]string{
		k.Card, k.Rest, k.Double, k.Split, k.Surrender, k.Insurance, k.EvenMoney, k.Higher, k.Lower, k.Bets, k.Paid, k.Undo,
	}
	longs := [...]string{
		l.Card, l.Rest, l.Double, l.Split, l.Surrender, l.Insurance, l.EvenMoney, l.Higher, l.Lower, l.Bets, l.Paid, l.Undo,
	}
	var list []Button
	for key := range panel.EveryKey {
		i := len(list)
		long, _ := panel.ParseKey(strings.ReplaceAll(longs[i], "_", "-"))
		list = append(list, Button{Key: key, Path: "keys." + inFile(key), Line: lines[i], Long: long, long: longs[i]})
	}
	return list
}

// inFile is how the file writes the name of a key.
func inFile(k panel.Key) string { return strings.ReplaceAll(k.String(), "-", "_") }

// BoxLines lists the lines of the boxes' sensors, from box 1 on.
func (k Keys) BoxLines() []string {
	return []string{k.Box1, k.Box2, k.Box3, k.Box4, k.Box5, k.Box6, k.Box7, k.Box8, k.Box9}
}

func boxPath(box int) string { return "keys.box_" + strconv.Itoa(box) }

// Wire is a line with its place in the file.
type Wire struct {
	Path, Line string
	Output     bool
}

// Wires lists every line that the panel may have, also those that are not there: keys,
// supervisor, sensors, outputs.
func (c Config) Wires() []Wire {
	var list []Wire
	for _, b := range c.Buttons() {
		list = append(list, Wire{Path: b.Path, Line: b.Line})
	}
	list = append(list, Wire{Path: "keys.supervisor", Line: c.Keys.Supervisor})
	for i, line := range c.Keys.BoxLines() {
		list = append(list, Wire{Path: boxPath(i + 1), Line: line})
	}
	s := c.Signals
	for _, out := range []struct{ name, line string }{
		{"green", s.Green},
		{"amber", s.Amber},
		{"red", s.Red},
		{"buzzer", s.Buzzer},
		{"lock", s.Lock},
	} {
		list = append(list, Wire{Path: "signals." + out.name, Line: out.line, Output: true})
	}
	return list
}

// Parse reads the line.
func (w Wire) Parse() (gpio.Line, error) {
	read := gpio.ParseInput
	if w.Output {
		read = gpio.ParseOutput
	}
	l, err := read(w.Line)
	l.Use = w.Path
	return l, err
}
