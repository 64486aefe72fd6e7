package web

import (
	"slices"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
)

// shareModel is what a bettor of a box gets in the payment, or what is taken: a touch of it settles this bettor alone.
// Done says that this has been.
type shareModel struct {
	Key   keyModel
	Done  bool
	Name  string
	First movingModel
	// More are further moves, and Chips those of what is paid; Small says that there are any.
	More  []movingModel
	Chips chipsModel
	Small bool
}

// layShares puts the bettors of a box on it who can be settled alone, and says whether there are several and they fit,
// in chips if there is the room. They say what the rows of a single hand would; those of split hands stay, since each
// hand has its own end, and so do those beside the hands, since each wager has.
func (r renderer) layShares(v display.View, beside []display.Line, b *display.Box, each []touch.One, m *boxModel,
	at room,
) bool {
	if !r.hands || b.Paid {
		return false
	}
	with := *m
	with.Shares = r.shares(v, b, each)
	if len(with.Shares) < 2 {
		return false
	}
	if len(m.Hands) == 1 {
		with.Hands = slices.Clone(m.Hands)
		with.Hands[0].Rows = slices.DeleteFunc(slices.Clone(m.Hands[0].Rows), with.says)
	}
	least := len(steps)
	if len(m.Hands) > 1 {
		least = leastSplit // what lies on each hand is read first
	}
	brief := with
	brief.Others = r.fewer(v, beside)
	bare := brief
	bare.Shares = slices.Clone(brief.Shares)
	for i := range bare.Shares {
		bare.Shares[i].Chips = chipsModel{}
		bare.Shares[i].Small = len(bare.Shares[i].More) > 0
	}
	if m.lay(at, least, &with, &brief, &bare) {
		return true
	}
	// With the cards beside the number there is more room.
	at.high += numberHigh
	if len(m.Hands) > 1 || !m.lay(at, least, &brief, &bare) {
		return false
	}
	m.fit = tightly + m.fit
	return true
}

// lay makes a box the first of several forms of it that fits, and says whether one did.
func (m *boxModel) lay(at room, most int, forms ...*boxModel) bool {
	for _, one := range forms {
		if size := at.fitTo(*one, most); size != "" {
			*m = *one
			m.fit = size
			return true
		}
	}
	return false
}

// layChips says in which chips the only bettor of a box is paid, if there is the room.
func (r renderer) layChips(v display.View, each []touch.One, m *boxModel, at room) bool {
	if !r.hands || len(each) != 1 || each[0].Share.Pay == 0 {
		return false
	}
	with := *m
	with.Chips = r.inChips(v, each[0].Share.Pay)
	return m.lay(at, len(steps), &with)
}

// leastSplit is how many of the sizes of text split hands may have beside shares.
const leastSplit = 5

// shares are those of a box's bettors in the order of its wagers, none once all of them are settled.
func (r renderer) shares(v display.View, b *display.Box, each []touch.One) (all []shareModel) {
	if len(each) == 0 {
		return nil
	}
	for i := range b.Payouts {
		name := b.Payouts[i].Bettor
		if slices.ContainsFunc(all, func(one shareModel) bool { return one.Name == name }) {
			continue
		}
		m := shareModel{Name: name, Done: true}
		for k := range each {
			if one := &each[k]; one.Bettor == name {
				m.Key, m.Done = r.key(one.Pay), false
				m.Chips = r.inChips(v, one.Share.Pay)
			}
		}
		moves := r.moves(v, b, name, m.Done)
		if len(moves) == 0 {
			continue
		}
		m.First, m.More = moves[0], moves[1:]
		m.Small = len(m.More)+len(m.Chips.Stacks) > 0
		all = append(all, m)
	}
	return all
}

// says reports whether a box's shares say what a row does: not what was moved already for a bettor who gets more.
func (m *boxModel) says(row rowModel) bool {
	at := slices.IndexFunc(m.Shares, func(one shareModel) bool { return one.Name == row.Name })
	return at >= 0 && (m.Shares[at].Done || !strings.HasSuffix(row.Kind, movedKind))
}
