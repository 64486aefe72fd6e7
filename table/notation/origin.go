package notation

import (
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

// appendOrigin writes where an input came from, as "from=screen at=left who=mia".
func appendOrigin(dst []byte, o vocab.Origin) []byte {
	dst = appendNamed(dst, from, o.From.String())
	for _, one := range originNames {
		dst = appendNamed(dst, one.name, *one.text(&o))
	}
	return dst
}
