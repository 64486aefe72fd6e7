package display

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/table/plaintext"
)

// Kind is a set of names that the engine uses and that a dealer reads translated.
type Kind string

// The kinds of names.
const (
	LabelWager    Kind = "wager"
	LabelOutcome  Kind = "outcome"
	LabelWhy      Kind = "why"
	LabelDone     Kind = "done"
	LabelCall     Kind = "call"
	LabelHeld     Kind = "irregularity"
	LabelChoice   Kind = "choice"
	LabelRejected Kind = "rejected"
	LabelFloor    Kind = "floor" // what the floor is called for
	// LabelShoe are the shoe's messages, LabelAlarm its own alarms.
	LabelShoe Kind = "shoe"
	// LabelOrigin is where an input came from.
	LabelOrigin Kind = "origin"
	LabelAlarm  Kind = "alarm"
	// LabelStorage is how the record fares, LabelNote what is noted in it.
	LabelStorage Kind = "storage"
	LabelNote    Kind = "note"
	// LabelNoteWhy is why it happened.
	LabelNoteWhy Kind = "because"
	// LabelInput are inputs that were refused.
	LabelInput    Kind = "input"
	LabelStep     Kind = "step" // counts of a tray, and steps of a slip
	LabelCurrency Kind = "currency"
	// LabelWord are the words of the display itself: bank, pay, paid and so on.
	LabelWord Kind = "word"
)

func key(kind Kind, name string) string { return string(kind) + "." + name }

// Say returns the message's text, "" for the zero Message.
func (l Language) Say(m Message) string {
	if m.Key == "" {
		return ""
	}
	return l.filled(l.text(m.Key), m.Args)
}

// With returns the text of a key, filled with texts by their names: "by", name, "n", number.
func (l Language) With(key string, pairs ...string) string {
	var room [4]Arg // mostly enough, and on the stack: pages are drawn after every card
	args := room[:0]
	for i := 0; i+1 < len(pairs); i += 2 {
		args = append(args, Arg{Name: pairs[i], Text: pairs[i+1]})
	}
	return l.Say(Message{Key: key, Args: args})
}

// filled fills a text from left to right. What it fills in is not filled again, as a guest
// may be called {amount}, and shows nothing but itself.
func (l Language) filled(text string, args []Arg) string {
	if len(args) == 0 || !strings.Contains(text, "{") {
		return text
	}
	b := make([]byte, 0, 128)
	for {
		before, after, opened := strings.Cut(text, "{")
		b = append(b, before...)
		if !opened {
			return string(b)
		}
		name, rest, closed := strings.Cut(after, "}")
		at := slices.IndexFunc(args, func(a Arg) bool { return a.Name == name })
		if !closed || at < 0 {
			b = append(b, '{')
			text = after
			continue
		}
		b = plaintext.AppendVisible(b, l.value(args[at]))
		text = rest
	}
}

// Label returns what the dealer reads for a name of the engine's. A name that no
// language knows is shown as it is: better a strange word than a missing one.
func (l Language) Label(kind Kind, name string) string {
	if name == "" {
		return ""
	}
	return l.text(key(kind, name))
}

// Named is Label for a value of the engine's.
func (l Language) Named(kind Kind, value fmt.Stringer) string { return l.Label(kind, value.String()) }

// Told is like Label for a name that may be anybody's own words: those stay as they
// are.
func (l Language) Told(kind Kind, name string) string {
	if known(key(kind, name)) {
		return l.Label(kind, name)
	}
	return name
}

// Count says how many there are of what a text counts with {n}, in the form that the
// language has for so many.
func (l Language) Count(what string, n int) string {
	number := strconv.Itoa(n)
	if slices.Contains(strings.Fields(l.text(numberSingular)), number) {
		what += "-one"
	}
	return l.Say(say("count."+what, text("n", number)))
}

func (l Language) text(key string) string {
	if s, ok := l.Lookup(key); ok {
		return s
	}
	_, name, _ := strings.Cut(key, ".")
	return strings.Clone(strings.ReplaceAll(name, "-", " ")) // so that keys can be put together on the stack
}

func (l Language) value(a Arg) string {
	if a.Price != nil && a.Price.Currency == "" {
		return l.Money(a.Price.Minor, a.Price.Digits)
	}
	if a.Price != nil {
		return l.Price(a.Price.Minor, a.Price.Digits, a.Price.Currency)
	}
	if len(a.Keys) == 1 {
		return l.text(a.Keys[0])
	}
	if a.Keys == nil {
		return a.Text
	}
	var b strings.Builder
	for i, k := range a.Keys {
		switch {
		case i == 0:
		case i == len(a.Keys)-1:
			b.WriteString(l.text("list.or"))
		default:
			b.WriteString(l.text("list.comma"))
		}
		b.WriteString(l.text(k))
	}
	return b.String()
}
