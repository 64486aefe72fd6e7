package display

import "github.com/sabot-table/sabot/table/history"

// WhichShoe names the shoe that deals, and the packs in it; "" before any was heard.
func (l Language) WhichShoe(s Shoe) string {
	return l.PastShoe(history.Shoe{Maker: s.Maker, Serial: s.Serial, Firmware: s.Firmware, Packs: s.Packs})
}

// PastShoe names a shoe from which a past round was dealt, and the packs in it.
func (l Language) PastShoe(s history.Shoe) string {
	key, name := "which.unnamed", []Arg{text("maker", s.Maker)}
	switch {
	case s.Maker == "":
		return s.Packs
	case s.Serial != "":
		key, name = "which.named", append(name, text("serial", s.Serial), text("firmware", s.Firmware))
	}
	words := l.fill(key, name...)
	if s.Packs != "" {
		words = l.fill("which.loaded", text("shoe", words), text("packs", s.Packs))
	}
	return words
}

// PastShoes names all from which a past round was dealt.
func (l Language) PastShoes(r history.Round) []string {
	names := make([]string, len(r.Shoes))
	for i, s := range r.Shoes {
		names[i] = l.PastShoe(s)
	}
	return names
}
