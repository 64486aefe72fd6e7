package dealt

import (
	_ "embed"
	"encoding/json"
	"slices"
	"sync"

	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/rules"
)

// text is what the rules of the houses that come with Sabot are worth, worked out beforehand: on a table's small
// computer the main game takes some seconds, and what has to be dealt takes longer.
//
//go:embed known.json
var text []byte

// knownHouse is what is kept of a house, at its own packs and on one box.
type knownHouse struct {
	House       string       `json:"house"`
	Fingerprint string       `json:"fingerprint"`
	Wagers      []odds.Wager `json:"wagers"`
}

var knownHouses = sync.OnceValue(func() (list []knownHouse) {
	if err := json.Unmarshal(text, &list); err != nil {
		panic("table/odds/dealt: " + err.Error()) // a test reads it
	}
	return list
})

// Known are the wagers of rules that come with Sabot; false for others. Nobody may change them.
func Known(r *rules.Rules) ([]odds.Wager, bool) {
	list := knownHouses()
	i := slices.IndexFunc(list, func(h knownHouse) bool { return h.Fingerprint == r.Fingerprint })
	if i < 0 {
		return nil, false
	}
	return list[i].Wagers, true
}
