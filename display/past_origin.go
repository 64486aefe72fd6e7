package display

import (
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/vocab"
)

// origin tells where a step's input came from and who was there, as " – screen left, dealer
// Mia", and at which other screen its supervisor had been proven; it stands with what is told
// first of the step. It is "" where nobody said so, and for what the shoe tells: of that the words of the step leave no
// doubt, but for its loading.
func (l Language) origin(s *history.Step) string {
	in := &s.Input.In
	o := in.Came()
	if o.From == 0 || o.From == vocab.FromShoe && (in.Kind != vocab.InShoe || in.Shoe.Event != vocab.ShoeLoaded) {
		return ""
	}
	said := []string{join(l.Named(LabelOrigin, o.From), o.At)}
	if o.Who != "" && in.Kind != vocab.InDealer {
		said = append(said, l.fill("past.from-dealer", text("name", o.Who)))
	}
	if o.ProvenAt != "" {
		said = append(said, l.fill("past.proven-at", text("name", o.ProvenAt)))
	}
	return " – " + strings.Join(said, ", ")
}

// loadedAnew tells whose word it is that the shoe was loaded, and what is forgotten with it.
func (l Language) loadedAnew(out *vocab.Output) string {
	args := []Arg{text("out", strconv.FormatUint(uint64(out.Loaded.Left), 10))}
	words := "past.loaded"
	if out.Loaded.Left == 1 {
		words = "past.loaded-one"
	}
	return l.fill(words, args...) + l.person(out.By, out.Loaded.As == vocab.Dealer && out.By != "")
}
