package facedown_test

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/facedown"
)

var at = facedown.Place{Journal: "0f", Record: 17}

// TestSeal seals every card, opens it with the key, and checks it without.
func TestSeal(t *testing.T) {
	key := facedown.NewKey()
	length := 0
	for c := range card.All {
		for _, report := range []string{"", "\x02raw", strings.Repeat("x", facedown.MostReport)} {
			seal := key.Seal(at, c, report)
			if length == 0 {
				length = len(seal)
			}
			if len(seal) != length {
				t.Errorf("the seal of %s has %d characters, another %d", c, len(seal), length)
			}
			s, err := key.Open(at, seal)
			if err != nil || s.Card != c || s.Report != report {
				t.Errorf("%s is opened as %+v, %v", c, s, err)
			}
			if err := facedown.Check(at, seal, c, s.Opens); err != nil {
				t.Errorf("%s: %v", c, err)
			}
		}
	}
}

// TestNotSealed finds what was exchanged, moved or changed.
func TestNotSealed(t *testing.T) {
	key := facedown.NewKey()
	seven, king := card.Of(7, card.Spades), card.Of(card.King, card.Hearts)
	seal := key.Seal(at, seven, "")
	s, _ := key.Open(at, seal)
	moved, other := at, at
	moved.Record, other.Journal = 18, "10"
	for what, err := range map[string]error{
		"another card":       facedown.Check(at, seal, king, s.Opens),
		"another record":     facedown.Check(moved, seal, seven, s.Opens),
		"another journal":    facedown.Check(other, seal, seven, s.Opens),
		"nothing opens it":   facedown.Check(at, seal, seven, ""),
		"no seal":            facedown.Check(at, "", seven, s.Opens),
		"another key":        opened(facedown.NewKey(), at, seal),
		"opened elsewhere":   opened(key, moved, seal),
		"another commitment": opened(key, at, key.Seal(at, seven, "")[:64]+seal[64:]),
		"cut":                opened(key, at, seal[:70]),
	} {
		if err == nil {
			t.Errorf("%s is not noticed", what)
		}
	}
}

func opened(k facedown.Key, at facedown.Place, seal string) error {
	_, err := k.Open(at, seal)
	return err
}
