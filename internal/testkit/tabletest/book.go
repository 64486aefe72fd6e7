package tabletest

import (
	"embed"
	"fmt"
	"sync"

	"github.com/sabot-table/sabot/table/profile"
)

//go:embed *.yaml
var houses embed.FS

// Book is the houses that come with Sabot, and some for tests: one that offers every side bet, one where many a win is
// big, and others that have the rules that none of them has.
var Book = sync.OnceValue(func() profile.Book {
	book := profile.Built()
	for _, file := range [...]string{
		"every-bet.yaml", "big-win.yaml", "potsdam.yaml", "campione.yaml", "olympic.yaml",
		"half.yaml", "known-bets.yaml", "keys.yaml", "hole.yaml", "early.yaml", "linked.yaml", "linked-closed.yaml",
		"yen.yaml", "dinar.yaml",
	} {
		text, err := houses.ReadFile(file)
		if err != nil {
			panic(fmt.Sprintf("tabletest: %v", err))
		}
		h, err := book.Parse(file, text)
		if err != nil {
			panic(fmt.Sprintf("tabletest: %v", err))
		}
		book = book.With(h)
	}
	return book
})
