package topic

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
)

// Record is one output of the engine as the journal has it.
type Record struct {
	// Number is the output's place among all outputs of the journal, from 1.
	Number uint64
	// Boot is the number of the daemon's start that recorded it.
	Boot uint64
	// At is when the table took the input from which it follows, in Unix
	// nanoseconds.
	At int64
	// Round is the round in which it happened, 0 before the first. A round's
	// number in Line goes before it.
	Round uint64
	// Line is the output's transcript line, without its newline.
	Line []byte
	// Above says that the numbers before it, up to the output that the journal has before,
	// were given by a journal that was lost.
	Above bool
}

// Snapshot is the table at one moment.
type Snapshot struct {
	// Sequence is the number of the last event that View contains.
	Sequence uint64
	// Time is when the view came about.
	Time time.Time
	// View is a JSON object.
	View []byte
	// Alerts are the alerts that stand or wait for somebody: a JSON object each, by
	// the irregularity's code.
	Alerts map[string][]byte
}

// AppendEvent appends the message of an output to dst and returns it. A line that
// is no output is an error, and dst comes back as it was; AppendUnreadable then
// makes a message of the record, so that the sequence has no gap.
//
// The same record always gives the same bytes.
func AppendEvent(dst []byte, table Table, r Record) ([]byte, error) {
	h, err := parseHead(r.Line)
	if err != nil {
		return dst, fmt.Errorf("event %d of boot %d in the journal is no output: %w", r.Number, r.Boot, err)
	}
	if h.hasRound {
		r.Round = h.round
	}
	return appendEnvelope(dst, table, r, h.out, r.Line), nil
}

// AppendUnreadable appends a message of [TypeUnreadable] for a record whose line is
// no output, and returns it.
func AppendUnreadable(dst []byte, table Table, r Record, cause error) []byte {
	data := begin(nil)
	data.plain("out", []byte(TypeUnreadable))
	data.text("error", cause.Error())
	return appendEnvelope(dst, table, r, []byte(TypeUnreadable), data.end())
}

func appendEnvelope(dst []byte, table Table, r Record, out, data []byte) []byte {
	o := begin(dst)
	o.key("id")
	o.b = appendID(o.b, table, r)
	o.plain("site", []byte(table.site))
	o.plain("table", []byte(table.name))
	o.number("boot", r.Boot)
	o.number("sequence", r.Number)
	o.time("time", time.Unix(0, r.At))
	o.plain("type", out)
	o.number("round", r.Round)
	o.raw("data", data)
	return o.end()
}

// appendID appends the event's identity. The time is part of it because a journal
// that was replaced counts boots and events from 1 again.
func appendID(dst []byte, table Table, r Record) []byte {
	dst = append(dst, '"')
	dst = append(dst, table.site...)
	dst = append(dst, '/')
	dst = append(dst, table.name...)
	dst = append(dst, '/')
	dst = strconv.AppendUint(dst, r.Boot, 10)
	dst = append(dst, '/')
	dst = strconv.AppendUint(dst, r.Number, 10)
	dst = append(dst, '/')
	dst = strconv.AppendInt(dst, r.At, 10)
	return append(dst, '"')
}

// AppendStatus appends the message to dst and returns it.
func AppendStatus(dst []byte, s Status) []byte {
	o := begin(dst)
	o.text("site", s.Site)
	o.text("table", s.Table)
	o.flag("online", s.Online)
	o.text("reason", s.Reason)
	o.number("boot", s.Boot)
	o.number("connection", s.Connection)
	o.text("version", s.Version)
	o.time("time", s.Time)
	if s.Trouble != "" {
		o.text("trouble", s.Trouble)
	}
	return o.end()
}

// AppendState appends the message of a view to dst and returns it. A view that is
// not a JSON object is an error, and dst comes back as it was.
func AppendState(dst []byte, table Table, boot uint64, s Snapshot) ([]byte, error) {
	if len(s.View) == 0 || s.View[0] != '{' || !json.Valid(s.View) {
		return dst, errors.New("the table's view is not a JSON object")
	}
	o := begin(dst)
	o.plain("site", []byte(table.site))
	o.plain("table", []byte(table.name))
	o.number("boot", boot)
	o.number("sequence", s.Sequence)
	o.time("time", s.Time)
	o.raw("view", s.View)
	return o.end(), nil
}

// AppendAlert appends the message of one of a snapshot's alerts to dst and returns it.
func AppendAlert(dst []byte, table Table, boot uint64, code string, s Snapshot) ([]byte, error) {
	alert := s.Alerts[code]
	if len(alert) == 0 || alert[0] != '{' || !json.Valid(alert) {
		return dst, fmt.Errorf("the alert %s is not a JSON object", code)
	}
	o := begin(dst)
	o.plain("site", []byte(table.site))
	o.plain("table", []byte(table.name))
	o.number("boot", boot)
	o.number("sequence", s.Sequence)
	o.time("time", s.Time)
	o.text("code", code)
	o.raw("alert", alert)
	return o.end(), nil
}

// AppendHealth appends the message to dst and returns it.
func AppendHealth(dst []byte, h Health) []byte {
	o := begin(dst)
	o.text("site", h.Site)
	o.text("table", h.Table)
	o.number("boot", h.Boot)
	o.text("version", h.Version)
	o.time("time", h.Time)
	o.number("uptime_seconds", h.Uptime)
	o.nested("shoe", h.Shoe.fill)
	o.nested("journal", h.Journal.fill)
	o.number("memory_bytes", h.MemoryBytes)
	o.number("goroutines", h.Goroutines)
	if h.LastError != nil {
		o.nested("last_error", h.LastError.fill)
	}
	return o.end()
}

func (s Shoe) fill(o *object) {
	o.flag("up", s.Up)
	o.nested("counters", func(o *object) {
		for _, name := range slices.Sorted(maps.Keys(s.Counters)) {
			o.count(name, s.Counters[name])
		}
	})
}

func (j Journal) fill(o *object) {
	o.number("last_sequence", j.LastSequence)
	if j.LastEvent != nil {
		o.time("last_event", *j.LastEvent)
	}
	o.number("unacknowledged", j.Unacknowledged)
	if j.Head != nil {
		o.nested("head", j.Head.fill)
	}
	if j.Trouble != nil {
		o.nested("trouble", j.Trouble.fill)
	}
}

func (t Trouble) fill(o *object) {
	o.text("code", t.Code)
	o.time("since", t.Since)
	o.text("text", t.Text)
}

func (h Head) fill(o *object) {
	o.text("id", h.ID)
	o.number("record", h.Record)
	o.text("hash", h.Hash)
}

func (f Fault) fill(o *object) {
	o.time("time", f.Time)
	o.text("text", f.Text)
}
