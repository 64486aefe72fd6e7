package tabletest

import (
	"embed"
	"fmt"
	"sync"

	"github.com/sabot-table/sabot/table/profile"
)

//go:embed every-bet.yaml big-win.yaml
var own embed.FS

// Book is the houses that come with Sabot, and two for tests: one that offers every side bet, and one where many a win is
// big.
var Book = sync.OnceValue(func() profile.Book {
	book := profile.Built()
	for _, file := range []string{"every-bet.yaml", "big-win.yaml"} {
		text, err := own.ReadFile(file)
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
