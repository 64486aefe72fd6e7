package past

import (
	"encoding/json"
	"errors"
)

// Line is one input or output: its text as it was recorded, and those of its fields
// that have a known name. docs/transcript.md says what they mean.
type Line struct {
	text string

	In, Out string

	Allowed  []string
	Amount   *int64
	Bank     []string
	Total    int `json:"bank_total"`
	Bettor   string
	Bettors  []string
	Box      int
	By       string
	Call     string
	Calls    []string
	Card     string
	Choices  []string
	Code     string
	Event    string
	Found    string
	Hand     int
	Alarm    string
	House    string
	Missing  int
	Name     string
	Outcome  string
	Points   *int
	Ratio    string
	Reason   string
	Returned *int64
	Role     string
	Round    uint64
	Shift    string
	Soft     bool
	Stake    *int64
	Staked   *int64
	Times    int
	To       string
	Counted  *int `json:"total"`
	Wager    string
	Was, Now *Turn
	Why      string
	With     string
	Won      *int64

	Currency string
	Min      int64
	BoxMax   int64 `json:"box_max"`
	Unit     int64
	Profile  string
}

// Turn is what was due.
type Turn struct {
	To        string
	Box, Hand int
}

// Read takes a line as it was recorded. What cannot be read is kept as text: the
// record is shown whatever it holds.
func Read(text []byte) Line {
	var l Line
	err := json.Unmarshal(text, (*fields)(&l))
	var other *json.UnmarshalTypeError
	if err != nil && !errors.As(err, &other) {
		l = Line{}
	}
	l.text = string(text)
	return l
}

// fields are a Line without its methods.
type fields Line

// Text is the line as it was recorded.
func (l *Line) Text() string { return l.text }

// MarshalJSON writes the line as it was recorded; one that is no JSON as a text.
func (l Line) MarshalJSON() ([]byte, error) {
	if json.Valid([]byte(l.text)) {
		return []byte(l.text), nil
	}
	return json.Marshal(l.text)
}
