// Package nights deals nights that lie in the past: a floor of tables with its dealers and supervisors, who open and
// close the tables, relieve each other and err now and then. The real engine deals every card, at a simulated clock,
// and what it answers is written as a table writes it. The same plan always deals the same nights, byte for byte but
// for the journals' own ids.
//
// It is apart from the demonstration so that tests of the pit deal the same past.
package nights

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/sabot-table/sabot/shoe/makes"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// Table is one table of the floor.
type Table struct {
	// Name is the table's for the pit, such as bj-1.
	Name string
	// Setup names its house, and what it changes of the house's profile.
	Setup rules.Setup
	// Maker is its shoe's make, one of makes.Names.
	Maker string
}

// Serial is the serial number of the table's shoe, of a make that says it.
func (t Table) Serial() string { return "SIM-" + t.Name }

// Plan says which nights are dealt.
type Plan struct {
	Seed   uint64
	Houses profile.Book
	Tables []Table
	Staff  Staff
	// First is the midnight before the first night, in the house's own time zone, and Nights how many follow.
	First  time.Time
	Nights int
	// Hours is how long a table is usually open in a night: 0 for UsualHours. A round takes a bit more than a minute.
	Hours float64
	// OneIn is how many rounds there are to one mishap of a dealer of average care: 0 for UsualOneIn.
	OneIn int
}

// The defaults of a Plan.
const (
	UsualHours = 3.0
	UsualOneIn = 25
)

// Staff are the people on the floor.
type Staff struct {
	Dealers, Supervisors []string
}

// UsualStaff are the people of a floor of so many tables: half as many dealers again as there are tables, so that each
// has a break after two stints.
func UsualStaff(tables int) Staff {
	names := []string{
		"aline", "beat", "carla", "dario", "elena", "fabio", "greta", "hugo", "irina", "jonas",
		"kim", "luca", "mara", "nico", "olga", "paolo", "renate", "sven",
	}
	staff := Staff{Supervisors: []string{"frey", "graf", "rossi"}}
	for i := range max(2, (3*tables+1)/2) {
		name := names[i%len(names)]
		if again := i / len(names); again > 0 {
			name = fmt.Sprintf("%s-%d", name, again+1)
		}
		staff.Dealers = append(staff.Dealers, name)
	}
	return staff
}

// Floor returns so many tables, bj-1, bj-2, …, over all houses of a book in turn. Where a house has more than one, the
// later ones play for more.
func Floor(book profile.Book, n int) (tables []Table, err error) {
	names := book.Names()
	for i := range n {
		setup := rules.Setup{House: names[i%len(names)]}
		if times := int64(1 + i/len(names)%3); times > 1 {
			house := book[setup.House].Rules.Table
			setup.Min, setup.BoxMax = house.Min*times, house.BoxMax*times
		}
		set, err := book.Set(setup)
		if err != nil {
			return nil, fmt.Errorf("setting up table %d: %w", i+1, err)
		}
		setup.Profile = set.Fingerprint
		maker := makes.All[makerOf[i%len(makerOf)]].Name
		tables = append(tables, Table{Name: fmt.Sprintf("bj-%d", i+1), Setup: setup, Maker: maker})
	}
	return tables, nil
}

// makerOf are the tables' shoes, as places in makes.All: mostly ours.
var makerOf = [...]int{0, 0, 1, 0, 0, 0, 2}

// LastNights is the plan's First for nights of which the last one ended before a gaming day begins that is under way at
// a time.
func LastNights(now time.Time, dayBegins time.Duration, nights int) time.Time {
	day := now.Add(-dayBegins)
	return time.Date(day.Year(), day.Month(), day.Day()-nights, 0, 0, 0, 0, now.Location())
}

// relief is how long a dealer deals before the next one comes.
const relief = 30 * time.Minute

// doorsOpen is when the first table opens, after midnight.
const doorsOpen = 19 * time.Hour

// night is when a table is open in one night.
type night struct{ opens, closes time.Time }

// chance is the plan's own randomness for one matter.
func (p Plan) chance(of ...uint64) *rand.Rand {
	mixed := p.Seed
	for _, n := range of {
		mixed = mixed*0x9E3779B97F4A7C15 + n + 1
	}
	return rand.New(rand.NewPCG(p.Seed, mixed))
}

// hours is when a table is open in a night: on Fridays and Saturdays longer. The tables open one after the other,
// within two hours or a bit more.
func (p Plan) hours(table, nth int) night {
	date := p.First.AddDate(0, 0, nth)
	usual := p.Hours
	if usual == 0 {
		usual = UsualHours
	}
	switch date.Weekday() {
	case time.Friday, time.Saturday:
		usual *= 1.3
	case time.Monday, time.Tuesday:
		usual *= 0.8
	}
	r := p.chance(uint64(table), uint64(nth), 1)
	opens := time.Date(date.Year(), date.Month(), date.Day(), 0, 0, 0, 0, date.Location()).Add(doorsOpen)
	opens = opens.Add(time.Duration(table*7%120+r.IntN(20)) * time.Minute)
	long := time.Duration(usual * (0.8 + 0.4*r.Float64()) * float64(time.Hour))
	return night{opens, opens.Add(long)}
}

// Dealer is who deals at a table in a stint, which is the same for all tables: nobody deals at two of them at once, as
// long as there are enough dealers.
func (p Plan) Dealer(table int, stint uint64) string {
	order := p.chance(stint, 2).Perm(len(p.Staff.Dealers))
	return p.Staff.Dealers[order[table%len(order)]]
}

// onDuty are the supervisors of a night: all but one, if there are enough.
func (p Plan) onDuty(nth int) []string {
	all := slices.Clone(p.Staff.Supervisors)
	if len(all) > 2 {
		off := nth % len(all)
		all = slices.Delete(all, off, off+1)
	}
	return all
}

// habits are what is a dealer's own: the pace, where 1 is the usual, and the care, of which twice as much makes half as
// many mishaps.
type habits struct{ pace, care float64 }

func (p Plan) habits(dealer string) habits {
	nth := slices.Index(p.Staff.Dealers, dealer)
	r := p.chance(uint64(nth+1), 3)
	return habits{pace: 0.85 + 0.35*r.Float64(), care: 0.5 + 1.5*r.Float64()}
}
