// Package known has what the rules of the houses that come with Sabot are worth, worked out beforehand: on a table's
// small computer the main game takes some seconds, and what has to be dealt takes longer.
package known

import (
	_ "embed"
	"encoding/json"
	"slices"
	"sync"

	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/rules"
)

//go:embed known.json
var text []byte

// house is what is kept of a house, at its own packs and on one box.
type house struct {
	House       string       `json:"house"`
	Fingerprint string       `json:"fingerprint"`
	Wagers      []odds.Wager `json:"wagers"`
}

var houses = sync.OnceValue(func() (list []house) {
	if err := json.Unmarshal(text, &list); err != nil {
		panic("table/odds/known: " + err.Error()) // a test reads it
	}
	return list
})

// Wagers are those of rules that come with Sabot; false for others. Nobody may change them.
func Wagers(r *rules.Rules) ([]odds.Wager, bool) {
	list := houses()
	i := slices.IndexFunc(list, func(h house) bool { return h.Fingerprint == r.Fingerprint })
	if i < 0 {
		return nil, false
	}
	return list[i].Wagers, true
}
