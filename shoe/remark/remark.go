// Package remark keeps a log readable where a line or a shoe can repeat the same thing at will: the first time is
// logged at once, later ones as a sum.
package remark

import (
	"log/slog"
	"time"
)

// Every is the time between two sums of the same remark.
const Every = 10 * time.Second

// Book collects what is to be logged. Its zero value is empty. It grows with each new text, so texts must be constants.
// It is not safe for concurrent use.
type Book struct {
	remarks []remark
}

// remark is what is to be logged about one thing, and when it was last logged.
type remark struct {
	Sum
	logged time.Time
}

// Sum says how often a thing happened since it was last logged.
type Sum struct {
	Text  string
	Count uint64
	Last  error // the last occurrence; may be nil
}

// Note records that a thing happened once more.
func (b *Book) Note(text string, last error) {
	for i := range b.remarks {
		if r := &b.remarks[i]; r.Text == text {
			r.Count, r.Last = r.Count+1, last
			return
		}
	}
	b.remarks = append(b.remarks, remark{Sum: Sum{Text: text, Count: 1, Last: last}})
}

// Due removes and returns what may be logged now.
func (b *Book) Due(now time.Time) (sums []Sum) {
	for i := range b.remarks {
		r := &b.remarks[i]
		if r.Count == 0 || now.Sub(r.logged) < Every {
			continue
		}
		sums = append(sums, r.Sum)
		r.Count, r.Last, r.logged = 0, nil, now
	}
	return sums
}

// Log writes the sum as a warning about the shoe.
func (s Sum) Log(log *slog.Logger) {
	args := []any{"count", s.Count}
	if s.Last != nil {
		args = append(args, "last", s.Last)
	}
	log.Warn("shoe: "+s.Text, args...)
}
