package floor

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
)

// Alert is something that somebody of the floor must see. It is over once it is put right and a named person
// has seen it.
type Alert struct {
	// ID names the alert in requests: it has only characters that an address may have.
	ID string
	// Table is where, the zero Table for the pit itself.
	Table topic.Table
	// Code is the irregularity's name, or one of the pit's own.
	Code    string
	Gravity Gravity
	// Round and Raised say when it came first, Times how often since, and Standing how many of these are not
	// put right.
	Round    uint64
	Raised   time.Time
	Times    int
	Standing int
	// Text says more of one of the pit's own.
	Text string
	// Reason is what the floor is called for, and Caller who called it; "" where nobody said.
	Reason, Caller string
	// Cleared, With and By say when, how and by whom it was put right last, once Standing is 0.
	Cleared  time.Time
	With, By string
	// Acknowledged and AcknowledgedBy say when somebody has seen it, and who; Note what they said about it.
	// AtTable says that this was at the table; the name may then come a moment later.
	Acknowledged   time.Time
	AcknowledgedBy string
	Note           string
	AtTable        bool
	// Comes is who is on the way, and ComesSince since when.
	Comes      string
	ComesSince time.Time
	// Calls is the role that is called for it now, and CallsSince since when.
	Calls      Role
	CallsSince time.Time
	// Over is when it was put right and seen, zero while it is not.
	Over time.Time
	// Steps are what became of it, in order.
	Steps []Step

	raised    string // what the table says for Raised, by which a copy is known
	journal   string // of which journal it tells
	escalated int    // how many escalations it had
}

// Step is one thing that became of an alert.
type Step struct {
	At   time.Time `json:"at"`
	What What      `json:"what"`
	By   string    `json:"by,omitempty"`
	Note string    `json:"note,omitempty"`
}

// What is what became of an alert.
type What string

// What may become of an alert.
const (
	Raised       What = "raised"
	PutRight     What = "put-right"
	Acknowledged What = "acknowledged"
	Coming       What = "coming"
	Escalated    What = "escalated"
	Over         What = "over"
)

// Seen says whether somebody has acknowledged the alert.
func (a *Alert) Seen() bool { return !a.Acknowledged.IsZero() }

// Taken says whether somebody looks after the alert: they have seen it, or are on the way and nobody else was
// called since they said so.
func (a *Alert) Taken() bool {
	return a.Seen() || a.Comes != "" && !a.CallsSince.After(a.ComesSince)
}

// Waits says whether the alert stands and nobody looks after it: it makes a sound.
func (a *Alert) Waits() bool { return a.Standing > 0 && !a.Taken() }

func (a *Alert) step(at time.Time, what What, by, note string) {
	a.Steps = append(a.Steps, Step{at, what, by, note})
	if len(a.Steps) > maxSteps {
		a.Steps = append(a.Steps[:1:1], a.Steps[len(a.Steps)-maxSteps+1:]...)
	}
}

// maxSteps bounds what is remembered of one alert: the first step and the last ones.
const maxSteps = 64

// call calls a role.
func (a *Alert) call(role Role, at time.Time) { a.Calls, a.CallsSince = role, at }

// endAlert notes that the alert is over, if it is.
func (a *Alert) endAlert(at time.Time) {
	if a.Standing == 0 && a.Seen() && a.Over.IsZero() {
		a.Over = at
		a.step(at, Over, "", "")
	}
}

// compare puts what stands before what is put right, then the gravest, then the newest.
func compare(a, b *Alert) int {
	return cmp.Or(
		cmp.Compare(min(b.Standing, 1), min(a.Standing, 1)),
		cmp.Compare(b.Gravity, a.Gravity),
		b.Raised.Compare(a.Raised),
		strings.Compare(a.ID, b.ID),
	)
}

// MarshalJSON writes the alert with all that [Floor.Restore] needs.
func (a Alert) MarshalJSON() ([]byte, error) {
	type plain Alert
	return json.Marshal(struct {
		plain
		Table     string
		RaisedAs  string `json:",omitempty"`
		Journal   string `json:",omitempty"`
		Escalated int    `json:",omitempty"`
	}{plain(a), nameOf(a.Table), a.raised, a.journal, a.escalated})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (a *Alert) UnmarshalJSON(text []byte) error {
	type plain Alert
	var k struct {
		plain
		Table     string
		RaisedAs  string
		Journal   string
		Escalated int
	}
	if err := json.Unmarshal(text, &k); err != nil {
		return err
	}
	read := Alert(k.plain)
	read.raised, read.journal, read.escalated = k.RaisedAs, k.Journal, k.Escalated
	if site, name, ok := strings.Cut(k.Table, "/"); ok {
		table, err := topic.NewTable(site, name)
		if err != nil {
			return err
		}
		read.Table = table
	}
	*a = read
	return nil
}

// nameOf is a table's name with its site, "" for the zero Table.
func nameOf(t topic.Table) string {
	if t == (topic.Table{}) {
		return ""
	}
	return t.String()
}
