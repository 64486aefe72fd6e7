package topic

import (
	"cmp"
	"sort"
	"time"
)

// Totals are what a table has come to, so that who connects in mid-shift does not begin at zero.
type Totals struct {
	Site     string    `json:"site" kind:"name" doc:"The house or hall."`
	Table    string    `json:"table" kind:"name" doc:"The table's name within its site."`
	Boot     uint64    `json:"boot" doc:"Number of the daemon's start."`
	Sequence uint64    `json:"sequence" doc:"The last event that is counted; 0 before the first."`
	Time     time.Time `json:"time" doc:"When the last record that is counted was taken; the beginning of the gaming day if that is later."`
	Day      Period    `json:"day" doc:"Since the table's gaming day began, without rounds that began before."`
	Shift    *Period   `json:"shift,omitempty" doc:"Since the present dealer took over, without rounds that another one began; missing while nobody is signed in."`
	Dealers  []Period  `json:"dealers,omitempty" doc:"The day by dealer and shift, in the order in which they began: they add up to it. A dealer who comes back in the same shift has one; so have all rounds without a dealer."`
}

// Period is what a table has come to since a moment. A round is counted when it is finished, with
// what finally holds; an irregularity when it is raised.
type Period struct {
	Since          time.Time         `json:"since" doc:"When the period began."`
	Dealer         string            `json:"dealer,omitempty" doc:"Who deals, in a shift; who dealt, among the dealers."`
	Shift          string            `json:"shift,omitempty" doc:"The name of the dealer's shift, if it has one."`
	Rounds         uint64            `json:"rounds" doc:"Rounds that were finished."`
	Void           uint64            `json:"void" doc:"How many of them were declared void."`
	Wagers         []Takings         `json:"wagers" doc:"What wagers came to, by game, wager and currency."`
	Irregularities map[string]uint64 `json:"irregularities" doc:"How often each irregularity was raised, by its code."`
}

// Takings are what wagers of one kind came to.
type Takings struct {
	Game     string `json:"game" doc:"The game's name in transcripts; empty where the rules are not known any more."`
	Wager    string `json:"wager" kind:"type" doc:"The wager's name in transcripts."`
	Currency string `json:"currency" doc:"The currency of the amounts, such as EUR; empty where it is not known."`
	Count    uint64 `json:"count" doc:"How many wagers were decided: a main wager on each hand of each bettor is one."`
	Staked   int64  `json:"staked" doc:"What was staked on them, with doubles and splits, in minor units."`
	PaidOut  int64  `json:"paid_out" doc:"What the guests got: what came back of stakes, and all that was won, with bonuses."`
	Result   int64  `json:"result" doc:"The house's result: staked less paid_out."`
	Over     int64  `json:"over,omitempty" doc:"How much more was paid out than was due; below zero how much less. Missing where everything was paid as it was due."`
	VoidKept int64  `json:"void_kept,omitempty" doc:"Of result, what rounds came to that were declared void: what was decided before stays."`
	Unknown  uint64 `json:"unknown" doc:"How many of them have an amount that nobody entered; they add nothing to the amounts."`
}

// Sort puts the dealers in order.
func (t *Totals) Sort() {
	sort.Slice(t.Dealers, func(i, j int) bool {
		a, b := &t.Dealers[i], &t.Dealers[j]
		return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Dealer, b.Dealer), cmp.Compare(a.Shift, b.Shift)) < 0
	})
}

// Sort puts the wagers in order.
func (p *Period) Sort() {
	sort.Slice(p.Wagers, func(i, j int) bool {
		a, b := &p.Wagers[i], &p.Wagers[j]
		return cmp.Or(cmp.Compare(a.Game, b.Game), cmp.Compare(a.Currency, b.Currency),
			cmp.Compare(a.Wager, b.Wager)) < 0
	})
}

// AppendTotals appends the message to dst and returns it.
func AppendTotals(dst []byte, t Totals) []byte { return appendMessage(dst, &t) }
