package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/money"
)

// A round's row has what lay on each of its boxes as a text, and two numbers with a bit for each box and each card,
// which are in the indexes: a search passes over the rounds that cannot fit without reading them, and reads the text of
// the others.

// unlaid are the bits of a round of which nobody knows what lay where: an earlier version has kept it.
const unlaid = -1

// laysText writes what lay where as a round's row has it, "" where that is not known.
func laysText(list []tally.Lay) string {
	var b strings.Builder
	for i, on := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%d:%d:%d:", on.Box, on.Staked, on.Returned)
		for n, c := range on.Cards {
			if n > 0 {
				b.WriteByte('.')
			}
			b.WriteString(c.String())
		}
	}
	return b.String()
}

// parseLays reads what laysText has written.
func parseLays(text string) (list []tally.Lay, err error) {
	for one := range strings.FieldsSeq(text) {
		on, err := parseLay(one)
		if err != nil {
			return nil, fmt.Errorf("what lay on the boxes of a round, %q, cannot be read: %w", text, err)
		}
		list = append(list, on)
	}
	return list, nil
}

func parseLay(text string) (on tally.Lay, err error) {
	parts := strings.Split(text, ":")
	if len(parts) != 4 {
		return on, fmt.Errorf("%q has not four parts", text)
	}
	box, err := strconv.ParseUint(parts[0], 10, 8)
	if err != nil {
		return on, err
	}
	on.Box = uint8(box)
	for i, into := range []*int64{&on.Staked, &on.Returned} {
		if *into, err = strconv.ParseInt(parts[i+1], 10, 64); err != nil {
			return on, err
		}
	}
	for one := range strings.SplitSeq(parts[3], ".") {
		if one == "" {
			continue
		}
		c, err := card.Parse(one)
		if err != nil {
			return on, err
		}
		on.Cards = append(on.Cards, c)
	}
	return on, nil
}

// layBits has a bit for each box on which something lay, and for each card that lay anywhere.
func layBits(list []tally.Lay) (boxes, cards int64) {
	if list == nil {
		return unlaid, unlaid
	}
	for _, on := range list {
		boxes |= boxBit(on.Box)
		for _, c := range on.Cards {
			cards |= cardBit(c)
		}
	}
	return boxes, cards
}

// mostBoxBits is more than the boxes of any table.
const mostBoxBits = 62

func boxBit(box uint8) int64 {
	if box > mostBoxBits {
		return 0
	}
	return 1 << box
}

// cardBit is a card's bit, 0 for one that was not read.
func cardBit(c card.Card) int64 {
	switch {
	case c == card.Joker:
		return 1 << 52
	case c.Ranked():
		return 1 << (int(c.Suit())*int(card.King) + int(c.Rank()) - 1)
	}
	return 0
}

// AsksLays says whether rounds are looked for by what lay on their boxes.
func (q *RoundQuery) AsksLays() bool { return len(q.Boxes) > 0 || len(q.Cards) > 0 }

// Shows says whether something that lay on a box is what was looked for.
func (q *RoundQuery) Shows(on *tally.Lay) bool {
	return q.AsksLays() && (len(q.Boxes) == 0 || slices.Contains(q.Boxes, on.Box)) && q.hasCard(on)
}

// hasCard says whether one of the cards that are looked for lies there; any where none are.
func (q *RoundQuery) hasCard(on *tally.Lay) bool {
	return len(q.Cards) == 0 || slices.ContainsFunc(on.Cards, func(c card.Card) bool {
		return slices.Contains(q.Cards, c)
	})
}

// mayLie adds the conditions that the indexes can judge.
func (q *RoundQuery) mayLie(f *filter) {
	var boxes, cards int64
	for _, box := range q.Boxes {
		boxes |= boxBit(box)
	}
	for _, c := range q.Cards {
		cards |= cardBit(c)
	}
	if len(q.Boxes) > 0 {
		f.add("(r.lay_boxes & ?) <> 0", boxes)
	}
	if len(q.Cards) > 0 {
		f.add("(r.lay_cards & ?) <> 0", cards)
	}
}

// fits says whether a round has a lay as the query wants it: one of the boxes, with one of the cards and the amounts.
// Where no box is asked for, a card may lie anywhere, and the amounts are the round's.
func (q *RoundQuery) fits(r *Round) bool {
	digits := money.Digits(r.Currency)
	staked, returned := q.inDigits(q.LeastStaked, digits), q.inDigits(q.LeastReturned, digits)
	return slices.ContainsFunc(r.Lays, func(on tally.Lay) bool {
		if len(q.Boxes) > 0 && (!slices.Contains(q.Boxes, on.Box) || on.Staked < staked || on.Returned < returned) {
			return false
		}
		return q.hasCard(&on)
	})
}

// A search among the lays reads as many rounds as may fit at a time, more each time.
const (
	fewLays  = 256
	mostLays = 8192
)

// findLaid finds rounds by what lay on their boxes, latest first: those that the indexes do not rule out are read one
// after the other, until there are enough.
func (s *Store) findLaid(ctx context.Context, q *RoundQuery, p *roundPlan) (list []Round, err error) {
	skip, after := max(0, q.Skip), len(p.f.and)
	args := len(p.f.args)
	for read := fewLays; ; read = min(4*read, mostLays) {
		found, err := s.readRounds(ctx, p, read, 0)
		if err != nil {
			return nil, err
		}
		for i := range found {
			if !q.fits(&found[i]) {
				continue
			}
			if skip > 0 {
				skip--
				continue
			}
			if list = append(list, found[i]); len(list) == p.limit {
				return list, nil
			}
		}
		if len(found) < read {
			return list, nil
		}
		last := &found[len(found)-1]
		p.f.and, p.f.args = p.f.and[:after], p.f.args[:args]
		p.f.add("(r.opened, r.journal, r.first) < (?, ?, ?)", last.Opened.UnixNano(), last.journal, int64(last.First))
	}
}

// UnlaidUntil is when the last round was opened that cannot be found by box or card, since an earlier version has kept
// it and it was not counted anew; zero for none.
func (s *Store) UnlaidUntil(ctx context.Context) (until time.Time, err error) {
	defer about(&err, "find rounds whose cards are not known")
	var last sql.NullInt64
	err = s.read.QueryRowContext(ctx, `SELECT max(opened) FROM round WHERE lays = ''`).Scan(&last)
	if last.Valid {
		until = s.day.local(last.Int64)
	}
	return until, err
}

// leaveUnlaid leaves what lay on the boxes out of the rounds of which that is not kept, and says in one line how many
// they are.
func (c *changes) leaveUnlaid(ctx context.Context, from queryer, place int64, table topic.Table,
	differ *[]string,
) error {
	type name struct {
		journal int64
		first   uint64
	}
	without := map[name]bool{}
	err := eachRow(ctx, from, `SELECT journal, first FROM round WHERE place = $1 AND lays = ''`, []any{place},
		func(scan scan) error {
			var one name
			err := scan(&one.journal, &one.first)
			without[one] = true
			return err
		})
	if err != nil || len(without) == 0 {
		return err
	}
	for i := range c.rounds {
		if r := &c.rounds[i]; without[name{r.journal, r.First}] {
			r.Lays = nil
		}
	}
	*differ = append(*differ, fmt.Sprintf("table %s: %d rounds of an earlier version lack what lay on their boxes",
		table, len(without)))
	return nil
}
