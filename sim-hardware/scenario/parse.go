package scenario

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/shoe/card"
)

// The limits of a script.
const (
	maxSize  = 1 << 20
	maxDepth = 4
	maxCount = 1_000_000
	maxTime  = time.Hour
)

const (
	repeat = "repeat"
	random = "random"
	end    = "end"
	seed   = "seed"
)

// Parse reads a script. The error reports every fault, each with its line.
func Parse(name, script string) (Scenario, error) {
	if len(script) > maxSize {
		return Scenario{}, fmt.Errorf("%s: %d bytes are too many for a scenario: %d are allowed", name,
			len(script), maxSize)
	}
	p := parser{name: name, open: []*[]Step{new([]Step)}}
	for line := range strings.Lines(script) {
		p.line++
		p.takeLine(line)
	}
	if len(p.open) > 1 {
		p.refuse(`a repeat has no end: write "end" on a line of its own`)
	}
	if err := errors.Join(p.faults...); err != nil {
		return Scenario{}, err
	}
	return Scenario{Seed: p.seed, Steps: *p.open[0]}, nil
}

type parser struct {
	name   string
	line   int
	seed   uint64
	open   []*[]Step // the steps of the open repeats, the script's own first
	faults []error
}

func (p *parser) refuse(format string, args ...any) {
	p.faults = append(p.faults, fmt.Errorf("%s:%d: %s", p.name, p.line, fmt.Sprintf(format, args...)))
}

// takeLine reads one line.
func (p *parser) takeLine(line string) {
	line, _, _ = strings.Cut(line, "#")
	words := strings.Fields(line)
	if len(words) == 0 {
		return
	}
	switch verb, args := words[0], words[1:]; {
	case verb == seed:
		p.takeSeed(args)
	case verb == end:
		p.close(args)
	default:
		p.step(verb, args)
	}
}

func (p *parser) takeSeed(args []string) {
	if len(*p.open[0]) > 0 || len(p.open) > 1 {
		p.refuse("the seed is too late: write it before the first step")
	}
	if len(args) != 1 {
		p.refuse("write seed and a number")
		return
	}
	n, err := strconv.ParseUint(args[0], 10, 64)
	if err != nil {
		p.refuse("seed %q is not a number of 0 or more", args[0])
	}
	p.seed = n
}

func (p *parser) close(args []string) {
	switch {
	case len(args) > 0:
		p.refuse("end must be alone on its line, without %q", args[0])
	case len(p.open) == 1:
		p.refuse("there is no open repeat to end here")
	default:
		p.open = p.open[:len(p.open)-1]
	}
}

func (p *parser) step(name string, args []string) {
	verb, known := verbs[name]
	if !known {
		p.refuse("%q is not a step; known are %s", name, strings.Join(slices.Sorted(maps.Keys(verbs)), ", "))
		return
	}
	s := Step{Line: p.line, Verb: name}
	if err := verb.parse(&s, args); err != nil {
		p.refuse("%s: %v; write %s", name, err, strings.TrimSpace(name+" "+verb.args))
	}
	steps := p.open[len(p.open)-1]
	*steps = append(*steps, s)
	if name != repeat {
		return
	}
	if len(p.open) > maxDepth {
		p.refuse("repeats are nested more than %d deep", maxDepth)
	}
	p.open = append(p.open, &(*steps)[len(*steps)-1].Steps)
}

var (
	errMissing = errors.New("something is missing")
	errTooMany = errors.New("there is too much in the line")
)

// one returns the only argument.
func one(args []string) (string, error) {
	switch len(args) {
	case 0:
		return "", errMissing
	case 1:
		return args[0], nil
	default:
		return "", errTooMany
	}
}

func parseCount(word string) (int, error) {
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 || n > maxCount {
		return 0, fmt.Errorf("%q is not a whole number from 1 to %d", word, maxCount)
	}
	return n, nil
}

func parseTime(word string) (time.Duration, error) {
	d, err := time.ParseDuration(word)
	if err != nil || d <= 0 || d > maxTime {
		return 0, fmt.Errorf("%q is not a time such as 500ms or 2s, at most %v", word, maxTime)
	}
	return d, nil
}

func parseCard(word string) (card.Card, error) {
	c, err := card.ParseFace(word)
	if err != nil {
		return 0, err
	}
	if c == card.Unread {
		return 0, errors.New("a card must be named; unread is a step of its own")
	}
	return c, nil
}

// parseRate reads 0.01, 1e-4 or 1%.
func parseRate(word string) (float64, error) {
	number, percent := strings.CutSuffix(word, "%")
	rate, err := strconv.ParseFloat(number, 64)
	if percent {
		rate /= 100
	}
	if err != nil || !(rate >= 0 && rate <= 1) {
		return 0, fmt.Errorf("%q is not a rate from 0 to 1, or from 0%% to 100%%", word)
	}
	return rate, nil
}
