package transcript

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// named finds the values of an enumeration by their names, sooner than by trying
// one after the other. It knows nothing of its own: it is filled by asking.
type named[T enumeration] [256]struct {
	name  string
	value T
}

// namedBy makes the table of the names that parse takes.
func namedBy[T enumeration](parse func(name string) (T, bool)) *named[T] {
	var n named[T]
	for i := range 256 {
		name := T(i).String()
		if v, ok := parse(name); ok && v == T(i) && name != "" {
			at := place([]byte(name))
			for n[at].name != "" {
				at++
			}
			n[at].name, n[at].value = name, v
		}
	}
	return &n
}

// place is where to look for a name first.
func place(name []byte) uint8 {
	return name[0]*37 + name[len(name)-1]*11 + uint8(len(name))
}

// find returns the value that has this name.
func (n *named[T]) find(name []byte) (T, bool) {
	if len(name) == 0 {
		return 0, false
	}
	for at := place(name); n[at].name != ""; at++ {
		if n[at].name == string(name) {
			return n[at].value, true
		}
	}
	return 0, false
}

var (
	namedFields  = namedBy(findField)
	namedInputs  = namedBy(vocab.ParseInputKind)
	namedCalls   = namedBy(vocab.ParseCall)
	namedEvents  = namedBy(vocab.ParseShoeEvent)
	namedChoices = namedBy(irregularity.ParseChoice)
	namedRoles   = namedBy(parseRole)
	namedCodes   = namedBy(irregularity.ParseCode)
	namedStorage = namedBy(vocab.ParseStorageEvent)
	namedWagers  = namedBy(func(name string) (vocab.Wager, bool) { return vocab.ParseWager(name), true })
	namedCards   = namedBy(parseCard)
)

func parseCard(name string) (card.Card, bool) {
	c, err := card.Parse(name)
	return c, err == nil
}
