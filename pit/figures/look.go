package figures

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/sabot-table/sabot/pit/luck"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// outside is how often luck alone leaves the band: one night of twenty.
const outside = .05

// picture is all that the page of figures shows, without a language.
type picture struct {
	query Query
	all   pace
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

// pace is the sums of rounds, and what went wrong in them.
type pace struct {
	Pace
	wrongs int64
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
	Wager
	luck.Verdict
	odds *luck.Odds
}

// rate is how often something went wrong.
type rate struct {
	code   string
	count  int64
	rounds int64
	// low and high bound the rate that 95 of 100 such counts are from.
	low, high float64
}

// row is a table's hours.
type row struct {
	site, table string
	hours       []pace
}

// per is a rate in an hour of dealing, 0 where nothing was dealt.
func (p *Pace) per(n int64) float64 {
	if p.Dealt <= 0 {
		return 0
	}
	return float64(n) / p.Dealt.Hours()
}

// occupancy is the share of the boxes that were played.
func (p *Pace) occupancy() float64 { return share(p.Boxes, p.Places) }

// thinking is how many seconds a decision took.
func (p *Pace) thinking() float64 {
	if p.Decisions == 0 {
		return 0
	}
	return p.Deciding.Seconds() / float64(p.Decisions)
}

func share(n, of int64) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

func (p *Pace) add(o *Pace) {
	p.Rounds, p.Void, p.Hands = p.Rounds+o.Rounds, p.Void+o.Void, p.Hands+o.Hands
	p.Boxes, p.Places = p.Boxes+o.Boxes, p.Places+o.Places
	p.Decisions, p.Deciding, p.Dealt = p.Decisions+o.Decisions, p.Deciding+o.Deciding, p.Dealt+o.Dealt
}

// look asks the source for all that a page shows.
func (f *Figures) look(ctx context.Context, q Query) (*picture, error) {
	q.Wager, q.Code = "", "" // they are of the lists of rounds
	paces, err := f.options.Source.Pace(ctx, q, ByTable|ByDealer|ByHour)
	if err != nil {
		return nil, err
	}
	wagers, err := f.options.Source.Wagers(ctx, q, ByTable|ByDealer)
	if err != nil {
		return nil, err
	}
	wrongs, err := f.options.Source.Wrongs(ctx, q, ByTable|ByDealer)
	if err != nil {
		return nil, err
	}
	wrongs = slices.DeleteFunc(wrongs, func(w Wrong) bool { return noBreach(w.Code) })
	p := &picture{query: q, void: map[string]int64{}}
	p.count(paces, wrongs)
	p.taken = takings(paces, wagers)
	return p, f.judge(ctx, p, together(wagers))
}

// together adds wagers up over tables and dealers.
func together(wagers []Wager) []Wager {
	type of struct {
		house, rules, currency, wager string
	}
	sums := map[of]*Wager{}
	for i := range wagers {
		w := &wagers[i]
		k := of{w.House, w.Rules, w.Currency, w.Wager}
		if sums[k] == nil {
			sums[k] = &Wager{Key: Key{House: w.House, Rules: w.Rules, Currency: w.Currency}, Wager: w.Wager}
		}
		s := sums[k]
		s.Count, s.Unknown = s.Count+w.Count, s.Unknown+w.Unknown
		s.Taken, s.Given, s.Over, s.Kept = s.Taken+w.Taken, s.Given+w.Given, s.Over+w.Over, s.Kept+w.Kept
		s.Sum = s.Add(w.Sum)
	}
	list := listed(sums, func(w *Wager) Key { return w.Key })
	slices.SortStableFunc(list, func(a, b Wager) int {
		return cmp.Or(compare(a.Key, b.Key), cmp.Compare(a.Wager, b.Wager))
	})
	return list
}

// noBreach says that a code is of a word between the table and the pit: nothing went wrong.
func noBreach(name string) bool {
	code, known := irregularity.ParseCode(name)
	return known && code.Word()
}

// count sums rounds by hour, table and dealer.
func (p *picture) count(paces []Pace, wrongs []Wrong) {
	hours, tables, dealers := map[Key]*pace{}, map[Key]*pace{}, map[Key]*pace{}
	cells := map[Key]*pace{}
	for i := range paces {
		one := &paces[i]
		p.all.add(one)
		p.void[one.Currency] += one.Void
		into(hours, Key{Hour: one.Hour}).add(one)
		into(tables, Key{Site: one.Site, Table: one.Table}).add(one)
		into(dealers, Key{Dealer: one.Dealer}).add(one)
		into(cells, Key{Site: one.Site, Table: one.Table, Hour: one.Hour}).add(one)
	}
	codes := map[string]int64{}
	for i := range wrongs {
		one := &wrongs[i]
		p.all.wrongs += one.Count
		codes[one.Code] += one.Count
		into(tables, Key{Site: one.Site, Table: one.Table}).wrongs += one.Count
		into(dealers, Key{Dealer: one.Dealer}).wrongs += one.Count
	}
	p.hours, p.tables, p.dealers = p.ordered(hours), p.ordered(tables), p.ordered(dealers)
	for code, n := range codes {
		r := rate{code: code, count: n, rounds: p.all.Rounds}
		r.low, r.high = poissonBounds(n)
		p.codes = append(p.codes, r)
	}
	slices.SortFunc(p.codes, func(a, b rate) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.code, b.code))
	})
	for _, t := range p.tables {
		r := row{site: t.Site, table: t.Table}
		for _, h := range p.hours {
			cell := pace{Pace: Pace{Key: Key{Site: t.Site, Table: t.Table, Hour: h.Hour}}}
			if have := cells[cell.Key]; have != nil {
				cell = *have
			}
			r.hours = append(r.hours, cell)
		}
		p.occupied = append(p.occupied, r)
	}
}

func into(sums map[Key]*pace, k Key) *pace {
	if sums[k] == nil {
		sums[k] = &pace{Pace: Pace{Key: k}}
	}
	return sums[k]
}

// fewestRounds are the rounds, some forty minutes of a quick dealer, from which on a table or a dealer is compared with
// all others.
const fewestRounds = 50

// ordered lists sums, and says how likely what went wrong in each is.
func (p *picture) ordered(sums map[Key]*pace) []pace {
	list := listed(sums, func(v *pace) Key { return v.Key })
	for i := range list {
		one := &list[i]
		others := p.all.wrongs - one.wrongs
		if rounds := p.all.Rounds - one.Rounds; one.Rounds >= fewestRounds && rounds >= fewestRounds {
			one.chance = poissonAtLeast(one.wrongs, float64(others)*float64(one.Rounds)/float64(rounds))
		} else {
			one.chance = 1
		}
	}
	return list
}

// judge compares every wager with its luck. What is off comes first, then the houses in order.
func (f *Figures) judge(ctx context.Context, p *picture, wagers []Wager) error {
	sums := map[string]*money{}
	for _, w := range wagers {
		if sums[w.Currency] == nil {
			sums[w.Currency] = &money{currency: w.Currency, known: true}
		}
		m := sums[w.Currency]
		p.unknown += w.Unknown
		odds, err := f.odds(ctx, w.Rules, w.Wager)
		if err != nil {
			return err
		}
		m.staked, m.returned = m.staked+w.Taken, m.returned+w.Given
		m.over, m.kept = m.over+w.Over, m.kept+w.Kept
		if w.Rounds == 0 {
			continue
		}
		one := lucky{Wager: w, odds: odds}
		if odds == nil {
			m.known = false
		} else {
			one.Verdict = odds.Judge(w.Sum, outside)
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
			cmp.Compare(place(a.Wager.Wager), place(b.Wager.Wager)))
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

// course follows one wager of a house through a time.
func (f *Figures) course(ctx context.Context, q Query) (list []point, since time.Time, last *lucky, err error) {
	hours, err := f.options.Source.Wagers(ctx, q, ByHour)
	if err != nil || len(hours) == 0 {
		return nil, since, nil, err
	}
	odds, err := f.odds(ctx, hours[0].Rules, q.Wager)
	if err != nil || odds == nil {
		return nil, since, nil, err
	}
	slices.SortFunc(hours, func(a, b Wager) int { return a.Hour.Compare(b.Hour) })
	sum := hours[0]
	sum.Sum, sum.Count, sum.Unknown = luck.Sum{}, 0, 0
	stride := (len(hours) + steps - 1) / steps
	for i, h := range hours {
		if h.Rules != sum.Rules {
			continue // a profile that was changed has another luck: the page of figures has a row for each
		}
		sum.Sum, sum.Count, sum.Unknown = sum.Add(h.Sum), sum.Count+h.Count, sum.Unknown+h.Unknown
		if (i+1)%stride == 0 || i == len(hours)-1 {
			list = append(list, point{h.Hour.Add(time.Hour), odds.Judge(sum.Sum, outside)})
		}
	}
	if len(list) == 0 {
		return nil, since, nil, nil
	}
	return list, hours[0].Hour, &lucky{Wager: sum, Verdict: list[len(list)-1].Verdict, odds: odds}, nil
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
