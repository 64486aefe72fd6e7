package journal

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mostBrief limits a finding as the table has it on record, in bytes: a text of a transcript, between its quotation marks.
const mostBrief = 98

// Brief is a finding as the table has it on record and people accept it: no longer than a text of a transcript, without the
// characters that a line of one cannot have.
func Brief(found string) string {
	found = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(found, ""), separates), " ")
	for len(found) > mostBrief {
		_, last := utf8.DecodeLastRuneInString(found)
		found = found[:len(found)-last]
	}
	return strings.TrimSpace(found)
}

// separates is true for spaces, for characters that cannot be printed, and for those that JSON must escape.
func separates(r rune) bool {
	return r == '"' || r == '\\' || r == ' ' || !unicode.IsPrint(r)
}

// Acceptance is a finding about the journal's files that a person has accepted.
type Acceptance struct {
	// Found is Brief of what was found, and By who has accepted it.
	Found, By string
}

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

// finding is what was told of the journal's files, and the marks of all that it stands for.
type finding struct {
	text  string
	marks []string
}

// mark is by what a finding is known again. Findings about the content of a file have a mark of that content in their text,
// so that another content is another finding.
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
		if !slices.Contains(j.tail.accepted, m) && !slices.ContainsFunc(j.told, known) && !slices.Contains(open, what) {
			open = append(open, what)
		}
	}
	if len(open) <= mostTold {
		for _, what := range open {
			j.find(what)
		}
		return
	}
	j.toldAs(fmt.Sprintf("%d files are not as they should be: sabot audit names them; the first is %s", len(open), open[0]), open)
}

// Find takes note of what the caller has found about other files of the table, so that its acceptance goes on record as that
// of the journal's own findings does. Found does not tell it.
func (j *Journal) Find(what string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.told = append(j.told, finding{what, []string{mark(what)}})
}

// find has Found tell something.
func (j *Journal) find(what string) { j.toldAs(what, []string{what}) }

// toldAs has Found tell something that stands for several findings.
func (j *Journal) toldAs(what string, all []string) {
	f := finding{text: what}
	for _, one := range all {
		f.marks = append(f.marks, mark(one))
	}
	j.found, j.told = append(j.found, what), append(j.told, f)
}

// accepted adds the line of what an entry has accepted, if it was found about the journal's files.
func (j *Journal) accepted(b *batch, e *Entry) error {
	if e.Accepts == nil || e.Accepts.By == "" {
		return nil
	}
	i := slices.IndexFunc(j.told, func(f finding) bool { return Brief(f.text) == e.Accepts.Found })
	if i < 0 {
		return nil
	}
	line, err := json.Marshal(acceptedLine{j.told[i].text, e.Accepts.By, e.At, j.told[i].marks})
	if err != nil {
		return err
	}
	b.raw(line[:len(line)-1])
	b.state.accept(j.told[i].marks)
	return nil
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
