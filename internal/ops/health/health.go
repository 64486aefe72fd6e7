// Package health says whether a table works, and if not, why, and what to do. Each reason is a row; the page /health,
// the metrics and sabot doctor say it by the same code and in the same words.
package health

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/irregularity"
)

// Severity is how much a reason matters.
type Severity string

// The severities.
const (
	// Stops: the daemon cannot run the table.
	Stops Severity = "stops"
	// Degrades: the table runs, and lacks something, or will stop unless somebody sees to it.
	Degrades Severity = "degrades"
	// Advises: nothing is wrong, and something should be done before it is. No row that the daemon sees does.
	Advises Severity = "advises"
)

// Code names a reason, by a name that stays.
type Code string

// Facts are what the reasons are judged by. The zero value of a field that may be nil is unknown.
type Facts struct {
	Now time.Time
	// SetUp says that the table has been set up, and shows what comes next.
	SetUp bool
	// Asks is the address at which the questions of the first start wait for answers; "" for a table that has a
	// configuration.
	Asks string
	// Left is what the computer still has of a table whose configuration is gone, and how that is put back; ""
	// otherwise.
	Left string
	// Held is the irregularity that holds the round until it is put right; 0 for none.
	Held irregularity.Code
	// Trouble is what keeps the table from recording.
	Trouble *topic.Trouble
	// Journal is why the journal cannot be read.
	Journal error
	// Open says that bets can be opened.
	Open bool
	// ShoeUp says that the link to the shoe is up, ShoeLost since when and why it is not.
	ShoeUp   bool
	ShoeLost *topic.Fault
	// Pit is nil for a table without a broker.
	Pit *Pit
	// Panel are the lines of keys and lamps that are missing.
	Panel []string
	// Computer is how the computer does, FreeMin how much room must stay free for the journal.
	Computer Computer
	FreeMin  uint64
}

// Pit is the connection to the pit.
type Pit struct {
	Up bool
	// Why is what went wrong last.
	Why *topic.Fault
	// Waiting is how many events the broker has not acknowledged.
	Waiting uint64
	// Denied are the topics that the broker denies.
	Denied []string
}

// Reason is one reason that holds now.
type Reason struct {
	Code     Code     `json:"code"`
	Severity Severity `json:"severity"`
	// Meaning and Do are the row's, What is what was found.
	Meaning string     `json:"meaning"`
	Do      string     `json:"do"`
	What    string     `json:"what,omitempty"`
	Since   *time.Time `json:"since,omitempty"`
}

// Report is a table's health.
type Report struct {
	// Live says that the daemon answers, which it does if there is a report.
	Live bool `json:"live"`
	// Ready says that no reason stops the table.
	Ready   bool     `json:"ready"`
	Reasons []Reason `json:"reasons"`
}

// Judge says which reasons hold, in the order of Rows.
func Judge(f Facts) Report {
	r := Report{Live: true, Ready: true, Reasons: []Reason{}}
	for i := range Rows {
		row := &Rows[i]
		if !row.Seen() {
			continue
		}
		if found := row.found(&f); found != nil {
			r.Ready = r.Ready && row.Severity != Stops
			reason := row.Reason(found.what)
			reason.Since = found.since
			r.Reasons = append(r.Reasons, reason)
		}
	}
	return r
}

// Holds says whether a reason is in the report.
func (r Report) Holds(code Code) bool {
	return slices.ContainsFunc(r.Reasons, func(one Reason) bool { return one.Code == code })
}

// Touches says whether a reason of an area is in the report.
func (r Report) Touches(area Area) bool {
	return slices.ContainsFunc(r.Reasons, func(one Reason) bool { return AreaOf(one.Code) == area })
}

// Serve answers /health: 200 if nothing stops the table, else 503, with all reasons.
func (r Report) Serve(w http.ResponseWriter) error {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // a Report is plain data and always encodes
	}
	w.Header().Set("Content-Type", "application/json")
	if !r.Ready {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// longestReport is more than any report has.
const longestReport = 1 << 20

var errNoReport = errors.New("this is no report of a table's health: it is what a table's page has at /health")

// Read reads a report as the page /health has it.
func Read(text []byte) (r Report, err error) {
	if len(text) > longestReport || json.Unmarshal(text, &r) != nil || !r.Live {
		return Report{}, errNoReport
	}
	return r, nil
}
