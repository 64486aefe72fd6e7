package floor

import (
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/plaintext"
)

// Gravity is how grave an alert is; a higher one comes first.
type Gravity uint8

// The gravities.
const (
	// Notice holds nothing: somebody should know.
	Notice Gravity = iota
	// Call is a person who waits for one of the floor, or a table that somebody has to look at.
	Call
	// Stop is a table, or the pit, that stands still.
	Stop
	// Record is a record in doubt: money may have been paid by it.
	Record
)

var gravityNames = plaintext.Enum[Gravity]{Notice: "notice", Call: "call", Stop: "stop", Record: "record"}

// String returns the gravity's name.
func (g Gravity) String() string { return gravityNames.Name(g) }

// MarshalText writes the gravity's name.
func (g Gravity) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// UnmarshalText reads the gravity's name.
func (g *Gravity) UnmarshalText(text []byte) error { return gravityNames.Read(g, text, "gravity") }

// Role is who is called for an alert.
type Role string

// The roles that are called.
const (
	Supervisor Role = "supervisor"
	Manager    Role = "manager"
	Technician Role = "technician"
)

// The pit's own alerts, besides those of the tables, which have the names of their irregularities.
const (
	// TableOffline is an open table of which nothing is heard.
	TableOffline = "table-offline"
	// BrokerLost is the pit that does not reach the broker, and so hears of no table.
	BrokerLost = "broker-lost"
	// LineLost is a house of a group to which its hub has no line. It is raised at one of its open tables.
	LineLost = "line-lost"
	// JournalRolledBack is a table whose journal has fewer records than the pit has heard of.
	JournalRolledBack = "journal-rolled-back"
	// JournalRewritten is a table whose journal has another record under a number that the pit keeps.
	JournalRewritten = "journal-rewritten"
	// JournalUnseen is a table whose journal says what no start of its program has told: that events were sent, or
	// parts moved.
	JournalUnseen = "journal-unseen"
	// RecordsMissing are records that a table does not give, however often it is asked.
	RecordsMissing = "records-missing"
	// StoreFailing is a database that cannot be written: nothing is lost, and nothing new is kept.
	StoreFailing = "store-failing"
)

// rank is what there is to say about an alert by its code.
type rank struct {
	gravity Gravity
	calls   Role
}

var own = map[string]rank{
	TableOffline:      {Stop, Supervisor},
	BrokerLost:        {Stop, Technician},
	LineLost:          {Notice, Technician},
	JournalRolledBack: {Record, Manager},
	JournalRewritten:  {Record, Manager},
	JournalUnseen:     {Record, Manager},
	RecordsMissing:    {Notice, Technician},
	StoreFailing:      {Stop, Technician},
	PaceLow:           {Notice, Supervisor},
	PaceHigh:          {Notice, Supervisor},
	TableLoss:         {Notice, Manager},
	TableIdle:         {Notice, Supervisor},
	OccupancyLow:      {Notice, Supervisor},
	OccupancyHigh:     {Notice, Supervisor},
}

// Codes lists the pit's own alerts.
func Codes() []string {
	return []string{
		TableOffline, BrokerLost, LineLost, JournalRolledBack, JournalRewritten, JournalUnseen, RecordsMissing,
		StoreFailing,
		PaceLow, PaceHigh, TableLoss, TableIdle, OccupancyLow, OccupancyHigh,
	}
}

// isOwn says whether an alert is the pit's own, and not a table's.
func isOwn(code string) bool { return own[code].calls != "" }

// CallsFirst is the role that an alert of a code calls before anybody else.
func CallsFirst(code string) Role { return rankOf(code).calls }

// rankOf is what an alert's code says of it. One that this program does not know, from a newer table, is as
// grave as one that stops the table.
func rankOf(code string) rank {
	if r, ok := own[code]; ok {
		return r
	}
	c, ok := irregularity.ParseCode(code)
	switch {
	case !ok:
		return rank{Stop, Supervisor}
	case c.OfRecord():
		return rank{Record, Supervisor}
	case c == irregularity.FloorCalled:
		return rank{Call, Supervisor}
	case c == irregularity.CommandRefused, c == irregularity.SettingsChanged:
		// somebody may be trying what they may not
		return rank{Notice, Manager}
	case c.Tells(): // somebody has to look at the cards
		return rank{Call, Supervisor}
	case c.Holds():
		return rank{Stop, Supervisor}
	}
	return rank{Notice, Supervisor}
}
