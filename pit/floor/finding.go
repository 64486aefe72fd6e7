package floor

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/plaintext"
)

// Urgency is how urgent something is; a higher one comes first.
type Urgency uint8

// The gravities.
const (
	// Note is worth knowing.
	Note Urgency = iota + 1
	// Soon will become a fault.
	Soon
	// Now is a fault: a table stands, or will within days.
	Now
)

var urgencyNames = plaintext.Enum[Urgency]{Note: "note", Soon: "soon", Now: "now"}

// String returns the gravity's name.
func (g Urgency) String() string { return urgencyNames.Name(g) }

// Table is what is known of a table.
type Table struct {
	Table topic.Table
	// Offline says that nothing is heard of it, Since since when.
	Offline bool
	Since   time.Time
	// Health is what it told last, nil for nothing yet.
	Health *topic.Health
}

// Finding is something that needs a technician. What is wrong and what to do are texts of its Code.
type Finding struct {
	Code Code
	// Told says that it is a reason of the table's own page /health, by whose code it goes.
	Told    bool
	Urgency Urgency
	Table   topic.Table
	// Value is what was found, such as a number, and Text what the table says itself; "" for none.
	Value, Text string
	// Since is since or until when, zero where that means nothing.
	Since time.Time
}

// Code is a kind of finding, by a name that stays.
type Code string

// Numbers writes numbers as a language does; digits are those after the point.
type Numbers interface {
	Money(n int64, digits int) string
}

// List returns what needs a technician, the gravest first, with numbers as their reader writes them.
func List(tables []Table, now time.Time, write Numbers) []Finding {
	var all []Finding
	common := commonVersion(tables)
	for i := range tables {
		t := &tables[i]
		for _, look := range rows {
			if f, found := look.find(t, now, write); found {
				f.Code, f.Table = look.code, t.Table
				all = append(all, f)
			}
		}
		all = append(all, t.told()...)
		if h := t.Health; h != nil && common != "" && h.Version != common {
			all = append(all, Finding{Code: OtherVersion, Urgency: Note, Table: t.Table, Value: h.Version +
				" ≠ " + common})
		}
	}
	slices.SortStableFunc(all, func(x, y Finding) int {
		return cmp.Or(cmp.Compare(y.Urgency, x.Urgency), cmp.Compare(placeOf(x), placeOf(y)), cmp.Compare(x.Code, y.Code))
	})
	return all
}

// commonVersion is the version that more than half of the tables run, "" for none.
func commonVersion(tables []Table) string {
	count, told := map[string]int{}, 0
	for _, t := range tables {
		if t.Health != nil {
			count[t.Health.Version]++
			told++
		}
	}
	for version, n := range count {
		if 2*n > told {
			return version
		}
	}
	return ""
}

// percent writes a part of a whole.
func percent(part, of uint64) string { return strconv.FormatUint(part*100/of, 10) + "\u202f%" }

// Count writes a count, thousands apart.
func Count(n uint64, write Numbers) string { return write.Money(int64(n), 0) }

// Size writes an amount of bytes.
func Size(bytes uint64, write Numbers) string {
	const kilo, mega, giga = 1 << 10, 1 << 20, 1 << 30
	switch {
	case bytes >= giga:
		return write.Money(int64(math.Round(float64(bytes)/giga*10)), 1) + " GiB"
	case bytes >= mega:
		return Count(bytes/mega, write) + " MiB"
	}
	return Count(bytes/kilo, write) + " KiB"
}
