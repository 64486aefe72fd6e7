package gpio

import (
	"fmt"
	"strconv"
	"strings"
)

// lineForms ends every complaint about a line.
const lineForms = "write the line's name such as GPIO17, or chip and number such as gpiochip0:17, as `gpioinfo` " +
	"lists them; " +
	"after it, separated by spaces, how it is wired: active-low or active-high, and for inputs pull-up, pull-down " +
	"or pull-none"

// Pull is what holds an input that nothing drives.
type Pull uint8

// The pulls. PullNone leaves the line as it is on the board.
const (
	PullUp Pull = iota + 1
	PullDown
	PullNone
)

var pulls = map[string]Pull{"pull-up": PullUp, "pull-down": PullDown, "pull-none": PullNone}

// Line names one line as a configuration does, and says how it is wired. Lines can be compared with ==; the zero Line
// names none.
type Line struct {
	// Use says in messages what the line is for, such as keys.card.
	Use string

	// A line is named by name, or by chip and number.
	name, chip string
	number     int
	output     bool
	activeHigh bool
	pull       Pull
}

// ParseInput reads a line that is an input:
//
//	GPIO17                              a line by its name
//	gpiochip0:17                        by the chip's name and the line's number there
//	pinctrl-bcm2711:17                  by the chip's label, which never changes
//	GPIO17 active-high pull-down        how it is wired, if not to ground
//
// A contact is usually between the line and ground, so an input is active low with a pull-up unless it says otherwise;
// an active-high one has a pull-down by default.
func ParseInput(s string) (Line, error) { return parse(s, false) }

// ParseOutput reads a line that is an output, active high unless it says otherwise.
func ParseOutput(s string) (Line, error) { return parse(s, true) }

func parse(s string, output bool) (Line, error) {
	words := strings.Fields(s)
	if len(words) == 0 {
		return Line{}, badLine(s, "is empty")
	}
	l := Line{output: output}
	if err := l.address(s, words[0]); err != nil {
		return Line{}, err
	}
	active := ""
	for _, word := range words[1:] {
		pull, isPull := pulls[word]
		switch {
		case word == "active-low" || word == "active-high":
			if active != "" {
				return Line{}, badLine(s, "says twice when it is active")
			}
			active = word
		case isPull && output:
			return Line{}, badLine(s, "is an output, which has no pull")
		case isPull && l.pull != 0:
			return Line{}, badLine(s, "has two pulls")
		case isPull:
			l.pull = pull
		default:
			return Line{}, badLine(s, fmt.Sprintf("has %q, which says nothing about wiring", word))
		}
	}
	l.wire(active)
	return l, nil
}

// wire fills in what a line does not say about its wiring.
func (l *Line) wire(active string) {
	l.activeHigh = active == "active-high" || active == "" && l.output
	if l.pull != 0 || l.output {
		return
	}
	l.pull = PullUp
	if l.activeHigh {
		l.pull = PullDown
	}
}

// address reads a name, or chip:number. A name may itself contain a colon, but no number after the last one.
func (l *Line) address(s, word string) error {
	if strings.Contains(word, ",") {
		return badLine(s, "contains a comma")
	}
	at := strings.LastIndexByte(word, ':')
	if at < 0 {
		l.name = word
		return nil
	}
	digits := word[at+1:]
	n, err := strconv.ParseUint(digits, 10, 16)
	switch {
	case err != nil && strings.Trim(digits, "0123456789") != "":
		l.name = word
		return nil
	case err != nil || strconv.FormatUint(n, 10) != digits:
		return badLine(s, "has no line number after the colon")
	case at == 0:
		return badLine(s, "has no chip before the colon")
	}
	l.chip, l.number = word[:at], int(n)
	return nil
}

func badLine(s, why string) error { return fmt.Errorf("GPIO line %q %s: %s", s, why, lineForms) }

// Address writes the line's name, or its chip and number.
func (l Line) Address() string {
	if l.chip != "" {
		return l.chip + ":" + strconv.Itoa(l.number)
	}
	return l.name
}

// String writes the line as ParseInput and ParseOutput read it, with its whole wiring.
func (l Line) String() string {
	s := l.Address() + " active-low"
	if l.activeHigh {
		s = l.Address() + " active-high"
	}
	for word, pull := range pulls {
		if pull == l.pull {
			s += " " + word
		}
	}
	return s
}
