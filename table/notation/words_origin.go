package notation

import (
	"fmt"
	"strings"

	"github.com/sabot-table/sabot/table/vocab"
)

// origin says where an input came from, "" where nobody says it and for the shoe, whose word
// nobody doubts: "(screen left, dealer mia, proven at screen pit-tablet)".
func origin(o vocab.Origin) string {
	if o.From == 0 || o.From == vocab.FromShoe {
		return ""
	}
	said := []string{told(o.From.String(), o.At)}
	if o.Who != "" {
		said = append(said, "dealer "+o.Who)
	}
	if o.ProvenAt != "" {
		said = append(said, "proven at screen "+o.ProvenAt)
	}
	return "(" + strings.Join(said, ", ") + ")"
}

// loaded says whose word it is that the shoe was loaded, and what is forgotten with it.
func loaded(out vocab.Output) string {
	text := fmt.Sprintf("loaded: %d cards had left the shoe", out.Loaded.Left)
	if out.Loaded.Left == 1 {
		text = "loaded: one card had left the shoe"
	}
	if out.Loaded.CutCard {
		text += ", and its cut card"
	}
	return told(text, byWhom(out.By), asDealer(out.Loaded.As), origin(out.Told()))
}

func asDealer(r vocab.Role) string {
	if r == vocab.Dealer {
		return "as " + r.String()
	}
	return ""
}
