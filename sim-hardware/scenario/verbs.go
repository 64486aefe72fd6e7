package scenario

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// verb is one kind of step: how its arguments are written, read and carried out, and how it is told.
type verb struct {
	args  string
	parse parsing
	write writing // nil if it has no arguments
	do    func(p *player, s *Step) error
	// says tells it, with {count}, {for}, {key} and {trouble} for what is in the step, and bare where that is nothing.
	says, bare string
	// byHand: a hand handles cards by it, or presses keys.
	byHand bool
}

// parsing reads a step's arguments, and writing writes them.
type (
	parsing func(s *Step, args []string) error
	writing func(s *Step) []string
)

func of(args string, parse parsing, write writing, do func(p *player, s *Step) error) verb {
	return verb{args: args, parse: parse, write: write, do: do}
}

// told says how a step is told.
func (v verb) told(says string) verb {
	v.says = says
	return v
}

// orBare says how it is told where its arguments are none.
func (v verb) orBare(bare string) verb {
	v.bare = bare
	return v
}

// hand is told of a step of a hand.
func (v verb) hand(says string) verb {
	v.byHand = true
	return v.told(says)
}

// Says tells a step in English, "" for one that consists of others, with {count}, {for}, {key} and {trouble} for what
// is in it.
func (s *Step) Says() string {
	v := verbs[s.Verb]
	if v.bare != "" && s.Count == 0 && s.For == 0 && s.Rates == (shoesim.FaultRates{}) {
		return v.bare
	}
	return v.says
}

// ByHand says whether a hand handles cards by a step, or presses keys.
func (s *Step) ByHand() bool {
	return verbs[s.Verb].byHand || slices.ContainsFunc(s.Steps, func(one Step) bool { return one.ByHand() })
}

// verbs are all kinds of steps. init fills it, since repeat is one of them and refers to it.
var verbs map[string]verb

func init() {
	verbs = map[string]verb{
		"wait": of("TIME", parseSpan, writeSpan, (*player).wait).told("Waited {for}"),
		repeat: of("NUMBER", parseNumber, writeNumber, (*player).repeat),
		random: of("NUMBER", parseNumber, writeNumber, (*player).random).hand(""),
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
	"draw":     of("[CARD, or NUMBER [every TIME]]", parseDraw, writeDraw, (*player).draw).hand("Drawn"),
	"unread":   plain((*shoesim.Shoe).DrawUnread).hand("Drawn, and misread"),
	"overdraw": plain((*shoesim.Shoe).Overdraw).hand("Drawn, although not due"),
	"foreign":  of("CARD", parseForeign, writeDraw, (*player).foreign).hand("A foreign card"),
	"cut-card": cardless((*shoesim.Shoe).CutCard).hand("The cut card"),
	"reload":   cardless((*shoesim.Shoe).Reload).hand("Shuffled and loaded"),

	"reverse-pull": cardless(func(s *shoesim.Shoe) error {
		return s.Trouble(shoesim.ReversePull, true)
	}).told("A card is pushed back"),
	"shoe-key": onShoe("NUMBER", parseNumber, writeNumber, func(shoe *shoesim.Shoe, s *Step) error {
		number := uint8(min(s.Count, math.MaxUint8))
		return errors.Join(shoe.Key(number, true), shoe.Key(number, false))
	}).hand("Key {count} at the shoe: pressed"),
	"alarm": onShoe("NAME", parseTrouble, writeTrouble, func(shoe *shoesim.Shoe, s *Step) error {
		return shoe.Trouble(s.Trouble, true)
	}).told("The shoe's alarm: {trouble}"),
	"clear": onShoe("NAME", parseTrouble, writeTrouble, func(shoe *shoesim.Shoe, s *Step) error {
		return shoe.Trouble(s.Trouble, false)
	}).told("The alarm is over: {trouble}"),

	"pull": of("[after NUMBER]", parsePull, writePull, (*player).pull).
		told("The cable will be pulled in the middle of the next message").orBare("The cable is pulled"),
	"plug":   cardless((*shoesim.Shoe).Replug).told("The cable is in"),
	"reboot": cardless((*shoesim.Shoe).Reboot).told("The shoe lost its power for a moment"),
	"line":   of(lineArgs, parseLine, writeLine, (*player).line).told("The line is bad").orBare("The line is good"),
	"garbage": onShoe("NUMBER", parseNumber, writeNumber, func(shoe *shoesim.Shoe, s *Step) error {
		return shoe.Garbage(s.Count)
	}).told("Noise on the line, for a moment"),
	"hang":  of("TIME", parseSpan, writeSpan, (*player).hang).told("The shoe hangs for {for}"),
	"drip":  of("TIME, or off", parseSpanOrOff, writeSpanOrOff, (*player).drip).told("Bytes drip"),
	"speed": of("SENT heard HEARD, or right", parseSpeed, writeSpeed, (*player).speed).told("The speed of the line"),
}

const lineArgs = "[to-host|from-host] good, or bits=RATE lost=RATE repeated=RATE cut=RATE run=RATE burst=RATE"

// onShoe is a step that does something to the shoe, and draws no card.
func onShoe(args string, parse parsing, write writing, do func(*shoesim.Shoe, *Step) error) verb {
	return of(args, parse, write, func(p *player, s *Step) error { return do(p.on.Shoe, s) })
}

// cardless is a step without arguments that draws no card.
func cardless(do func(*shoesim.Shoe) error) verb {
	return plain(func(s *shoesim.Shoe) (card.Card, error) { return card.None, do(s) })
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
	of   func(*shoesim.FaultRates) *float64
}

var rates = []rate{
	{"bits", func(r *shoesim.FaultRates) *float64 { return &r.Bits }},
	{"lost", func(r *shoesim.FaultRates) *float64 { return &r.Lost }},
	{"repeated", func(r *shoesim.FaultRates) *float64 { return &r.Repeated }},
	{"cut", func(r *shoesim.FaultRates) *float64 { return &r.Cut }},
	{"run", func(r *shoesim.FaultRates) *float64 { return &r.Run }},
	{"burst", func(r *shoesim.FaultRates) *float64 { return &r.Burst }},
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
	if s.Rates == (shoesim.FaultRates{}) {
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
