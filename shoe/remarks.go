package shoe

import (
	"log/slog"
	"time"
)

// RemarksEvery is the time between two sums of the same remark.
const RemarksEvery = 10 * time.Second

// Remarks collect what is to be logged of a shoe, and keep the log readable where a line or a shoe can repeat the same
// thing at will: the first time is logged at once, later ones as a sum. Their zero value is empty. They grow with each
// new text, so texts must be constants. They are not safe for concurrent use.
type Remarks struct {
	all []remark
}

// remark is what is to be logged about one thing, and when it was last logged.
type remark struct {
	RemarkSum
	logged time.Time
}

// RemarkSum says how often a thing happened since it was last logged.
type RemarkSum struct {
	Text  string
	Count uint64
	Last  error // the last occurrence; may be nil
}

// Note records that a thing happened once more.
func (b *Remarks) Note(text string, last error) {
	for i := range b.all {
		if r := &b.all[i]; r.Text == text {
			r.Count, r.Last = r.Count+1, last
			return
		}
	}
	b.all = append(b.all, remark{RemarkSum: RemarkSum{Text: text, Count: 1, Last: last}})
}

// Due removes and returns what may be logged now.
func (b *Remarks) Due(now time.Time) (sums []RemarkSum) {
	for i := range b.all {
		r := &b.all[i]
		if r.Count == 0 || now.Sub(r.logged) < RemarksEvery {
			continue
		}
		sums = append(sums, r.RemarkSum)
		r.Count, r.Last, r.logged = 0, nil, now
	}
	return sums
}

// Log writes the sum as a warning about the shoe.
func (s RemarkSum) Log(log *slog.Logger) {
	args := []any{"count", s.Count}
	if s.Last != nil {
		args = append(args, "last", s.Last)
	}
	log.Warn("shoe: "+s.Text, args...)
}
