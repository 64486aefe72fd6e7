package display

import "strings"

// Lack is a part of a table's surroundings without which it works on.
type Lack uint8

// The lacks, the gravest first.
const (
	// NoNetwork is a page that other machines cannot reach, since this one does not have its address.
	NoNetwork Lack = iota + 1
	// NoDisplay is a character display that does not answer.
	NoDisplay
)

var lacks = [...]struct{ word, plain string }{
	NoNetwork: {"network-offline", "the page's address"},
	NoDisplay: {"display-offline", "the character display"},
}

// noKeys is the word for lines of the panel that are missing.
const noKeys = "keys-offline"

// String names the lack for technicians, in English.
func (l Lack) String() string { return lacks[l].plain }

// Away is something that is missing.
type Away struct {
	Lack Lack
	// Of says which one it is: an address, a bus.
	Of string
}

// Lacks says what a table works without: the gravest in a few words, for which there is room on a phone, and all of it
// with what a technician needs to find it; "" for nothing.
func (l Language) Lacks(v View) (brief, all string) {
	var words, list []string
	if len(v.Missing) > 0 {
		words, list = append(words, l.text("word."+noKeys)), append(list, strings.Join(v.Missing, ", "))
	}
	for _, a := range v.Away {
		words, list = append(words, l.text("word."+lacks[a.Lack].word)), append(list, a.Of)
	}
	switch len(words) {
	case 0:
		return "", ""
	case 1:
		return words[0], list[0]
	}
	for i := range list {
		list[i] = words[i] + ": " + list[i]
	}
	return words[0], strings.Join(list, "; ")
}
