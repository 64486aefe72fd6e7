package tabletest

import (
	"slices"
	"strings"

	"github.com/sabot-table/sabot/table/vocab"
)

// originNames are what says where an input came from, after all else that it says.
var originNames = [...]struct {
	name string
	text func(*vocab.Origin) *string
}{
	{"at", func(o *vocab.Origin) *string { return &o.At }},
	{"who", func(o *vocab.Origin) *string { return &o.Who }},
	{"proven-at", func(o *vocab.Origin) *string { return &o.ProvenAt }},
}

const from = "from"

// originOf takes where an input came from out of its words.
func originOf(words []word) (o vocab.Origin, rest []word, err error) {
	take := func(name string) (w word, value string) {
		for i := range words {
			if value, ok := strings.CutPrefix(words[i].text, name+"="); ok {
				w = words[i]
				words = slices.Delete(slices.Clone(words), i, i+1)
				return w, value
			}
		}
		return w, ""
	}
	if w, name := take(from); name != "" {
		known := false
		if o.From, known = vocab.ParseSource(name); !known {
			return o, nil, w.wrongWord("%q is nowhere that an input comes from", name)
		}
	}
	for _, one := range originNames {
		_, *one.text(&o) = take(one.name)
	}
	return o, words, nil
}
