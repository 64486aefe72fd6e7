package command

import (
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/plaintext"
)

// Command is one thing that the pit tells a table to do. Which fields mean something beyond
// What depends on What. It is read by its tags; how it is written is in common and rows.
type Command struct {
	// Site and Table name the table that is meant.
	Site  string `json:"site"`
	Table string `json:"table"`
	// Session is the table's, as its health says it, and ID the command's own: a random one
	// for each command. Both are 32 hexadecimal digits.
	Session string `json:"session"`
	ID      string `json:"id"`
	// Pit is who is answered, a name as a table's, and Person in whose name it is done.
	Pit    string `json:"pit"`
	Person string `json:"person"`
	// Issued is when it was signed, by the sender's clock, in milliseconds since 1970 UTC. It
	// is for people: nothing depends on it.
	Issued int64 `json:"issued"`
	// Expires is until when it may be taken, by the clock of the table's session, in
	// milliseconds.
	Expires int64 `json:"expires"`
	What    What  `json:"what"`

	Code   irregularity.Code `json:"code"`    // Acknowledge
	Min    int64             `json:"min"`     // Limits, in minor units; 0 for the same as before
	BoxMax int64             `json:"box_max"` // Limits, as Min
	Text   string            `json:"text"`    // Message; SlipRefused: why
	From   uint64            `json:"from"`    // Resend
	To     uint64            `json:"to"`      // Resend; 0 is the last that there is
	Chips  string            `json:"chips"`   // Fill, Credit, SlipSent, SlipReceived: as vocab.ChipsText writes them
	Kind   string            `json:"kind"`    // the steps of a slip: "fill" or "credit"
	Slip   uint64            `json:"slip"`    // the steps of a slip: its number
	Of     string            `json:"of"`      // Outcome: the ID of the command that is asked about
}

// What says what a command does. The zero What is none.
type What uint8

// What a command may do.
const (
	// Acknowledge says that somebody of the pit has seen an alert.
	Acknowledge What = iota + 1
	// Coming answers the table's call for the floor: somebody is on the way.
	Coming
	// OpenTable and CloseTable open and close the table, between two rounds.
	OpenTable
	CloseTable
	// Limits announces other limits, between two rounds.
	Limits
	// Message says something to the dealer.
	Message
	// Resend has events published again.
	Resend
	// AskFill and AskCredit ask for chips, and for chips to go back.
	AskFill
	AskCredit
	// SlipApproved, SlipRefused, SlipSent and SlipReceived are steps of a fill or a credit: an approval, and what the
	// cage says.
	SlipApproved
	SlipRefused
	SlipSent
	SlipReceived
	// Outcome asks what became of another command. One that was not carried out by then never
	// is.
	Outcome
)

// row is everything about a What: its name and its fields, in their order.
type row struct {
	name   string
	fields []field
}

var rows = [...]row{
	Acknowledge: {"acknowledge", []field{{name: "code", text: func(c *Command) string { return c.Code.String() }}}},
	Coming:      {"coming", nil},
	OpenTable:   {"open", nil},
	CloseTable:  {"close", nil},
	Limits: {"limits", []field{
		{
			name: "min", number: func(c *Command) uint64 { return uint64(c.Min) }, most: uint64(money.Max),
			optional: true,
		},
		{
			name: "box_max", number: func(c *Command) uint64 { return uint64(c.BoxMax) }, most: uint64(money.Max),
			optional: true,
		},
	}},
	Message: {"message", []field{{name: "text", text: func(c *Command) string { return c.Text }}}},
	Resend: {"resend", []field{
		{name: "from", number: func(c *Command) uint64 { return c.From }, most: mostNumber},
		{name: "to", number: func(c *Command) uint64 { return c.To }, most: mostNumber, optional: true},
	}},
	AskFill:      {"fill", []field{ofChips}},
	AskCredit:    {"credit", []field{ofChips}},
	SlipApproved: {"approve", []field{ofKind, ofSlip}},
	SlipRefused:  {"refuse", []field{ofKind, ofSlip, {name: "text", text: func(c *Command) string { return c.Text }}}},
	SlipSent:     {"sent", []field{ofKind, ofSlip, ofChips}},
	SlipReceived: {"received", []field{ofKind, ofSlip, ofChips}},
	Outcome:      {"outcome", []field{{name: "of", text: func(c *Command) string { return c.Of }}}},
}

// What steps of slips have in common.
var (
	ofKind  = field{name: "kind", text: func(c *Command) string { return c.Kind }}
	ofSlip  = field{name: "slip", number: func(c *Command) uint64 { return c.Slip }, most: 1<<32 - 1}
	ofChips = field{name: "chips", text: func(c *Command) string { return c.Chips }}
)

// field is a field of a command: a text or a number. An optional one is left out where it is 0.
type field struct {
	name     string
	text     func(c *Command) string
	number   func(c *Command) uint64
	most     uint64
	optional bool
}

// common are the fields that every command has, before its own. "what" is the last of them.
var common = []field{
	{name: "site", text: func(c *Command) string { return c.Site }},
	{name: "table", text: func(c *Command) string { return c.Table }},
	{name: "session", text: func(c *Command) string { return c.Session }},
	{name: "id", text: func(c *Command) string { return c.ID }},
	{name: "pit", text: func(c *Command) string { return c.Pit }},
	{name: "person", text: func(c *Command) string { return c.Person }},
	{name: "issued", number: func(c *Command) uint64 { return uint64(c.Issued) }, most: mostNumber},
	{name: "expires", number: func(c *Command) uint64 { return uint64(c.Expires) }, most: mostNumber},
	{name: "what", text: func(c *Command) string { return c.What.String() }},
}

// mostNumber is the largest number that all readers of JSON agree on.
const mostNumber = 1<<53 - 1

var names = func() (names plaintext.Enum[What]) {
	for _, r := range rows {
		names = append(names, r.name)
	}
	return names
}()

// String returns the name of what a command does.
func (w What) String() string { return names.Name(w) }

// ParseWhat reads such a name.
func ParseWhat(s string) (What, bool) { return names.Parse(s) }

// EveryWhat yields everything that a command may do.
func EveryWhat(yield func(What) bool) { names.Every(yield) }

// MarshalText writes the name.
func (w What) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads the name.
func (w *What) UnmarshalText(text []byte) error { return names.Read(w, text, "command") }
