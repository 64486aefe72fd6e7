package config

import (
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/device/gpio"
	"github.com/sabot-table/sabot/display/panel"
	"github.com/sabot-table/sabot/shoe/makes"
	"github.com/sabot-table/sabot/table/rules"
)

// Keys are the lines of the dealer's keys, of the supervisor's key switch and of the
// boxes' sensors, each as gpio.ParseInput reads it; empty for a key that is not wired.
type Keys struct {
	Dealer     PerKey `yaml:"*" ask:"keys line optional"`
	Supervisor string `yaml:"supervisor"`
	Boxes      PerBox `yaml:"*"`

	// Debounce is how long a contact must be steady, BoxDebounce how long a sensor.
	Debounce    time.Duration `yaml:"debounce" default:"20ms" range:"1ms 100ms"`
	BoxDebounce time.Duration `yaml:"box_debounce" default:"300ms" range:"20ms 5s"`
	// Contradiction is how far apart two calls must be.
	Contradiction time.Duration `yaml:"contradiction" default:"150ms" range:"50ms 1s"`
	// Stuck is how long a key is held before it counts as stuck.
	Stuck time.Duration `yaml:"stuck" default:"10s" range:"6s 10m"`
}

// PerKey has a text for each of the dealer's keys, by its name in the file.
type PerKey map[string]string

// Keys lists the names of the dealer's keys in the file.
func (PerKey) Keys() (names []string) {
	for key := range panel.EveryKey {
		names = append(names, inFile(key))
	}
	return names
}

// PerBox has a text for each box, by its name in the file: box_1 and so on.
type PerBox map[string]string

// Keys lists the names of the boxes in the file.
func (PerBox) Keys() (names []string) {
	for box := range rules.MaxBoxes {
		names = append(names, "box_"+strconv.Itoa(box+1))
	}
	return names
}

// LongPress says what long presses of keys do: the name of another key; empty for
// nothing.
type LongPress struct {
	// After is how long a key must be held.
	After time.Duration `yaml:"after" default:"700ms" range:"300ms 5s"`
	Does  PerKey        `yaml:"*"`
}

// ShoeKeys say what the keys of the shoe do: each the name of one of the dealer's keys; empty
// for nothing.
type ShoeKeys struct {
	Does PerNumber `yaml:"*"`
}

// PerNumber has a text for each key that a shoe may have, by its number.
type PerNumber map[string]string

// Keys lists the numbers of a shoe's keys.
func (PerNumber) Keys() (names []string) {
	most := 0
	for _, m := range makes.All {
		most = max(most, m.Keys)
	}
	for key := range most {
		names = append(names, strconv.Itoa(key+1))
	}
	return names
}

// Press is what the shoe's key with this number does, 0 for nothing.
func (k ShoeKeys) Press(number string) panel.Key { return keyInFile(k.Does[number]) }

// keyInFile reads the name of a key as the file writes it, 0 for none.
func keyInFile(name string) panel.Key {
	key, _ := panel.ParseKey(strings.ReplaceAll(name, "_", "-"))
	return key
}

// Signals are the lines of the panel's outputs, each as gpio.ParseOutput reads it;
// empty for one that is not wired.
type Signals struct {
	Green  string `yaml:"green"`
	Amber  string `yaml:"amber"`
	Red    string `yaml:"red"`
	Buzzer string `yaml:"buzzer"`
	// Lock locks the shoe's card exit while it is on.
	Lock string `yaml:"lock"`
	// Floor is the lamp of a call for the floor.
	Floor string `yaml:"floor"`
}

// Button is one of the dealer's keys in a configuration.
type Button struct {
	Key panel.Key
	// Path is the key of its line in the file.
	Path string
	Line string
	// Long is what a long press does, 0 for nothing.
	Long panel.Key

	long string // as written in the file
}

// Buttons lists the dealer's keys, including those without a line.
func (c Config) Buttons() (list []Button) {
	for key := range panel.EveryKey {
		name := inFile(key)
		does := c.LongPress.Does[name]
		list = append(list, Button{
			Key: key, Path: "keys." + name, Line: c.Keys.Dealer[name], Long: keyInFile(does),
			long: does,
		})
	}
	return list
}

// inFile returns the name of a key as the file writes it.
func inFile(k panel.Key) string { return strings.ReplaceAll(k.String(), "-", "_") }

// Wire is a line with its place in the file.
type Wire struct {
	Path, Line string
	Output     bool
}

// Wires lists every line that the panel may have, including those that are not wired:
// keys, supervisor, sensors, outputs.
func (c Config) Wires() []Wire {
	var list []Wire
	for _, b := range c.Buttons() {
		list = append(list, Wire{Path: b.Path, Line: b.Line})
	}
	list = append(list, Wire{Path: "keys.supervisor", Line: c.Keys.Supervisor})
	for _, box := range c.Keys.Boxes.Keys() {
		list = append(list, Wire{Path: "keys." + box, Line: c.Keys.Boxes[box]})
	}
	s := c.Signals
	for _, out := range []struct{ name, line string }{
		{"green", s.Green},
		{"amber", s.Amber},
		{"red", s.Red},
		{"buzzer", s.Buzzer},
		{"lock", s.Lock},
		{"floor", s.Floor},
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
