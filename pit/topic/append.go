package topic

import (
	"encoding/json"
	"errors"
	"fmt"
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
		return dst, fmt.Errorf("event %d of boot %d in the journal is not an output: %w", r.Number, r.Boot, err)
	}
	if h.hasRound {
		r.Round = h.round
	}
	return appendEnvelope(dst, table, r, string(h.out), r.Line), nil
}

// AppendAnswer appends the message of what became of a command to dst and returns it.
func AppendAnswer(dst []byte, a Answer) []byte { return appendMessage(dst, &a) }

// AppendUnreadable appends a message of [TypeUnreadable] for a record whose line is
// no output, and returns it.
func AppendUnreadable(dst []byte, table Table, r Record, cause error) []byte {
	data := appendMessage(nil, &unreadable{Out: TypeUnreadable, Error: cause.Error()})
	return appendEnvelope(dst, table, r, TypeUnreadable, data)
}

// unreadable is the data of an event whose line is not an output.
type unreadable struct {
	Out   string `json:"out"`
	Error string `json:"error"`
}

func appendEnvelope(dst []byte, table Table, r Record, out string, data []byte) []byte {
	var id [3 * MaxName]byte
	return appendMessage(dst, &Event{
		ID: string(appendID(id[:0], table, r)), Site: table.site, Table: table.name, Boot: r.Boot, Sequence: r.Number,
		Time: time.Unix(0, r.At), Type: out, Round: r.Round, Data: data,
	})
}

// appendID appends the event's identity. The time is part of it because a journal
// that was replaced counts boots and events from 1 again.
func appendID(dst []byte, table Table, r Record) []byte {
	dst = append(dst, table.site...)
	dst = append(dst, '/')
	dst = append(dst, table.name...)
	dst = append(dst, '/')
	dst = strconv.AppendUint(dst, r.Boot, 10)
	dst = append(dst, '/')
	dst = strconv.AppendUint(dst, r.Number, 10)
	dst = append(dst, '/')
	return strconv.AppendInt(dst, r.At, 10)
}

// AppendStatus appends the message to dst and returns it.
func AppendStatus(dst []byte, s Status) []byte { return appendMessage(dst, &s) }

// AppendState appends the message of a view to dst and returns it. A view that is
// not a JSON object is an error, and dst comes back as it was.
func AppendState(dst []byte, table Table, boot uint64, s Snapshot) ([]byte, error) {
	if len(s.View) == 0 || s.View[0] != '{' || !json.Valid(s.View) {
		return dst, errors.New("the table's view is not a JSON object")
	}
	return appendMessage(dst, &State{
		Site: table.site, Table: table.name, Boot: boot, Sequence: s.Sequence, Time: s.Time, View: s.View,
	}), nil
}

// AppendAlert appends the message of one of a snapshot's alerts to dst and returns it.
func AppendAlert(dst []byte, table Table, boot uint64, code string, s Snapshot) ([]byte, error) {
	alert := s.Alerts[code]
	if len(alert) == 0 || alert[0] != '{' || !json.Valid(alert) {
		return dst, fmt.Errorf("the alert %s is not a JSON object", code)
	}
	return appendMessage(dst, &Alert{
		Site: table.site, Table: table.name, Boot: boot, Sequence: s.Sequence, Time: s.Time, Code: code, Alert: alert,
	}), nil
}

// AppendHealth appends the message to dst and returns it.
func AppendHealth(dst []byte, h Health) []byte { return appendMessage(dst, &h) }
