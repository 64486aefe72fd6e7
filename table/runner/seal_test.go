package runner

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/shoe/card"
)

var sealedAt = SealPlace{Journal: "0f", Record: 17}

// TestSeal seals every card, opens it with the key, and checks it without.
func TestSeal(t *testing.T) {
	key := NewFacesKey()
	length := 0
	for c := range card.All {
		for _, report := range []string{"", "\x02raw", strings.Repeat("x", mostSealedReport)} {
			seal := key.seal(sealedAt, c, report)
			if length == 0 {
				length = len(seal)
			}
			if len(seal) != length {
				t.Errorf("the seal of %s has %d characters, another %d", c, len(seal), length)
			}
			s, err := key.open(sealedAt, seal)
			if err != nil || s.Card != c || s.Report != report {
				t.Errorf("%s is opened as %+v, %v", c, s, err)
			}
			if err := CheckSeal(sealedAt, seal, c, s.Opens); err != nil {
				t.Errorf("%s: %v", c, err)
			}
		}
	}
}

// TestNotSealed finds what was exchanged, moved or changed.
func TestNotSealed(t *testing.T) {
	key := NewFacesKey()
	seven, king := card.Of(7, card.Spades), card.Of(card.King, card.Hearts)
	seal := key.seal(sealedAt, seven, "")
	s, _ := key.open(sealedAt, seal)
	moved, other := sealedAt, sealedAt
	moved.Record, other.Journal = 18, "10"
	for what, err := range map[string]error{
		"another card":       CheckSeal(sealedAt, seal, king, s.Opens),
		"another record":     CheckSeal(moved, seal, seven, s.Opens),
		"another journal":    CheckSeal(other, seal, seven, s.Opens),
		"nothing opens it":   CheckSeal(sealedAt, seal, seven, ""),
		"no seal":            CheckSeal(sealedAt, "", seven, s.Opens),
		"another key":        opened(NewFacesKey(), sealedAt, seal),
		"opened elsewhere":   opened(key, moved, seal),
		"another commitment": opened(key, sealedAt, key.seal(sealedAt, seven, "")[:64]+seal[64:]),
		"cut":                opened(key, sealedAt, seal[:70]),
	} {
		if err == nil {
			t.Errorf("%s is not noticed", what)
		}
	}
}

func opened(k FacesKey, at SealPlace, seal string) error {
	_, err := k.open(at, seal)
	return err
}
