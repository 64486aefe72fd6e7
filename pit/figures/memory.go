package figures

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/sabot-table/sabot/pit/luck"
	"github.com/sabot-table/sabot/table/rules"
)

// Memory is a Source of rounds in memory: the measure of every other Source, for demonstrations and tests.
type Memory struct {
	Played []Played
	// Known are rules by fingerprint.
	Known map[string]*rules.Rules
}

// Played is a round with all that figures are made of.
type Played struct {
	Round
	Places, Decisions int64
	Deciding, Dealt   time.Duration
	Bets              []Bet
}

// Bet is what one kind of wager came to in a round, by what was staked on each box.
type Bet struct {
	Wager          string
	Count, Unknown int64
	Boxes          []int64
	// Returned is what the guests got, and Over how much more of it than was due.
	Returned, Over int64
}

func (q Query) takes(p *Played) bool {
	switch {
	case !q.From.IsZero() && p.Opened.Before(q.From), !q.To.IsZero() && !p.Opened.Before(q.To):
		return false
	case q.Site != "" && q.Site != p.Site, q.Table != "" && q.Table != p.Table, q.Dealer != "" && q.Dealer != p.Dealer,
		q.House != "" && q.House != p.House:
		return false
	case q.Code != "" && !slices.Contains(p.Codes, q.Code):
		return false
	}
	return q.Wager == "" || slices.ContainsFunc(p.Bets, func(b Bet) bool { return b.Wager == q.Wager })
}

// in is the key of a round for a grouping.
func (by By) in(p *Played) Key {
	k := Key{House: p.House, Rules: p.Rules, Currency: p.Currency}
	if by&ByTable != 0 {
		k.Site, k.Table = p.Site, p.Table
	}
	if by&ByDealer != 0 {
		k.Dealer = p.Dealer
	}
	if by&ByHour != 0 {
		k.Hour = p.Opened.Truncate(time.Hour)
	}
	return k
}

// each goes through the rounds of a query.
func (m *Memory) each(q Query, see func(*Played)) {
	for i := range m.Played {
		if q.takes(&m.Played[i]) {
			see(&m.Played[i])
		}
	}
}

// Pace implements Source.
func (m *Memory) Pace(_ context.Context, q Query, by By) ([]Pace, error) {
	sums := map[Key]*Pace{}
	q.Wager, q.Code = "", ""
	m.each(q, func(p *Played) {
		k := by.in(p)
		if sums[k] == nil {
			sums[k] = &Pace{Key: k}
		}
		s := sums[k]
		s.Rounds++
		if p.Void {
			s.Void++
		}
		s.Boxes, s.Hands, s.Places = s.Boxes+p.Boxes, s.Hands+p.Hands, s.Places+p.Places
		s.Decisions, s.Deciding, s.Dealt = s.Decisions+p.Decisions, s.Deciding+p.Deciding, s.Dealt+p.Dealt
	})
	return listed(sums, func(p *Pace) Key { return p.Key }), nil
}

// Wagers implements Source.
func (m *Memory) Wagers(_ context.Context, q Query, by By) ([]Wager, error) {
	type of struct {
		Key
		wager string
	}
	sums := map[of]*Wager{}
	q.Code = ""
	m.each(q, func(p *Played) {
		for _, b := range p.Bets {
			if q.Wager != "" && q.Wager != b.Wager {
				continue
			}
			k := of{by.in(p), b.Wager}
			if sums[k] == nil {
				sums[k] = &Wager{Key: k.Key, Wager: b.Wager}
			}
			s := sums[k]
			s.Count, s.Unknown = s.Count+b.Count, s.Unknown+b.Unknown
			one := luck.Sum{}.Round(b.Returned, b.Boxes...)
			s.Taken, s.Given, s.Over = s.Taken+one.Staked, s.Given+one.Returned, s.Over+b.Over
			if p.Void {
				s.Kept += one.Won()
			} else {
				s.Sum = s.Add(one)
			}
		}
	})
	list := listed(sums, func(w *Wager) Key { return w.Key })
	slices.SortStableFunc(list, func(a, b Wager) int {
		return cmp.Or(compare(a.Key, b.Key), cmp.Compare(a.Wager, b.Wager))
	})
	return list, nil
}

// Wrongs implements Source.
func (m *Memory) Wrongs(_ context.Context, q Query, by By) ([]Wrong, error) {
	type of struct {
		Key
		code string
	}
	sums := map[of]*Wrong{}
	q.Wager = ""
	m.each(q, func(p *Played) {
		for _, code := range p.Codes {
			if q.Code != "" && q.Code != code {
				continue
			}
			k := of{by.in(p), code}
			if sums[k] == nil {
				sums[k] = &Wrong{Key: k.Key, Code: code}
			}
			sums[k].Count++
		}
	})
	list := listed(sums, func(w *Wrong) Key { return w.Key })
	slices.SortStableFunc(list, func(a, b Wrong) int {
		return cmp.Or(compare(a.Key, b.Key), cmp.Compare(a.Code, b.Code))
	})
	return list, nil
}

// Rounds implements Source.
func (m *Memory) Rounds(_ context.Context, q Query, most int) (list []Round, all int64, err error) {
	m.each(q, func(p *Played) {
		r := p.Round
		r.Staked, r.Returned, r.Over = 0, 0, 0
		for _, b := range p.Bets {
			if q.Wager == "" || q.Wager == b.Wager {
				one := luck.Sum{}.Round(b.Returned, b.Boxes...)
				r.Staked, r.Returned, r.Over = r.Staked+one.Staked, r.Returned+one.Returned, r.Over+b.Over
			}
		}
		list = append(list, r)
	})
	slices.SortStableFunc(list, func(a, b Round) int { return b.Opened.Compare(a.Opened) })
	return list[:min(most, len(list))], int64(len(list)), nil
}

// Rules implements Source.
func (m *Memory) Rules(_ context.Context, fingerprint string) (*rules.Rules, error) {
	return m.Known[fingerprint], nil
}

// Names implements Source.
func (m *Memory) Names(_ context.Context, from, to time.Time) (tables, dealers []string, err error) {
	t, d := map[string]bool{}, map[string]bool{}
	m.each(Query{From: from, To: to}, func(p *Played) {
		t[p.Table] = true
		if p.Dealer != "" {
			d[p.Dealer] = true
		}
	})
	return slices.SortedFunc(maps.Keys(t), byNumber), slices.Sorted(maps.Keys(d)), nil
}

func listed[K comparable, V any](sums map[K]*V, key func(*V) Key) (list []V) {
	for _, v := range sums {
		list = append(list, *v)
	}
	slices.SortFunc(list, func(a, b V) int { return compare(key(&a), key(&b)) })
	return list
}

func compare(a, b Key) int {
	return cmp.Or(
		cmp.Compare(a.House, b.House), cmp.Compare(a.Rules, b.Rules), cmp.Compare(a.Currency, b.Currency),
		cmp.Compare(a.Site, b.Site), byNumber(a.Table, b.Table), cmp.Compare(a.Dealer, b.Dealer),
		a.Hour.Compare(b.Hour),
	)
}

// byNumber orders bj-2 before bj-10.
func byNumber(a, b string) int {
	if d := cmp.Compare(len(a), len(b)); d != 0 && a != "" && b != "" && a[0] == b[0] {
		return d
	}
	return cmp.Compare(a, b)
}
