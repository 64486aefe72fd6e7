package audit

import (
	"slices"
	"strings"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/vocab"
)

// Shoe is a shoe that dealt, with the same firmware and packs; "" is what nobody said.
type Shoe struct {
	Maker    string `json:"maker"`
	Serial   string `json:"serial,omitempty"`
	Firmware string `json:"firmware,omitempty"`
	Packs    string `json:"packs,omitempty"`
	// Rounds counts those in which it dealt a card, from First to Last.
	Rounds uint64 `json:"rounds"`
	First  uint64 `json:"first_round"`
	Last   uint64 `json:"last_round"`
}

// mostShoes bounds how many shoes the text lists; the others are counted.
const mostShoes = 20

// dealt notes which shoe dealt a card of a round.
func (r *Report) dealt(t *table.Table) {
	is := t.Shoe().ShoeIdentity
	if is.Maker == "" || t.Phase() == vocab.Idle {
		return
	}
	if r.dealing < len(r.Shoes) && r.Shoes[r.dealing].is(&is) {
		r.Shoes[r.dealing].dealt(t.Round())
		return
	}
	r.dealing = slices.IndexFunc(r.Shoes, func(s Shoe) bool { return s.is(&is) })
	if r.dealing < 0 {
		r.dealing = len(r.Shoes)
		r.Shoes = append(r.Shoes, Shoe{
			Maker: is.Maker, Serial: is.Serial, Firmware: is.Firmware, Packs: is.Packs,
			First: t.Round(),
		})
	}
	r.Shoes[r.dealing].dealt(t.Round())
}

func (s *Shoe) is(other *table.ShoeIdentity) bool {
	return s.Serial == other.Serial && s.Firmware == other.Firmware && s.Packs == other.Packs && s.Maker == other.Maker
}

func (s *Shoe) dealt(round uint64) {
	if s.Last != round {
		s.Rounds, s.Last = s.Rounds+1, round
	}
}

// name says which shoe it is.
func (s *Shoe) name() string {
	words := s.Maker + ", which tells no serial number"
	if s.Serial != "" {
		words = strings.TrimSuffix(s.Maker+" "+s.Serial+", firmware "+s.Firmware, ", firmware ")
	}
	if s.Packs != "" {
		words += ", packs " + s.Packs
	}
	return words
}

// shoes writes which shoes dealt.
func (t *text) shoes(r *Report) {
	for i := range r.Shoes[:min(len(r.Shoes), mostShoes)] {
		s := &r.Shoes[i]
		t.line("shoe: %s: %s, %s to %s", s.name(), count(s.Rounds, "round"), commas(s.First), commas(s.Last))
	}
	if more := len(r.Shoes) - mostShoes; more > 0 {
		t.line("and %s", count(uint64(more), "more shoe"))
	}
}
