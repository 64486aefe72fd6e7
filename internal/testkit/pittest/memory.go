package pittest

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
)

// Memory has rounds in memory, and answers as a store.Store does: the measure of that, for demonstrations and tests.
type Memory struct {
	Day    store.Day
	Played []Played
	// Known are rules by fingerprint.
	Known map[string]*rules.Rules
}

// Played is a round with all that figures are made of.
type Played struct {
	store.Round
	Bets  []Bet
	Codes []string
}

// Bet is what one kind of wager came to in a round, by what was staked on each box.
type Bet struct {
	Wager          string
	Count, Unknown int64
	Boxes          []int64
	// Returned is what the guests got, and Over how much more of it than was due.
	Returned, Over int64
}

// CasinoTable names a table of the casino.
func CasinoTable(name string) topic.Table {
	t, err := topic.NewTable("casino", name)
	if err != nil {
		panic(err)
	}
	return t
}

// Rules are those that are known, for figures.Options.
func (m *Memory) Rules(_ context.Context, fingerprint string) (*rules.Rules, error) {
	return m.Known[fingerprint], nil
}

// wager is what a bet came to as the store has it.
func (b *Bet) wager(void bool) tally.Wager {
	w := tally.Wager{Wager: b.Wager, Count: b.Count, Unknown: b.Unknown, Returned: b.Returned, Due: b.Returned - b.Over}
	for _, staked := range b.Boxes {
		w.Staked += staked
		w.BoxSquares += float64(staked) * float64(staked)
	}
	if void {
		w.Kept = w.Staked - w.Returned
	}
	return w
}

// round is a round as the store finds it.
func (p *Played) round() store.Round {
	r := p.Round
	r.Wagers, r.Staked, r.Returned, r.Due, r.Irregularities = nil, 0, 0, 0, nil
	for i := range p.Bets {
		w := p.Bets[i].wager(p.Void)
		r.Wagers = append(r.Wagers, w)
		r.Staked, r.Returned, r.Due = r.Staked+w.Staked, r.Returned+w.Returned, r.Due+w.Due
	}
	for _, name := range p.Codes {
		code, _ := irregularity.ParseCode(name)
		r.Irregularities = append(r.Irregularities, tally.Irregularity{Code: code, Raised: p.Opened})
	}
	return r
}

// Sums implements figures.Source.
func (m *Memory) Sums(_ context.Context, q store.Query) ([]store.Sum, error) {
	sums := map[store.Key]*store.Sum{}
	for i := range m.Played {
		p := &m.Played[i]
		day, hour := m.Day.Of(p.Opened), m.Day.Hour(p.Opened)
		if q.First != 0 && day < q.First || q.Last != 0 && day > q.Last || hour.Before(q.From) || !q.To.IsZero() &&
			!hour.Before(q.To) ||
			lacks(q.Tables, p.Table) || lacks(q.Dealers, p.Dealer) || lacks(q.Houses, p.House) {
			continue
		}
		of, r := tally.Sums{}, p.round()
		of.Round(&r.Round, 1)
		for i := range r.Irregularities {
			of.Irregularity(&r.Irregularities[i])
		}
		for name, sum := range of {
			if name.Of != q.Of || name.Of == tally.OfWagers && lacks(q.Wagers, name.Name) ||
				name.Of == tally.OfIrregularities && lacks(q.Codes, name.Name) {
				continue
			}
			k := keyOf(p, hour, name.Name, q.By)
			if sums[k] == nil {
				sums[k] = &store.Sum{Key: k}
			}
			sums[k].Add(sum, 1)
		}
	}
	var list []store.Sum
	for _, sum := range sums {
		list = append(list, *sum)
	}
	slices.SortFunc(list, func(a, b store.Sum) int {
		return cmp.Or(cmp.Compare(a.House, b.House), cmp.Compare(a.Rules, b.Rules),
			cmp.Compare(a.Table.Name(), b.Table.Name()),
			cmp.Compare(a.Dealer, b.Dealer), a.Hour.Compare(b.Hour), cmp.Compare(a.Wager, b.Wager),
			cmp.Compare(a.Code, b.Code))
	})
	return list, nil
}

// lacks says that something is asked for, and this is none of it.
func lacks[T comparable](asked []T, is T) bool { return len(asked) > 0 && !slices.Contains(asked, is) }

// keyOf is the key of a round's sum, of a wager or code of a name, for groups.
func keyOf(p *Played, hour time.Time, name string, by []store.Group) (k store.Key) {
	k.Currency = p.Currency
	for _, one := range by {
		switch one {
		case store.ByTable:
			k.Table = p.Table
		case store.ByDealer:
			k.Dealer = p.Dealer
		case store.ByHour:
			k.Hour = hour
		case store.ByHouse:
			k.House = p.House
		case store.ByRules:
			k.Rules = p.Rules
		case store.ByWager:
			k.Wager = name
		case store.ByCode:
			k.Code = name
		}
	}
	return k
}

// Rounds implements figures.Source.
func (m *Memory) Rounds(_ context.Context, q store.RoundQuery) (list []store.Round, err error) {
	for i := range m.Played {
		p := &m.Played[i]
		bet := func(b Bet) bool { return b.Wager == q.Wager }
		if p.Opened.Before(q.From) || !q.To.IsZero() && !p.Opened.Before(q.To) || lacks(q.Tables, p.Table) ||
			lacks(q.Dealers, p.Dealer) ||
			lacks(q.Houses, p.House) || q.Code != "" && !slices.Contains(p.Codes, q.Code) || q.Wager != "" &&
			!slices.ContainsFunc(p.Bets, bet) {
			continue
		}
		list = append(list, p.round())
	}
	slices.SortStableFunc(list, func(a, b store.Round) int { return b.Opened.Compare(a.Opened) })
	if q.Limit > 0 {
		list = list[:min(q.Limit, len(list))]
	}
	return list, nil
}

// CountRounds implements figures.Source.
func (m *Memory) CountRounds(ctx context.Context, q store.RoundQuery) (int64, error) {
	q.Limit = 0
	list, err := m.Rounds(ctx, q)
	return int64(len(list)), err
}

// Tables implements figures.Source.
func (m *Memory) Tables(context.Context) (list []topic.Table, err error) {
	for i := range m.Played {
		if !slices.Contains(list, m.Played[i].Table) {
			list = append(list, m.Played[i].Table)
		}
	}
	return list, nil
}
