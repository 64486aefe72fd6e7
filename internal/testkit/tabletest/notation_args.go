package tabletest

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/vocab"
)

// args are the words after a verb that have not been read yet. After an error nothing
// more is read.
type args struct {
	verb word
	rest []word
	err  error
	// digits are how many decimals amounts have.
	digits int
}

func (a *args) fail(at word, format string, values ...any) {
	if a.err == nil {
		a.err = at.wrongWord(format, values...)
	}
	a.rest = nil
}

// next takes the next word; what names what it should be.
func (a *args) next(what string) word {
	if len(a.rest) == 0 {
		a.fail(a.verb, "%s needs %s", a.verb.text, what)
		return word{}
	}
	w := a.rest[0]
	a.rest = a.rest[1:]
	return w
}

func (a *args) text(what string) string { return a.next(what).text }

// optional takes the next word, or "" if there is none.
func (a *args) optional() string {
	if len(a.rest) == 0 {
		return ""
	}
	return a.text("")
}

// flag takes a word if it is among the rest.
func (a *args) flag(text string) bool {
	at := slices.IndexFunc(a.rest, func(w word) bool { return w.text == text })
	if at >= 0 {
		a.rest = slices.Delete(slices.Clone(a.rest), at, at+1)
	}
	return at >= 0
}

// given takes the value of a named word, such as player=ann, or "" if it is missing.
func (a *args) given(name string) string {
	for i, w := range a.rest {
		if value, ok := strings.CutPrefix(w.text, name+"="); ok {
			a.rest = slices.Delete(slices.Clone(a.rest), i, i+1)
			return value
		}
	}
	return ""
}

func (a *args) number(what string) int {
	w := a.next(what)
	n, err := strconv.Atoi(w.text)
	if err != nil && a.err == nil {
		a.fail(w, "%q is not a number: %s is expected", w.text, what)
	}
	return n
}

func (a *args) card() card.Card {
	w := a.next("a card")
	c, err := card.Parse(w.text)
	if err != nil && a.err == nil {
		a.fail(w, "%v", err)
	}
	return c
}

// bettor reads a box and a bettor.
func (a *args) bettor(in *vocab.Input) {
	in.Box, in.Bettor = a.number("a box"), a.text("a bettor")
}

// unstated is an amount that the dealer has not entered.
const unstated = "-"

// amount reads "20", "-1", "20.50" or unstated.
func (a *args) amount(in *vocab.Input) {
	w := a.next("an amount")
	if w.text == unstated || a.err != nil {
		return
	}
	size, negative := strings.CutPrefix(w.text, "-")
	n, err := money.Parse(size, a.digits)
	if err != nil {
		a.fail(w, "%v", err)
	}
	if in.Stated, in.Amount = true, n; negative {
		in.Amount = -n
	}
}

// named reads a member of an enumeration.
func named[T any](a *args, what string, parse func(string) (T, bool)) T {
	w := a.next(what)
	v, ok := parse(w.text)
	if !ok && a.err == nil {
		a.fail(w, "%q is not %s", w.text, what)
	}
	return v
}
