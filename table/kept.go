package table

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
)

// Kept is what a table keeps from one round to the next of the game itself. A round
// begins with it, and is dealt again from it.
type Kept struct {
	// Round is the number of the round under way, or of the last one.
	Round uint64 `json:"round"`
	// Waiting are cards that lie open and become the next cards due.
	Waiting []card.Card `json:"waiting,omitempty"`
	Shoe    ShoeState   `json:"shoe"`
	// Seen counts the cards that left the shoe since it was loaded or, where cards go
	// back after each round, in this round.
	Seen CardCounts `json:"seen,omitzero"`
	// Jackpot is the progressive jackpot's amount now.
	Jackpot int64 `json:"jackpot,omitempty"`
	// Alone: the jackpot is one of several tables, and the pit that has its meter is not heard.
	Alone bool `json:"alone,omitempty"`
	// Lines are the chips that lie on the lines of the boxes since the last round.
	Lines []OnLine `json:"lines,omitempty"`
}

// ShoeState is what the engine was told of the shoe.
type ShoeState struct {
	Offline bool
	// CutCard: the round under way is the last before the cards are shuffled.
	CutCard bool
	ShoeIdentity
}

// ShoeIdentity is which shoe deals, and what is in it, "" where nobody said so. It stays
// known while the shoe is offline.
type ShoeIdentity struct {
	// Maker is its make, Serial its serial number and Firmware the version of its firmware:
	// not every make tells these two.
	Maker    string `json:"maker,omitempty"`
	Serial   string `json:"serial,omitempty"`
	Firmware string `json:"firmware,omitempty"`
	// Packs are those that were put in last, and By who did.
	Packs string `json:"packs,omitempty"`
	By    string `json:"by,omitempty"`
}

// set copies another moment's, into the memory that there is.
func (k *Kept) set(from *Kept) {
	waiting, lines := append(k.Waiting[:0], from.Waiting...), append(k.Lines[:0], from.Lines...)
	*k = *from
	k.Waiting, k.Lines = waiting, lines
}

// People are who works at the table, "" if nobody said so.
type People struct {
	Dealer string `json:"dealer,omitempty"`
	Shift  string `json:"shift,omitempty"`
}

// Carry is what a table takes from one round into the next, beside its rules.
type Carry struct {
	Kept
	// Alerts wait for somebody to acknowledge them.
	Alerts []Alert `json:"alerts,omitempty"`
	People
	// Counts are the irregularities since the dealer took over.
	Counts []CodeCount `json:"counts,omitempty"`
	// Held are the doubts about the record that hold the table.
	Held []Doubt `json:"held,omitempty"`
	// Opening says whether the table is open.
	Opening Opening `json:"opening,omitzero"`
	// Announced are its limits, nil where they are those of the rules.
	Announced *Announced `json:"limits,omitempty"`
	// Unloaded is what was known of the shoe before it was loaded, nil where that cannot be
	// taken back.
	Unloaded *Unloaded `json:"unloaded,omitempty"`
	// Burning is what is left to be burnt before the next round.
	Burning rules.Burn `json:"burn,omitzero"`
	// OneMore: a supervisor lets the next round be dealt though the cut card has come.
	OneMore bool `json:"one_more,omitempty"`
	// Order is the order in which the shoe deals.
	Order Sequence `json:"order,omitzero"`
	// Adjusted is the record that adjusted a past round last, 0 for none: each names the one before.
	Adjusted uint64 `json:"adjusted,omitempty"`
	// Tray is what must be in the tray.
	Tray Tray `json:"tray,omitzero"`
	// Last is the round whose payment can be taken back, nil for none.
	Last *Last `json:"last,omitempty"`
}

// Doubt is an irregularity of the record that nobody has put right, and what was found.
type Doubt struct {
	Code  irregularity.Code `json:"code"`
	Found string            `json:"found,omitempty"`
}

// Resume returns a table between two rounds, as Carry described it.
func Resume(r *rules.Rules, c Carry) *Table {
	t := &Table{}
	t.setUp(r)
	t.announce(c.Announced)
	t.lay(c.Last)
	t.people, t.opening = c.People, c.Opening
	t.kept.set(&c.Kept)
	t.unloaded, t.adjusted, t.burning = c.Unloaded.copied(), c.Adjusted, c.Burning
	t.oneMore, t.sequence, t.tray = c.OneMore, c.Order, c.Tray.copied()
	t.dueBetween()
	t.alerts.restore(c.Alerts, c.Counts)
	for _, d := range c.Held {
		t.held = append(t.held, Irregularity{Code: d.Code, Found: d.Found, Choices: t.choicesFor(d.Code)})
	}
	return t
}

// Carry returns what Resume needs. It says all only while the table is Settled.
func (t *Table) Carry() Carry {
	var c Carry
	t.CarryOver(&c)
	return c
}

// CarryOver writes what Carry returns over an earlier one, into the memory that there is.
func (t *Table) CarryOver(c *Carry) {
	kept, last := c.Kept, c.Last
	*c = Carry{
		People: t.people, Alerts: slices.Collect(t.Alerts), Counts: t.alerts.countList(), Held: t.doubts(),
		Opening: t.opening, Announced: t.announced(), Unloaded: t.unloaded.copied(), Last: t.last(last),
		Adjusted: t.adjusted,
		Burning:  t.burning, OneMore: t.oneMore, Order: t.sequence, Tray: t.tray.copied(),
	}
	c.Kept = kept
	c.Kept.set(&t.kept)
}

// doubts lists what holds the table because of its record.
func (t *Table) doubts() []Doubt {
	var list []Doubt
	for _, i := range t.held {
		if i.Code.OfRecord() {
			list = append(list, Doubt{i.Code, i.Found})
		}
	}
	return list
}
