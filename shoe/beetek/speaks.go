package beetek

import "github.com/sabot-table/sabot/shoe"

// Speaks says whether bytes contain a card, an alarm or a warning as the shoe writes them.
func Speaks(p []byte) (found bool) {
	new(Decoder).Feed(0, p, func(e shoe.Event) { found = found || e.Kind != shoe.Gap })
	return found
}
