package profile

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/rules"
)

// WhatIf returns a house with other values in its profile, each written as KEY=VALUE. A key is a path in the profile,
// such as split.max or pays.black_jack. A side bet and a line of its paytable go by their names or numbers:
// side_bets.perfect-pairs.pays.mixed-pair=5:1, or side_bets[0].pays[2].pays=5:1. The value none leaves out what a
// profile may leave out, and takes a side bet off the list. Every fault is an error, and so is what contradicts the
// rest of the rules, or another change.
func WhatIf(h *House, changes []string) (*House, error) {
	p := h.Profile
	p.SideBets = slices.Clone(p.SideBets)
	for i := range p.SideBets {
		p.SideBets[i].Pays = slices.Clone(p.SideBets[i].Pays)
	}
	var made []change
	for _, change := range changes {
		key, value, ok := strings.Cut(change, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("%q is no change: write a key of the profile, = and its value, such as split.max=1",
				change)
		}
		if err := contradicts(&p, &made, key, value); err != nil {
			return nil, fmt.Errorf("%s: %w", change, err)
		}
		if err := set(&p, key, value); err != nil {
			return nil, fmt.Errorf("%s: %w", change, err)
		}
	}
	changed := houseOf(p, jsonOf(p))
	if wrong := changed.Check(); len(wrong) > 0 {
		return nil, fmt.Errorf("these rules cannot be played: %w", wrong)
	}
	return changed, nil
}

// change is one that was made: where, by the names of side bets and lines, and what.
type change struct{ key, at, value string }

// contradicts says which earlier change says otherwise, and keeps this one: of two the last would count, and nobody
// would see it.
func contradicts(p *rules.Profile, made *[]change, key, value string) error {
	is := change{key, place(p, key), value}
	for _, was := range *made {
		inside := strings.HasPrefix(is.at, was.at+".") || strings.HasPrefix(was.at, is.at+".")
		if inside || was.at == is.at && was.value != is.value {
			return fmt.Errorf("it contradicts %s=%s; write one of the two", was.key, was.value)
		}
	}
	*made = append(*made, is)
	return nil
}

// place is a key with side bets and their lines by name.
func place(p *rules.Profile, key string) string {
	steps := stepsOf(key)
	if steps[0] != "side_bets" || len(steps) < 2 {
		return strings.Join(steps, ".")
	}
	i := find(p.SideBets, steps[1], betName)
	if i < 0 {
		return strings.Join(steps, ".")
	}
	bet := &p.SideBets[i]
	steps[1] = betName(*bet)
	if len(steps) > 3 && steps[2] == "pays" {
		if k := find(bet.Pays, steps[3], lineName); k >= 0 {
			steps = append(steps[:3], lineName(bet.Pays[k])) // what it pays is all that a line has
		}
	}
	return strings.Join(steps, ".")
}

func stepsOf(key string) []string {
	return strings.Split(strings.NewReplacer("[", ".", "]", "").Replace(key), ".")
}

func betName(b rules.SideBet) string { return b.Bet.String() }

func lineName(l rules.Line) string { return l.Line.String() }

// none is the value that leaves a key out.
const none = "none"

var errNoKey = errors.New("the profile has no such key; docs/houses.md lists them all")

func set(p *rules.Profile, key, value string) error {
	steps := stepsOf(key)
	switch steps[0] {
	case "side_bets":
		return setBet(p, steps[1:], value)
	case "extends", "house", "words":
		return errors.New("this is no rule")
	}
	switch {
	case steps[0] == "chips" && value != none, steps[0] == "tray_difference":
		return errors.New("this changes nothing of a round")
	case idleKey(p, strings.Join(steps, ".")):
		return errors.New(doesNothing(p.Game))
	case value == none:
		return leaveOut(p, steps)
	case key == "table.currency" && money.IsCurrency(value) && money.Digits(value) != money.Digits(p.Table.Currency):
		return fmt.Errorf("the house's amounts are in %s, which has other decimals; write a house in %s",
			p.Table.Currency, value)
	}
	return overlay(p.Table.Currency, p, steps, value)
}

// leaveOut removes what a profile may do without.
func leaveOut(p *rules.Profile, steps []string) error {
	at := reflect.ValueOf(p).Elem()
	for i, step := range steps {
		nth := slices.IndexFunc(fieldsOf(at.Type()), func(f reflect.StructField) bool { return keyOf(f) == step })
		if nth < 0 {
			return errNoKey
		}
		field := at.Type().Field(nth)
		at = at.Field(nth)
		switch last := i == len(steps)-1; {
		case last && optional(field):
			at.SetZero()
			return nil
		case last, at.Kind() != reflect.Struct:
		default:
			continue
		}
		break
	}
	return errors.New("a profile cannot do without this: write another value")
}

func fieldsOf(t reflect.Type) (list []reflect.StructField) {
	for i := range t.NumField() {
		list = append(list, t.Field(i))
	}
	return list
}

// optional says whether a profile may do without a key: a required one has no pointer to it, and is no list that may be
// nil.
func optional(field reflect.StructField) bool {
	_, option, _ := strings.Cut(field.Tag.Get("yaml"), ",")
	list := field.Type.Kind() == reflect.Slice && field.Tag.Get("json") != ""
	return option != "required" && (list || field.Type.Kind() == reflect.Pointer)
}

func setBet(p *rules.Profile, steps []string, value string) error {
	if len(steps) == 0 {
		return errors.New("name the side bet, and what of it changes: side_bets.NAME.KEY=VALUE")
	}
	i := find(p.SideBets, steps[0], betName)
	if i < 0 {
		return fmt.Errorf("the house has no side bet %q", steps[0])
	}
	bet := &p.SideBets[i]
	switch {
	case len(steps) == 1 && value == none:
		p.SideBets = slices.Delete(p.SideBets, i, i+1)
		return nil
	case len(steps) == 1:
		return errors.New("a side bet as a whole can only be none")
	case steps[1] != "pays":
		return overlay(p.Table.Currency, bet, steps[1:], value)
	case len(steps) == 2:
		return errors.New("name the line of the paytable: side_bets.BET.pays.LINE=ODDS")
	}
	k := find(bet.Pays, steps[2], lineName)
	switch {
	case k < 0:
		return fmt.Errorf("%s has no line %q", bet.Bet, steps[2])
	case len(steps) > 4 || len(steps) == 4 && steps[3] != "pays":
		return errNoKey
	}
	return overlay(p.Table.Currency, &bet.Pays[k], []string{"pays"}, value)
}

// find is the place of what goes by a name or a number.
func find[T any](list []T, what string, name func(T) string) int {
	if i, err := strconv.Atoi(what); err == nil && i >= 0 && i < len(list) {
		return i
	}
	return slices.IndexFunc(list, func(one T) bool { return name(one) == what })
}

// overlay reads one value over what is there, as a profile's file is read over that which it extends, amounts in a
// currency.
func overlay(currency string, over any, steps []string, value string) error {
	var text strings.Builder
	for i, step := range steps {
		if strictyaml.Text(step) != step {
			return errNoKey
		}
		fmt.Fprintf(&text, "%s%s:", strings.Repeat("  ", i), step)
		if i < len(steps)-1 {
			text.WriteString("\n")
		}
	}
	if strings.ContainsAny(value, "\n\r#") {
		return errors.New("a value is one line")
	}
	fmt.Fprintf(&text, " %s\n", value)
	var wrong []string
	for _, f := range strictyaml.OverlayIn(currency, "", []byte(text.String()), over).Faults() {
		text := f.What
		if f.Hint != "" {
			text += "; " + f.Hint
		}
		wrong = append(wrong, text)
	}
	if wrong != nil {
		return errors.New(strings.Join(wrong, "\n"))
	}
	return nil
}
