package simtest

import (
	_ "embed"
	"sync"

	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

//go:embed strict.yaml
var strict []byte

// strictHouse is the name of the house that burns cards and holds big wins.
const strictHouse = "strict"

// Houses are the houses whose rules a storm may play: those that are built in, and one that has what none of them has.
var Houses = sync.OnceValue(func() profile.Book {
	book := profile.Built()
	h, err := book.Parse("strict.yaml", strict)
	if err != nil {
		panic(err) // of a file that the tests read at once
	}
	return book.With(h)
})

// houses are those whose rules are played.
var houses = []string{
	"wiesbaden", "wiesbaden", "baden", "mendrisio", "schaffhausen", "st-moritz", "st-moritz-65",
	strictHouse, strictHouse,
}

// shuffles says whether the house plays with a shuffler.
func shuffles(house string) bool { return Houses()[house].Cards.Source == rules.Shuffler }

// jokers is how many Jokers the house's shoe holds.
func jokers(house string) int { return Houses()[house].Cards.Jokers }
