package pittest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/sabot-table/sabot/pit/luck"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// Nights is a floor that is made up.
type Nights struct {
	// Last is the date of the last gaming day, and Nights how many there are.
	Last   time.Time
	Count  int
	Day    store.Day
	Tables int
	Seed   uint64
}

// Signatures keeps who has signed which report in memory.
type Signatures struct {
	mu   sync.Mutex
	list []store.SignedReport
}

// SignedReports implements figures.Signatures.
func (s *Signatures) SignedReports(_ context.Context, from, until time.Time) (list []store.SignedReport, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.list {
		if one.From.Equal(from) && one.Until.Equal(until) {
			list = append(list, one)
		}
	}
	return list, nil
}

// SignReport implements figures.Signatures.
func (s *Signatures) SignReport(_ context.Context, one store.SignedReport) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, one)
	return nil
}

var croupiers = []string{
	"anna", "bruno", "chiara", "dario", "elif", "franz", "greta", "hugo", "ines", "jonas", "katja",
	"luca", "mila", "nico", "olga", "paul",
}

var casinoHouses = []string{"wiesbaden", "schaffhausen", "st-moritz", "mendrisio", "baden", "st-moritz-65"}

// codes are the irregularities by how often they come, of 1,000 rounds.
var codes = []struct {
	code string
	of   float64
}{
	{"unread-card", 4},
	{"card-without-call", 2.5},
	{"unexpected-card", 1.5},
	{"payout-mismatch", 1},
	{"contradictory-keys", 3},
	{"floor-called", 2},
	{"shoe-offline", .4},
}

// dice is a floor while it is made up.
type dice struct {
	*rand.Rand
	odds map[string][]*luck.Odds
}

// Wrong is the table at which mixed pairs are paid 30:1 instead of 6:1; Hasty the dealer at whose tables most goes
// wrong.
const (
	Wrong = "bj-2"
	Hasty = "hugo"
)

// Memory makes the floor up.
func (f Nights) Memory() (*Memory, error) {
	m := &Memory{Day: f.Day, Known: map[string]*rules.Rules{}}
	d := dice{rand.New(rand.NewPCG(f.Seed, 8)), map[string][]*luck.Odds{}}
	for _, name := range casinoHouses {
		r := profile.Built()[name].Rules
		m.Known[r.Fingerprint] = r
		odds, err := luck.Of(r)
		if err != nil {
			return nil, err
		}
		d.odds[name] = odds
	}
	for n := range f.Count {
		for t := range f.Tables {
			d.night(m,
				f.Day.Start(store.DateOf(f.Last.AddDate(0, 0, n+1-f.Count))).Add(time.Duration(8+t%3)*time.Hour), t, n)
		}
	}
	return m, nil
}

// night deals a table from one moment to early in the morning.
func (d dice) night(m *Memory, from time.Time, table, night int) {
	name := casinoHouses[table%len(casinoHouses)]
	r := profile.Built()[name].Rules
	until := from.Add(time.Duration(7+d.IntN(2)) * time.Hour)
	number := uint64(night*1000 + 1)
	for at := from; at.Before(until); number++ {
		hour := at.Sub(from).Hours()
		dealer := croupiers[(table+int(hour*1.5)+night)%len(croupiers)]
		busy := .35 + .5*hour/6
		if hour > 6 {
			busy = .5
		}
		p := Played{Round: store.Round{Table: CasinoTable(fmt.Sprintf("bj-%d", table+1)), Round: tally.Round{
			Dealer: dealer, House: name, Rules: r.Fingerprint, Currency: r.Table.Currency,
			Number: number, Opened: at, Void: d.Float64() < .002, Places: int(r.Table.Boxes),
		}}}
		for range r.Table.Boxes {
			if d.Float64() < busy {
				p.Boxes++
			}
		}
		p.Boxes = max(p.Boxes, 1)
		p.Hands, p.Decisions = p.Boxes+d.IntN(2), p.Boxes*2-d.IntN(p.Boxes)
		p.Deciding = time.Duration(
			float64(p.Decisions) * (2.2 + float64(len(dealer)%4)*.4 + d.Float64()) * float64(time.Second))
		p.Dealt = 25*time.Second + p.Deciding + time.Duration(p.Boxes)*3*time.Second
		d.bets(&p, d.odds[name])
		for _, c := range codes {
			of := c.of
			if dealer == Hasty {
				of *= 3
			}
			if d.Float64() < of/1000 {
				p.Codes = append(p.Codes, c.code)
			}
		}
		p.Ended = at.Add(p.Dealt)
		m.Played = append(m.Played, p)
		at = p.Ended
	}
}

// bets lets every wager of the house end by its odds on each box.
func (d dice) bets(p *Played, odds []*luck.Odds) {
	main, insurance := vocab.WagerMain.String(), vocab.WagerInsurance.String()
	for _, o := range odds {
		b := Bet{Wager: o.Wager}
		for range p.Boxes {
			if o.Wager == insurance && d.Float64() > .02 || o.Wager != main && o.Wager != insurance &&
				d.Float64() > .35 {
				continue
			}
			stake := int64(1000 * (1 + d.IntN(5)))
			if o.Wager == sidebet.Progressive.String() {
				stake = 500
			}
			won, line := d.end(o)
			if p.Table.Name() == Wrong && line == sidebet.MixedPair.String() {
				won -= 24
			}
			staked := stake
			if o.Wager == main && (won >= 1.9 || won <= -1.9) {
				staked *= 2
			}
			b.Count++
			b.Boxes = append(b.Boxes, staked)
			b.Returned += staked - int64(won*float64(stake))
		}
		if b.Count > 0 {
			p.Bets = append(p.Bets, b)
		}
	}
}

// end is how a bet ends, by its chances.
func (d dice) end(o *luck.Odds) (won float64, line string) {
	at := d.Float64()
	for _, c := range o.Chances {
		p, _ := c.P.Float64()
		if at -= p; at < 0 {
			won, _ = c.House.Float64()
			return won, c.Line
		}
	}
	return 1, ""
}
