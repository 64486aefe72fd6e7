package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Accepted is a line that says who has accepted what was found about the journal's files. No start asks for that again.
type Accepted struct {
	Found, By string
	// At is when, in Unix nanoseconds.
	At int64
}

// acceptedLine is such a line.
type acceptedLine struct {
	Accepted string `json:"accepted"`
	By       string `json:"by"`
	At       int64  `json:"at"`
	// Of has the marks of what was accepted.
	Of []string `json:"of"`
}

// finding is what was found about the journal's files, and the marks of all that it stands for.
type finding struct {
	text  string
	marks []string
	// told says that Found has told it, and accepted that somebody has accepted it since.
	told, accepted bool
}

// mark is by what a finding is known again. Findings about the content of a file have a mark of that content in their
// text, so that another content is another finding.
func mark(text string) string { return markOf([]byte(text)) }

func markOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

const (
	// mostTold is how many findings of one look are told one by one.
	mostTold = 8
	// mostAccepted limits how many marks a journal carries on; those that were accepted last stay.
	mostAccepted = 10_000
)

// isMark says whether a text can be a mark.
func isMark(text string) bool {
	_, err := hex.DecodeString(text)
	return err == nil && len(text) == 16 && text == strings.ToLower(text)
}

// tell has Found tell what it has not told before and nobody has accepted: a few findings one by one, and many as one.
func (j *Journal) tell(found []string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	var open []string
	for _, what := range found {
		m := mark(what)
		known := func(f finding) bool { return slices.Contains(f.marks, m) }
		if !slices.Contains(j.tail.accepted, m) && !slices.ContainsFunc(j.found, known) &&
			!slices.Contains(open, what) {
			open = append(open, what)
		}
	}
	if len(open) <= mostTold {
		for _, what := range open {
			j.find(what)
		}
		return
	}
	j.findAll(fmt.Sprintf("%d files are not as they should be: sabot journal audit names them; the first is %s",
		len(open), open[0]), open)
}

// Tells takes note of what the caller has found about other files of the table and tells itself, so that its acceptance
// goes on record as that of the journal's own findings does.
func (j *Journal) Tells(what string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.found = append(j.found, finding{text: what, marks: []string{mark(what)}, told: true})
}

// find has Found tell something.
func (j *Journal) find(what string) { j.findAll(what, []string{what}) }

// findAll has Found tell something that stands for several findings.
func (j *Journal) findAll(what string, all []string) {
	f := finding{text: what}
	for _, one := range all {
		f.marks = append(f.marks, mark(one))
	}
	j.found = append(j.found, f)
}

// Found returns what others were found to have done to the journal's files since the last
// call: a sentence each, for the reader.
func (j *Journal) Found() (found []string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for i := range j.found {
		if f := &j.found[i]; !f.told {
			found, f.told = append(found, f.text), true
		}
	}
	return found
}

// accepted adds a line for each finding that was told, where somebody has accepted them.
func (j *Journal) accepted(b *batch, e *Entry) error {
	if e.AcceptedBy == "" {
		return nil
	}
	for i := range j.found {
		f := &j.found[i]
		if !f.told || f.accepted {
			continue
		}
		line, err := json.Marshal(acceptedLine{f.text, e.AcceptedBy, e.At, f.marks})
		if err != nil {
			return err
		}
		b.raw(line[:len(line)-1])
		b.state.accept(f.marks)
	}
	return nil
}

// wereAccepted takes note of that once the lines are durable.
func (j *Journal) wereAccepted(entries []Entry) {
	if slices.ContainsFunc(entries, func(e Entry) bool { return e.AcceptedBy != "" }) {
		for i := range j.found {
			j.found[i].accepted = j.found[i].told
		}
	}
}

// accept moves the state past what was accepted.
func (s *state) accept(marks []string) {
	all := slices.Clone(s.accepted)
	for _, m := range marks {
		if !slices.Contains(all, m) {
			all = append(all, m)
		}
	}
	s.accepted = all[max(0, len(all)-mostAccepted):]
}
