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

// Urgency is how soon a technician is needed; a higher one comes first.
type Urgency uint8

// How urgent it is.
const (
	// NotUrgent is worth knowing.
	NotUrgent Urgency = iota + 1
	// UrgentSoon will become a fault.
	UrgentSoon
	// UrgentNow is a fault: a table stands, or will within days.
	UrgentNow
)

var urgencyNames = plaintext.Enum[Urgency]{NotUrgent: "note", UrgentSoon: "soon", UrgentNow: "now"}

// String returns the urgency's name.
func (u Urgency) String() string { return urgencyNames.Name(u) }

// FleetTable is what is known of a table, its computer, its shoe and its links.
type FleetTable struct {
	Table topic.Table
	// Offline says that nothing is heard of it, Since since when.
	Offline bool
	Since   time.Time
	// Health is what it told last, nil for nothing yet.
	Health *topic.Health
}

// Finding is something that needs a technician. What is wrong and what to do are texts of its Code.
type Finding struct {
	Code FindingCode
	// Told says that it is a reason of the table's own page /health, by whose code it goes.
	Told    bool
	Urgency Urgency
	Table   topic.Table
	// Value is what was found, such as a number, and Text what the table says itself; "" for none.
	Value, Text string
	// Since is since or until when, zero where that means nothing.
	Since time.Time
}

// FindingCode is a kind of finding, by a name that stays.
type FindingCode string

// Numbers writes numbers as a language does; digits are those after the point.
type Numbers interface {
	Money(n int64, digits int) string
}

// Findings returns what needs a technician, the most urgent first, with numbers as their reader writes them.
func Findings(tables []FleetTable, now time.Time, write Numbers) []Finding {
	var all []Finding
	common := commonVersion(tables)
	for i := range tables {
		t := &tables[i]
		for _, look := range findingRows {
			if f, found := look.find(t, now, write); found {
				f.Code, f.Table = look.code, t.Table
				all = append(all, f)
			}
		}
		all = append(all, t.told()...)
		if h := t.Health; h != nil && common != "" && h.Version != common {
			all = append(all, Finding{Code: foundOtherVersion, Urgency: NotUrgent, Table: t.Table, Value: h.Version +
				" ≠ " + common})
		}
	}
	slices.SortStableFunc(all, func(x, y Finding) int {
		return cmp.Or(cmp.Compare(y.Urgency, x.Urgency), cmp.Compare(placeOf(x), placeOf(y)),
			cmp.Compare(x.Code, y.Code))
	})
	return all
}

// commonVersion is the version that more than half of the tables run, "" for none.
func commonVersion(tables []FleetTable) string {
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

// WriteCount writes a count, thousands apart.
func WriteCount(n uint64, write Numbers) string { return write.Money(int64(n), 0) }

// WriteSize writes an amount of bytes.
func WriteSize(bytes uint64, write Numbers) string {
	const kilo, mega, giga = 1 << 10, 1 << 20, 1 << 30
	switch {
	case bytes >= giga:
		return write.Money(int64(math.Round(float64(bytes)/giga*10)), 1) + " GiB"
	case bytes >= mega:
		return WriteCount(bytes/mega, write) + " MiB"
	}
	return WriteCount(bytes/kilo, write) + " KiB"
}
