package scenario

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/faults"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// verb is one kind of step: how its arguments are written, read and carried out.
type verb struct {
	args  string
	parse func(s *Step, args []string) error
	write func(s *Step) []string // nil if it has no arguments
	do    func(p *player, s *Step) error
}

// verbs are all kinds of steps. init fills it, since repeat is one of them and refers to it.
var verbs map[string]verb

func init() {
	verbs = map[string]verb{
		"wait": {"TIME", parseSpan, writeSpan, (*player).wait},
		repeat: {"NUMBER", parseNumber, writeNumber, (*player).repeat},
		random: {"NUMBER", parseNumber, writeNumber, (*player).random},
	}
	maps.Copy(verbs, keyVerbs)
	for name, v := range shoeVerbs {
		do := v.do
		v.do = func(p *player, s *Step) error {
			if p.on.Shoe == nil {
				return errNoShoe
			}
			return do(p, s)
		}
		verbs[name] = v
	}
}

// shoeVerbs are the steps for a shoe or its line.
var shoeVerbs = map[string]verb{
	"draw":     {"[CARD, or NUMBER [every TIME]]", parseDraw, writeDraw, (*player).draw},
	"unread":   plain(func(s *shoesim.Shoe) (card.Card, error) { return s.DrawUnread() }),
	"overdraw": plain(func(s *shoesim.Shoe) (card.Card, error) { return s.Overdraw() }),
	"foreign":  {"CARD", parseForeign, writeDraw, (*player).foreign},
	"cut-card": plain(func(s *shoesim.Shoe) (card.Card, error) { return card.None, s.CutCard() }),
	"reload":   plain(func(s *shoesim.Shoe) (card.Card, error) { return card.None, s.Reload() }),

	"reverse-pull": plain(func(s *shoesim.Shoe) (card.Card, error) {
		return card.None, s.Trouble(shoesim.ReversePull, true)
	}),
	"shoe-key": {"NUMBER", parseNumber, writeNumber, func(p *player, s *Step) error {
		number := uint8(min(s.Count, math.MaxUint8))
		return errors.Join(p.on.Shoe.Key(number, true), p.on.Shoe.Key(number, false))
	}},
	"alarm": {"NAME", parseTrouble, writeTrouble, func(p *player, s *Step) error {
		return p.on.Shoe.Trouble(s.Trouble, true)
	}},
	"clear": {"NAME", parseTrouble, writeTrouble, func(p *player, s *Step) error {
		return p.on.Shoe.Trouble(s.Trouble, false)
	}},

	"pull":   {"[after NUMBER]", parsePull, writePull, (*player).pull},
	"plug":   plain(func(s *shoesim.Shoe) (card.Card, error) { return card.None, s.Replug() }),
	"reboot": plain(func(s *shoesim.Shoe) (card.Card, error) { return card.None, s.Reboot() }),
	"line": {
		"[to-host|from-host] good, or bits=RATE lost=RATE repeated=RATE cut=RATE run=RATE burst=RATE",
		parseLine, writeLine, (*player).line,
	},
	"garbage": {"NUMBER", parseNumber, writeNumber, func(p *player, s *Step) error {
		return p.on.Shoe.Garbage(s.Count)
	}},
	"hang":  {"TIME", parseSpan, writeSpan, (*player).hang},
	"drip":  {"TIME, or off", parseSpanOrOff, writeSpanOrOff, (*player).drip},
	"speed": {"SENT heard HEARD, or right", parseSpeed, writeSpeed, (*player).speed},
}

// plain is a step without arguments. A card that it draws is reported.
func plain(do func(*shoesim.Shoe) (card.Card, error)) verb {
	return verb{
		parse: func(_ *Step, args []string) error {
			if len(args) > 0 {
				return errTooMany
			}
			return nil
		},
		do: func(p *player, _ *Step) error {
			c, err := do(p.on.Shoe)
			p.note(c)
			return err
		},
	}
}

// Steps with exactly one argument.
var (
	parseForeign = single(parseCard, func(s *Step) *card.Card { return &s.Card })
	parseNumber  = single(parseCount, func(s *Step) *int { return &s.Count })
	parseSpan    = single(parseTime, func(s *Step) *time.Duration { return &s.For })
)

func single[T any](parse func(word string) (T, error), into func(*Step) *T) func(*Step, []string) error {
	return func(s *Step, args []string) error {
		word, err := one(args)
		if err == nil {
			*into(s), err = parse(word)
		}
		return err
	}
}

func parseDraw(s *Step, args []string) (err error) {
	if len(args) == 0 {
		return nil
	}
	if s.Count, err = parseCount(args[0]); err == nil {
		return parseEvery(s, args[1:])
	}
	s.Count = 0
	if _, number := strconv.Atoi(args[0]); number == nil || len(args) > 1 {
		return err
	}
	s.Card, err = parseCard(args[0])
	return err
}

func parseEvery(s *Step, args []string) (err error) {
	switch {
	case len(args) == 0:
		return nil
	case len(args) != 2 || args[0] != "every":
		return fmt.Errorf("%q is not understood", strings.Join(args, " "))
	}
	s.Every, err = parseTime(args[1])
	return err
}

func writeDraw(s *Step) (words []string) {
	if s.Card != card.None {
		words = append(words, s.Card.String())
	}
	if s.Count > 0 {
		words = append(words, strconv.Itoa(s.Count))
	}
	if s.Every > 0 {
		words = append(words, "every", s.Every.String())
	}
	return words
}

// parseTrouble takes any name: whether the shoe knows it depends on its make.
func parseTrouble(s *Step, args []string) error {
	word, err := one(args)
	s.Trouble = shoesim.Trouble(word)
	return err
}

func writeTrouble(s *Step) []string { return []string{string(s.Trouble)} }

func parsePull(s *Step, args []string) (err error) {
	switch {
	case len(args) == 0:
		return nil
	case len(args) != 2 || args[0] != "after":
		return fmt.Errorf("%q is not understood", strings.Join(args, " "))
	}
	s.Count, err = parseCount(args[1])
	return err
}

func writePull(s *Step) []string {
	if s.Count == 0 {
		return nil
	}
	return []string{"after", strconv.Itoa(s.Count)}
}

// rate is one of the rates by its name.
type rate struct {
	name string
	of   func(*faults.Rates) *float64
}

var rates = []rate{
	{"bits", func(r *faults.Rates) *float64 { return &r.Bits }},
	{"lost", func(r *faults.Rates) *float64 { return &r.Lost }},
	{"repeated", func(r *faults.Rates) *float64 { return &r.Repeated }},
	{"cut", func(r *faults.Rates) *float64 { return &r.Cut }},
	{"run", func(r *faults.Rates) *float64 { return &r.Run }},
	{"burst", func(r *faults.Rates) *float64 { return &r.Burst }},
}

func parseLine(s *Step, args []string) error {
	if len(args) > 0 && args[0] != "" {
		for d, name := range directions {
			if args[0] == name {
				s.To, args = Direction(d), args[1:]
				break
			}
		}
	}
	if len(args) == 0 {
		return errMissing
	}
	if len(args) == 1 && args[0] == "good" {
		return nil
	}
	for _, word := range args {
		if err := parseFault(s, word); err != nil {
			return err
		}
	}
	return nil
}

func parseFault(s *Step, word string) (err error) {
	name, value, _ := strings.Cut(word, "=")
	for _, r := range rates {
		if r.name == name {
			*r.of(&s.Rates), err = parseRate(value)
			return err
		}
	}
	return fmt.Errorf("%q is not understood", word)
}

func writeLine(s *Step) (words []string) {
	if s.To != BothWays {
		words = append(words, directions[s.To])
	}
	if s.Rates == (faults.Rates{}) {
		return append(words, "good")
	}
	for _, r := range rates {
		if v := *r.of(&s.Rates); v > 0 {
			words = append(words, r.name+"="+strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
	return words
}

func writeNumber(s *Step) []string { return []string{strconv.Itoa(s.Count)} }

func writeSpan(s *Step) []string { return []string{s.For.String()} }

func parseSpanOrOff(s *Step, args []string) error {
	if len(args) == 1 && args[0] == "off" {
		return nil
	}
	return parseSpan(s, args)
}

func writeSpanOrOff(s *Step) []string {
	if s.For == 0 {
		return []string{"off"}
	}
	return writeSpan(s)
}

// slowest and fastest bound the speeds of a line.
const slowest, fastest = 300, 4_000_000

func parseSpeed(s *Step, args []string) error {
	switch {
	case len(args) == 1 && args[0] == "right":
		return nil
	case len(args) != 3 || args[1] != "heard":
		return fmt.Errorf("%q is not understood", strings.Join(args, " "))
	}
	for i, word := range []string{args[0], args[2]} {
		n, err := strconv.Atoi(word)
		if err != nil || n < slowest || n > fastest {
			return fmt.Errorf("%q is not a baud rate from %d to %d", word, slowest, fastest)
		}
		s.Speeds[i] = n
	}
	return nil
}

func writeSpeed(s *Step) []string {
	if s.Speeds == [2]int{} {
		return []string{"right"}
	}
	return []string{strconv.Itoa(s.Speeds[0]), "heard", strconv.Itoa(s.Speeds[1])}
}
