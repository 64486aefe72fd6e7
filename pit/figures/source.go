package figures

import (
	"context"
	"time"

	"github.com/sabot-table/sabot/pit/luck"
	"github.com/sabot-table/sabot/table/rules"
)

// Query says which rounds are looked at, by when they were opened and what they are. What is zero is not asked for.
type Query struct {
	// From is the first moment, To the first after: the beginnings of gaming days, or of hours.
	From, To time.Time
	Site     string
	Table    string
	Dealer   string
	House    string
	// Wager is a name: Wagers are of it alone, and Rounds are those that had it. Pace and Wrongs do not ask for it.
	Wager string
	// Code is that of an irregularity: Wrongs are of it alone, and Rounds are those that had it. Pace and Wagers do not
	// ask for it.
	Code string
}

// By says what sums are grouped by, besides the house, its rules and the currency, which never mix.
type By uint8

// The groupings.
const (
	ByTable By = 1 << iota
	ByDealer
	ByHour
)

// Key is what a sum is of. What it is not grouped by is zero.
type Key struct {
	Site, Table, Dealer string
	// Hour is its beginning.
	Hour time.Time
	// House and Currency are names, Rules a fingerprint.
	House, Rules, Currency string
}

// Pace is how rounds went. Rounds declared void are in Rounds.
type Pace struct {
	Key
	Rounds, Void, Hands int64
	// Boxes counts those played, Places those that could have been: the table's boxes, round by round.
	Boxes, Places int64
	// Decisions counts calls, and Deciding is how long they took together.
	Decisions int64
	Deciding  time.Duration
	// Dealt is how long was dealt: from the opening of each round to that of the next, at most five minutes; of the
	// last one until its end.
	Dealt time.Duration
}

// Wager is what one kind of wager came to. A wager of a void round, one that was declared dead, and one whose amount
// nobody entered, add nothing to Sum.
type Wager struct {
	Key
	Wager string
	// Count is how many were decided, and Unknown those of them without an amount.
	Count, Unknown int64
	// Taken is what was staked on them and Given what the guests got, in void rounds, too: what has passed over the
	// tray.
	Taken, Given int64
	// Over is how much more of Given was paid than was due, and Kept what void rounds and dead wagers came to, of Taken
	// - Given.
	Over, Kept int64
	luck.Sum
}

// Wrong counts irregularities of one code.
type Wrong struct {
	Key
	Code  string
	Count int64
}

// Round is a round in a list. Amounts are in minor units.
type Round struct {
	Key
	// Journal is the one of the table's that has it: a new journal counts from 1 again.
	Journal       string
	Number        uint64
	Opened, Ended time.Time
	Boxes, Hands  int64
	Void          bool
	// Staked and Returned are of the wager that was asked for, or of all, and Over is how much more was paid than was
	// due.
	Staked, Returned, Over int64
	Codes                  []string
}

// Source is where sums come from. It is asked by several requests at once.
type Source interface {
	Pace(context.Context, Query, By) ([]Pace, error)
	Wagers(context.Context, Query, By) ([]Wager, error)
	Wrongs(context.Context, Query, By) ([]Wrong, error)
	// Rounds returns at most most rounds, the latest first, and how many there are.
	Rounds(ctx context.Context, q Query, most int) (list []Round, all int64, err error)
	// Rules are the rules with a fingerprint, nil if they are not known.
	Rules(ctx context.Context, fingerprint string) (*rules.Rules, error)
	// Names lists the tables and the dealers of the rounds that are looked at.
	Names(ctx context.Context, from, to time.Time) (tables, dealers []string, err error)
}
