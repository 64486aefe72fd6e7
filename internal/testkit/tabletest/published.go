package tabletest

import (
	"fmt"

	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/sidebet"
)

// Published is what is published of a side bet: its edge, with some packs and a paytable.
type Published struct {
	Bet    sidebet.Bet
	Packs  int
	Pays   map[string]string // where it is not what the house known-bets pays
	Edge   float64
	Digits int // of the edge in per cent
	Source string
	What   string
}

const (
	shackleford = "M. Shackleford, [%s](https://wizardofodds.com/games/blackjack/side-bets/%s/)"
	jacobson    = "E. Jacobson, [In " +
		"Between](https://888casino.com/blog/side-bets/card-counting-the-in-between-blackjack-side-bet)"
)

func of(title, page string) string { return fmt.Sprintf(shackleford, title, page) }

// PublishedBets are published edges of the best known paytables.
var PublishedBets = []Published{
	{"21-plus-3", 6, map[string]string{
		"suited-three-of-a-kind": "9:1", "straight-flush": "9:1", "three-of-a-kind": "9:1", "straight": "9:1",
		"flush": "9:1",
	}, .032386, 4, of("21+3", "21plus3"), "21+3, all lines 9:1, six packs"},
	{
		"21-plus-3", 6,
		map[string]string{"three-of-a-kind": "33:1", "straight-flush": "35:1"},
		.041427, 4, of("21+3", "21plus3"),
		"the same, 100, 35, 33, 10 and 5:1",
	},
	{
		"lucky-ladies", 6, nil, .247089, 4, of("Lucky Ladies", "lucky-ladies"),
		"Lucky Ladies 1000, 125, 19, 9 and 4:1, six packs",
	},
	{"royal-match", 6, nil, .066658, 4, of("Royal Match", "royal-match"), "Royal Match 25 and 5:2, six packs"},
	{"royal-match", 1, nil, .108597, 4, of("Royal Match", "royal-match"), "the same, one pack"},
	{"match-the-dealer", 2, map[string]string{
		"two-suited-matches": "38:1", "suited-and-other-match": "23:1", "suited-match": "19:1",
	}, .033124, 4, of("Match the Dealer", "match-the-dealer"), "Match the Dealer 19 and 4:1 for each card, two packs"},
	{"hot-3", 6, nil, .054894, 4, of("Hot 3", "hot3"), "Hot 3 100, 20, 4, 2 and 1:1, six packs"},
	{
		"lucky-lucky", 6, nil, .0266, 2, of("Lucky Lucky", "lucky-lucky"),
		"Lucky Lucky 200, 100, 50, 30, 15, 3, 2 and 2:1, six packs",
	},
	{"over-13", 6, nil, .0655, 2, of("Over/Under 13", "over-under-13"), "Over 13, six packs"},
	{"under-13", 6, nil, .1007, 2, of("Over/Under 13", "over-under-13"), "Under 13, six packs"},
	{
		"buster", 6,
		map[string]string{"bust-8-blackjack": "250:1", "bust-7-blackjack": "50:1", "bust-6": "12:1"},
		.0825, 2,
		of("Buster Blackjack", "buster-blackjack"), "Buster Blackjack 250, 50, 12, 4 and 2:1, six packs",
	},
	{
		"buster", 6, nil, .0620, 2, of("Buster Blackjack", "buster-blackjack"),
		"the same with 18:1, and 2000 and 800:1 with a Black Jack",
	},
	{"in-bet", 6, nil, .03396, 3, jacobson, "In Bet 30, 12, 6, 4 and 1:1, six packs"},
	{"in-bet", 2, nil, .05696, 3, jacobson, "the same, two packs"},
	{
		"lucky-aces", 8, nil, .149012, 4, of("Lucky Aces", "lucky-aces"),
		"Lucky Aces 500, 250, 30, 12, 5, 2 and 1:1, eight packs",
	},
}

// House offers the side bet alone, as it is published.
func (p Published) House() (*profile.House, error) {
	changes := []string{fmt.Sprint("cards.decks=", p.Packs)}
	for line, pays := range p.Pays {
		changes = append(changes, fmt.Sprintf("side_bets.%s.pays.%s=%s", p.Bet, line, pays))
	}
	house := Book()["known-bets"]
	for _, o := range house.Offers() {
		if o.Bet != p.Bet {
			changes = append(changes, fmt.Sprintf("side_bets.%s=none", o.Bet))
		}
	}
	return profile.WhatIf(house, changes)
}
