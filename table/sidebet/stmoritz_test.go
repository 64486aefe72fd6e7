package sidebet_test

import (
	"testing"

	"github.com/sabot-table/sabot/table/sidebet"
)

// trios is the number of combinations of three cards out of six decks.
const trios = 5_013_320

// inAnyOrder is the number of orders in which three cards come.
const inAnyOrder = 6

func TestThreeCardWins(t *testing.T) {
	checkTable(t, sidebet.ThreeCardWins, byCards(sidebet.ThreeCardWins), []one{
		{"AS AS", "AS", sidebet.ThreeAcesOfSpades},
		{"JH JH", "JH", sidebet.ThreeRedJacks},
		{"JH JD", "JH", sidebet.ThreeRedJacks},
		{"AS AS", "AC", sidebet.ThreeOfAKind},
		{"AH AS", "AS", sidebet.ThreeOfAKind},
		{"JH JS", "JD", sidebet.ThreeOfAKind},
		{"JS JS", "JS", sidebet.ThreeOfAKind},
		{"KH KD", "KC", sidebet.ThreeOfAKind},
		{"9S 9C", "9S", sidebet.ThreeOfAKind}, // black as well
		{"2S 3C", "4S", sidebet.ThreeBlack},
		{"AS AS", "2C", sidebet.ThreeBlack},
		{"TS JS", "QS", sidebet.ThreeBlack}, // one value, three ranks
		{"2S 3C", "4H", ""},
		{"2H 3S", "4S", ""},
		{"2H 3D", "4H", ""}, // red pays nothing
		{"JH JD", "QH", ""},
		{"TH JD", "QH", ""},
		{"KH KS", "QS", ""},
	})
}

// TestThreeCardWinsInAShoe counts every trio of six decks.
func TestThreeCardWinsInAShoe(t *testing.T) {
	wantCounts(t, countTrios(sidebet.ThreeCardWins), inAnyOrder, map[sidebet.Line]int{
		sidebet.ThreeAcesOfSpades: 20,
		sidebet.ThreeRedJacks:     220,
		sidebet.ThreeOfAKind:      26_072,
		sidebet.ThreeBlack:        617_760,
		"":                        trios - 20 - 220 - 26_072 - 617_760,
	})
}

func TestQueensTrio(t *testing.T) {
	checkTable(t, sidebet.QueensTrio, byCards(sidebet.QueensTrio), []one{
		{"QS QS", "QS", sidebet.ThreeQueensOfSpades},
		{"QS QS", "QC", sidebet.ThreeQueens},
		{"QH QS", "QS", sidebet.ThreeQueens},
		{"QH QD", "QC", sidebet.ThreeQueens},
		{"QS QS", "2H", sidebet.TwoQueensOfSpades},
		{"QS 2H", "QS", sidebet.TwoQueensOfSpades},
		{"2H QS", "QS", sidebet.TwoQueensOfSpades},
		{"QS QH", "2H", sidebet.TwoQueens},
		{"QC 2H", "QS", sidebet.TwoQueens},
		{"2S QD", "QD", sidebet.TwoQueens},
		{"QS 2H", "3D", sidebet.QueenOfSpades},
		{"2H QS", "3D", sidebet.QueenOfSpades},
		{"2H 3D", "QS", sidebet.QueenOfSpades},
		{"QH 2S", "3S", sidebet.OneQueen},
		{"2H QC", "3D", sidebet.OneQueen},
		{"2H 3D", "QD", sidebet.OneQueen},
		{"KS JS", "TS", ""},
		{"2S 3S", "4S", ""},
	})
}

// TestQueensTrioInAShoe counts every trio of six decks: 6 queens of spades, 18 other queens, 288 other cards.
func TestQueensTrioInAShoe(t *testing.T) {
	const (
		threeOfSpades = 6 * 5 * 4 / 6
		three         = 24*23*22/6 - threeOfSpades
		twoOfSpades   = 6 * 5 / 2 * 288
		two           = 24*23/2*288 - twoOfSpades
		noQueens      = 288 * 287 / 2 // the other two cards
		ofSpades      = 6 * noQueens
		another       = 18 * noQueens
	)
	wantCounts(t, countTrios(sidebet.QueensTrio), inAnyOrder, map[sidebet.Line]int{
		sidebet.ThreeQueensOfSpades: threeOfSpades,
		sidebet.ThreeQueens:         three,
		sidebet.TwoQueensOfSpades:   twoOfSpades,
		sidebet.TwoQueens:           two,
		sidebet.QueenOfSpades:       ofSpades,
		sidebet.OneQueen:            another,
		"":                          288 * 287 * 286 / 6,
	})
}
