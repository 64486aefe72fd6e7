package figures

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/sabot-table/sabot/pit/luck"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// outside is how often luck alone leaves the band: one night of twenty.
const outside = .05

// picture is all that the page of figures shows, without a language.
type picture struct {
	all pace
	// money is by currency.
	money           []money
	lucks           []lucky
	hours           []pace
	tables, dealers []pace
	codes           []rate
	occupied        []row
	// taken is what tables and dealers have come to.
	taken []taken
	// unknown counts wagers without an amount, and void the void rounds by currency.
	unknown int64
	void    map[string]int64
}

// pace is the sums of rounds, with what went wrong in them.
type pace struct {
	store.Sum
	// chance is how likely so many irregularities, or more, are at the rate of all others; 1 where there are too few
	// rounds to say.
	chance float64
}

// money is what was staked and won in one currency.
type money struct {
	currency         string
	staked, returned int64
	// over is how much more was paid than was due, and kept what void rounds came to.
	over, kept int64
	expected   float64
	// known says that the expected win of all of it is known.
	known bool
}

// lucky is a wager of a house against its luck.
type lucky struct {
	store.Key
	luck.Sum
	luck.Verdict
	odds *luck.Odds
}

// rate is how often something went wrong.
type rate struct {
	code  string
	count int64
	// low and high bound the rate that 95 of 100 such counts are from.
	low, high float64
}

// row is a table's hours.
type row struct {
	table topic.Table
	hours []pace
}

func share(n, of int64) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// look asks the source for all that a page shows.
func (f *Figures) look(ctx context.Context, q Query) (*picture, error) {
	q.Wager, q.Code = "", "" // they are of the lists of rounds
	paces, err := f.sums(ctx, q, tally.OfRounds, store.ByTable, store.ByDealer, store.ByHour)
	if err != nil {
		return nil, err
	}
	wagers, err := f.sums(ctx, q, tally.OfWagers, store.ByTable, store.ByDealer, store.ByWager)
	if err != nil {
		return nil, err
	}
	wrongs, err := f.sums(ctx, q, tally.OfIrregularities, store.ByTable, store.ByDealer, store.ByCode)
	if err != nil {
		return nil, err
	}
	wrongs = slices.DeleteFunc(wrongs, func(w store.Sum) bool { return noBreach(w.Code) })
	p := &picture{void: map[string]int64{}}
	p.count(paces, wrongs)
	p.taken = takings(paces, wagers)
	return p, f.judge(ctx, p, together(wagers))
}

// together adds wagers up over tables and dealers.
func together(wagers []store.Sum) []store.Sum {
	sums := map[store.Key]*store.Sum{}
	for i := range wagers {
		w := &wagers[i]
		k := store.Key{House: w.House, Rules: w.Rules, Currency: w.Currency, Wager: w.Wager}
		if sums[k] == nil {
			sums[k] = &store.Sum{Key: k}
		}
		sums[k].Add(&w.Sum, 1)
	}
	return listed(sums, func(s *store.Sum) store.Key { return s.Key })
}

// noBreach says that a code is of a word between the table and the pit: nothing went wrong.
func noBreach(name string) bool {
	code, known := irregularity.ParseCode(name)
	return known && code.Word()
}

// count sums rounds by hour, table and dealer.
func (p *picture) count(paces, wrongs []store.Sum) {
	hours, tables, dealers := map[store.Key]*pace{}, map[store.Key]*pace{}, map[store.Key]*pace{}
	cells := map[store.Key]*pace{}
	for i := range paces {
		one := &paces[i]
		p.all.Add(&one.Sum, 1)
		p.void[one.Currency] += one.Void
		into(hours, store.Key{Hour: one.Hour}).Add(&one.Sum, 1)
		into(tables, store.Key{Table: one.Table}).Add(&one.Sum, 1)
		into(dealers, store.Key{Dealer: one.Dealer}).Add(&one.Sum, 1)
		into(cells, store.Key{Table: one.Table, Hour: one.Hour}).Add(&one.Sum, 1)
	}
	codes := map[string]int64{}
	for i := range wrongs {
		one := &wrongs[i]
		p.all.Irregularities += one.Irregularities
		codes[one.Code] += one.Irregularities
		into(tables, store.Key{Table: one.Table}).Irregularities += one.Irregularities
		into(dealers, store.Key{Dealer: one.Dealer}).Irregularities += one.Irregularities
	}
	p.hours, p.tables, p.dealers = p.ordered(hours), p.ordered(tables), p.ordered(dealers)
	for code, n := range codes {
		r := rate{code: code, count: n}
		r.low, r.high = poissonBounds(n)
		p.codes = append(p.codes, r)
	}
	slices.SortFunc(p.codes, func(a, b rate) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.code, b.code))
	})
	for _, t := range p.tables {
		r := row{table: t.Table}
		for _, h := range p.hours {
			cell := pace{Sum: store.Sum{Key: store.Key{Table: t.Table, Hour: h.Hour}}}
			if have := cells[cell.Key]; have != nil {
				cell = *have
			}
			r.hours = append(r.hours, cell)
		}
		p.occupied = append(p.occupied, r)
	}
}

func into(sums map[store.Key]*pace, k store.Key) *pace {
	if sums[k] == nil {
		sums[k] = &pace{Sum: store.Sum{Key: k}}
	}
	return sums[k]
}

// fewestRounds are the rounds, some forty minutes of a quick dealer, from which on a table or a dealer is compared with
// all others.
const fewestRounds = 50

// ordered lists sums, and says how likely what went wrong in each is.
func (p *picture) ordered(sums map[store.Key]*pace) []pace {
	list := listed(sums, func(v *pace) store.Key { return v.Key })
	for i := range list {
		one := &list[i]
		others := p.all.Irregularities - one.Irregularities
		one.chance = 1
		if rounds := p.all.Rounds - one.Rounds; one.Rounds >= fewestRounds && rounds >= fewestRounds {
			one.chance = poissonAtLeast(one.Irregularities, float64(others)*float64(one.Rounds)/float64(rounds))
		}
	}
	return list
}

// judge compares every wager with its luck. What is off comes first, then the houses in order.
func (f *Figures) judge(ctx context.Context, p *picture, wagers []store.Sum) error {
	sums := map[string]*money{}
	for i := range wagers {
		w := &wagers[i]
		if sums[w.Currency] == nil {
			sums[w.Currency] = &money{currency: w.Currency, known: true}
		}
		m := sums[w.Currency]
		p.unknown += w.Unknown
		odds, err := f.odds(ctx, w.Rules, w.Wager)
		if err != nil {
			return err
		}
		m.staked, m.returned = m.staked+w.Staked, m.returned+w.Returned
		m.over, m.kept = m.over+w.Returned-w.Due, m.kept+w.Kept
		if w.Counted == 0 {
			continue
		}
		one := lucky{Key: w.Key, Sum: luckOf(&w.Sum), odds: odds}
		if odds == nil {
			m.known = false
		} else {
			one.Verdict = odds.Judge(one.Sum, outside)
			m.expected += one.Band.Expected
		}
		p.lucks = append(p.lucks, one)
	}
	for _, m := range sums {
		p.money = append(p.money, *m)
	}
	slices.SortFunc(p.money, func(a, b money) int { return cmp.Compare(a.currency, b.currency) })
	slices.SortStableFunc(p.lucks, func(a, b lucky) int {
		return cmp.Or(cmp.Compare(b.off(len(p.lucks)), a.off(len(p.lucks))), cmp.Compare(a.House, b.House),
			cmp.Compare(place(a.Wager), place(b.Wager)))
	})
	return nil
}

// off is how far luck fails to explain a result.
type off uint8

const (
	within off = iota
	// beyond the band lies one result of twenty.
	beyond
	// hardly luck is what not even the worst of all wagers on the page comes to, nineteen times of twenty.
	hardly
)

func (l *lucky) off(wagers int) off {
	switch {
	case l.odds == nil || l.Band.Few || !l.Out():
		return within
	case l.Likely < outside/float64(wagers):
		return hardly
	}
	return beyond
}

// place puts the main game before side bets.
func place(wager string) int {
	if wager == vocab.WagerMain.String() {
		return 0
	}
	return 1
}

// steps is how many points a wager's course has at most.
const steps = 24

// point is a wager's sums until a moment.
type point struct {
	until time.Time
	luck.Verdict
}

// course follows one wager of a house through a time, under the rules with a fingerprint; "" is those that were played
// last. A profile that was changed has another luck: the page of figures has a row for each. There are no points where
// nobody knows the odds.
func (f *Figures) course(ctx context.Context, q Query, rules string) (
	list []point, since time.Time, last *lucky, err error,
) {
	hours, err := f.sums(ctx, q, tally.OfWagers, store.ByHour, store.ByWager)
	if err != nil || len(hours) == 0 {
		return nil, since, nil, err
	}
	slices.SortFunc(hours, func(a, b store.Sum) int {
		return cmp.Or(a.Hour.Compare(b.Hour), cmp.Compare(a.Rules, b.Rules))
	})
	rules = cmp.Or(rules, hours[len(hours)-1].Rules)
	hours = slices.DeleteFunc(hours, func(h store.Sum) bool { return h.Rules != rules })
	odds, err := f.odds(ctx, rules, q.Wager)
	if err != nil || len(hours) == 0 {
		return nil, since, nil, err
	}
	last = &lucky{Key: hours[0].Key, odds: odds}
	if odds == nil {
		return nil, since, last, nil
	}
	stride := (len(hours) + steps - 1) / steps
	for i := range hours {
		h := &hours[i]
		last.Sum = last.Add(luckOf(&h.Sum))
		if (i+1)%stride == 0 || i == len(hours)-1 {
			last.Verdict = odds.Judge(last.Sum, outside)
			list = append(list, point{h.Hour.Add(time.Hour), last.Verdict})
		}
	}
	return list, hours[0].Hour, last, nil
}

// poissonAtLeast is how likely n or more come where mean are expected.
func poissonAtLeast(n int64, mean float64) float64 {
	if n <= 0 {
		return 1
	}
	if mean > 500 { // where the terms below would vanish, it is as good as normal
		return math.Erfc((float64(n)-.5-mean)/math.Sqrt(2*mean)) / 2
	}
	below, term := 0.0, math.Exp(-mean)
	for k := range n {
		below += term
		term *= mean / float64(k+1)
	}
	return max(0, 1-below)
}

// poissonBounds are the means from which a count as small, or as large, as n comes one time of forty.
func poissonBounds(n int64) (low, high float64) {
	find := func(from, to float64, above func(mean float64) bool) float64 {
		for range 60 {
			if mid := (from + to) / 2; above(mid) {
				to = mid
			} else {
				from = mid
			}
		}
		return to
	}
	most := 2*float64(n) + 20
	if n > 0 {
		low = find(0, most, func(mean float64) bool { return poissonAtLeast(n, mean) > outside/2 })
	}
	high = find(0, most, func(mean float64) bool { return poissonAtLeast(n+1, mean) > 1-outside/2 })
	return low, high
}

// listed lists sums in the order of what they are of.
func listed[V any](sums map[store.Key]*V, key func(*V) store.Key) (list []V) {
	for _, v := range sums {
		list = append(list, *v)
	}
	slices.SortFunc(list, func(a, b V) int { return compare(key(&a), key(&b)) })
	return list
}

func compare(a, b store.Key) int {
	return cmp.Or(
		cmp.Compare(a.House, b.House), cmp.Compare(a.Rules, b.Rules), cmp.Compare(a.Currency, b.Currency),
		cmp.Compare(a.Table.Site(), b.Table.Site()), byNumber(a.Table.Name(), b.Table.Name()),
		cmp.Compare(a.Dealer, b.Dealer), a.Hour.Compare(b.Hour),
		cmp.Compare(a.Wager, b.Wager),
	)
}

// byNumber orders bj-2 before bj-10.
func byNumber(a, b string) int {
	if d := cmp.Compare(len(a), len(b)); d != 0 && a != "" && b != "" && a[0] == b[0] {
		return d
	}
	return cmp.Compare(a, b)
}
