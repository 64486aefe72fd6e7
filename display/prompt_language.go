package display

import "strings"

// Language is one language's texts by key. A text may hold {names}, which a
// Message fills. A text that a language lacks is said in English.
type Language map[string]string

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
	// LabelWord are the words of the display itself: bank, pay, paid and so on.
	LabelWord Kind = "word"
)

func key(kind Kind, name string) string { return string(kind) + "." + name }

// Say returns the message's text, "" for the zero Message.
func (l Language) Say(m Message) string {
	if m.Key == "" {
		return ""
	}
	s := l.text(m.Key)
	for _, a := range m.Args {
		s = strings.ReplaceAll(s, "{"+a.Name+"}", l.value(a))
	}
	return s
}

// Label returns what the dealer reads for a name of the engine's. A name that no
// language knows is shown as it is: better a strange word than a missing one.
func (l Language) Label(kind Kind, name string) string {
	if name == "" {
		return ""
	}
	return l.text(key(kind, name))
}

func (l Language) text(key string) string {
	if s, ok := l[key]; ok {
		return s
	}
	if s, ok := English[key]; ok {
		return s
	}
	_, name, _ := strings.Cut(key, ".")
	return strings.ReplaceAll(name, "-", " ")
}

func (l Language) value(a Arg) string {
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
