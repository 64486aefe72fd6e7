package tabletest

import (
	_ "embed"
	"fmt"
	"sync"

	"github.com/sabot-table/sabot/table/profile"
)

//go:embed every-bet.yaml
var everyBet []byte

// Book is the houses that come with Sabot, and one for tests that offers every side bet.
var Book = sync.OnceValue(func() profile.Book {
	h, err := profile.Built().Parse("every-bet.yaml", everyBet)
	if err != nil {
		panic(fmt.Sprintf("tabletest: %v", err))
	}
	return profile.Built().With(h)
})
