package shoesim

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/shoe/card"
)

func TestTheSeedDecidesTheCards(t *testing.T) {
	o := Options{Decks: 6, Jokers: 2, Seed: 7}
	a, b := newStock(&o), newStock(&o)
	if !slices.Equal(a.cards, b.cards) {
		t.Error("the same seed gave different cards")
	}
	other := o
	other.Seed++
	if slices.Equal(a.cards, newStock(&other).cards) {
		t.Error("another seed gave the same cards")
	}
	if len(a.cards) != 6*52+2 {
		t.Errorf("%d cards", len(a.cards))
	}
	before := slices.Clone(a.cards)
	if a.reload(); slices.Equal(a.cards, before) {
		t.Error("not reshuffled")
	}
}

// However cards leave a shuffler and return, it holds what it held.
func TestAShufflerNeitherLosesNorMakesCards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newStock(&Options{Decks: 1, Jokers: 1, Seed: rapid.Uint64().Draw(t, "seed")})
		var out []card.Card
		for range rapid.IntRange(1, 100).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "put back") {
				s.putBack(out)
				out = nil
				continue
			}
			if c, err := s.next(); err == nil {
				out = append(out, c)
			}
		}
		all := slices.Sorted(slices.Values(append(out, s.cards...)))
		if want := slices.Sorted(slices.Values(s.full)); !slices.Equal(all, want) {
			t.Fatalf("cards %v", all)
		}
	})
}

func TestAListedOrderComesAgain(t *testing.T) {
	listed := []card.Card{card.Joker, card.Of(card.Ace, card.Spades)}
	s := newStock(&Options{Cards: listed})
	first, _ := s.next()
	s.putBack([]card.Card{first})
	if want := []card.Card{listed[1], listed[0]}; !slices.Equal(s.cards, want) {
		t.Errorf("after putting back: %v", s.cards)
	}
	if s.reload(); !slices.Equal(s.cards, listed) {
		t.Errorf("after reloading: %v", s.cards)
	}
}
