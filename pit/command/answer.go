package command

import (
	"encoding/json"
	"fmt"
	"time"
)

// Answer is what a table says of a command whose signature is right, on the answers' topic of
// the pit that sent it.
type Answer struct {
	Site  string    `json:"site" kind:"name" doc:"The house or hall."`
	Table string    `json:"table" kind:"name" doc:"The table's name within its site."`
	Boot  uint64    `json:"boot" doc:"Number of the daemon's start."`
	Time  time.Time `json:"time" doc:"When the message was made."`
	ID    string    `json:"id" doc:"The command's id; of an outcome, that of the question."`
	What  string    `json:"what" doc:"What it was to do."`
	State string    `json:"state" enum:"done,not-done,underway" doc:"done: carried out, and durable; not-done: not carried out, and never will be; underway: only as the answer to an outcome."`
	// Record is the journal's record that has it.
	Record uint64 `json:"record,omitempty" doc:"The record of the table's journal that has it; missing for what is in none, as a resend."`
	Reason string `json:"reason,omitempty" doc:"Why it was not done: a refusal of pit/command/README.md, or a rejection as transcripts name it."`
	Text   string `json:"text,omitempty" doc:"The reason in words."`
	Of     string `json:"of,omitempty" doc:"Of an outcome: the id of the command that was asked about; state, record and reason are that command's."`
}

// maxAnswer is the longest answer that is read, in bytes.
const maxAnswer = 4096

// Append writes the answer's payload.
func (a Answer) Append(dst []byte) []byte {
	text, err := json.Marshal(a)
	if err != nil {
		panic(err) // an Answer is plain data
	}
	return append(dst, text...)
}

// ParseAnswer reads an answer. Fields that it does not know it passes over.
func ParseAnswer(payload []byte) (Answer, error) {
	var a Answer
	if len(payload) > maxAnswer {
		return a, fmt.Errorf("the answer has %d bytes, more than %d", len(payload), maxAnswer)
	}
	if err := json.Unmarshal(payload, &a); err != nil {
		return Answer{}, fmt.Errorf("the answer to a command: %w", err)
	}
	if _, known := ParseState(a.State); !known {
		return Answer{}, fmt.Errorf("the answer to a command says %q, which is no state", a.State)
	}
	if err := checkHex("id", a.ID); err != nil {
		return Answer{}, err
	}
	return a, nil
}

// Became is what the answer says.
func (a Answer) Became() Became {
	state, _ := ParseState(a.State)
	return Became{State: state, Record: a.Record, Reason: a.Reason}
}
