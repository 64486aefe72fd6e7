package luck

import (
	"embed"
	"encoding/json"
	"fmt"
	"math"
	"sync"

	"github.com/sabot-table/sabot/table/odds/dealt"
	"github.com/sabot-table/sabot/table/rules"
)

//go:embed dealt.json
var files embed.FS

// House is what the engine dealt of one house, by the fingerprint of its rules.
type House struct {
	House string `json:"house"`
	Basic Play   `json:"basic"`
	Weak  Play   `json:"weak"`
}

// builtIn are the houses that come with Sabot.
var builtIn = sync.OnceValues(func() (map[string]House, error) {
	data, err := files.ReadFile("dealt.json")
	if err != nil {
		return nil, err
	}
	houses := map[string]House{}
	return houses, json.Unmarshal(data, &houses)
})

// enough is how many rounds are dealt of a house that does not come with Sabot: a second's work.
const enough = 300_000

// Deal deals a house with the engine, each strategy so many rounds.
func Deal(r *rules.Rules, rounds int, seed uint64) (h House, err error) {
	h.House = r.House
	if h.Basic, err = Simulate(r, dealt.Basic, rounds, seed); err != nil {
		return h, err
	}
	h.Weak, err = Simulate(r, dealt.Weak, max(rounds/8, 1), seed+1)
	return h, err
}

// Of returns the odds of every wager of a house: the main game first, then insurance, unless that is against tens, too,
// then the side bets in the house's order. A house that does not come with Sabot is dealt at first use, which takes
// about a second: keep what Of returns by the rules' fingerprint.
func Of(r *rules.Rules) ([]*Odds, error) {
	houses, err := builtIn()
	if err != nil {
		return nil, fmt.Errorf("luck: dealt.json: %w; make it again with go test ./pit/luck -run TestDealt -deal", err)
	}
	h, known := houses[r.Fingerprint]
	if !known {
		if h, err = Deal(r, enough, 15); err != nil {
			return nil, fmt.Errorf("luck: %w", err)
		}
	}
	return h.odds(r), nil
}

func (h *House) odds(r *rules.Rules) []*Odds {
	main := h.Basic.main()
	main.Weak = h.Weak.main().Edge()
	all := []*Odds{main}
	if r.Insurance.Offered && !r.Insurance.InsuresTens() { // else how likely it wins depends on the bank's card
		all = append(all, insurance(r))
	}
	for _, bet := range r.Offers() {
		if one := h.side(r, bet); one != nil {
			all = append(all, one)
		}
	}
	return all
}

func (h *House) side(r *rules.Rules, bet *rules.Offer) *Odds {
	if bet.ByPlay() {
		return h.Basic.side(r, bet)
	}
	return side(r, bet)
}

func sqrt(x float64) float64 { return math.Sqrt(max(x, 0)) }
