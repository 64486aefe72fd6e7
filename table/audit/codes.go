package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/table/journal"
)

// codes follows which lines only the table could have written.
type codes struct {
	// steps counts the steps of the walk.
	steps uint64
	// open counts the lines since the last seal whose codes were not checked.
	open uint64
	// unknown names the audit keys of parts that were not given.
	unknown []string
}

func (c *codes) step(a *auditor, s *journal.Step) {
	c.steps++
	if !s.Coded {
		return
	}
	a.report.Codes.Lines++
	switch {
	case s.Seal != nil:
		c.open = 0
	case !s.Checked:
		c.open++
	}
	if s.Checked {
		a.report.Codes.Checked++
	}
	if s.Header != nil && !s.Checked && s.Header.Coded != nil && !slices.Contains(c.unknown, s.Header.Coded.By) {
		c.unknown = append(c.unknown, s.Header.Coded.By)
	}
}

func (c *codes) end(a *auditor) {
	given := len(a.o.AuditKeys) > 0
	codes := &a.report.Codes
	codes.Given = given
	switch {
	case given && codes.Lines == 0:
		a.fault(Code, nil,
			"no line of the journal has a code, and there should be some by the audit key that was given")
	case given && codes.Checked == 0:
		a.fault(Code, nil,
			fmt.Sprintf("no line has a code by an audit key that was given: the journal's follow from another, %s",
				strings.Join(c.unknown, ", ")))
	case c.open > 0:
		a.remark(NoAuditKey, nil,
			fmt.Sprintf("nothing shows whether the table wrote the last %s, which no seal covers: the codes were "+
				"not checked; "+
				"check with --audit-key and what sabot key audit printed for the table", count(c.open, "line")))
	}
}

// gone are the parts that are not in the folder since they were moved away, by a note in the journal. Anybody could
// have added a note behind the last seal.
type gone struct {
	parts []uint64
	// notes are those of parts, with their place in the walk; 0 for one whose code is the table's.
	notes map[uint64]uint64
}

func (g *gone) note(a *auditor, s *journal.Step) {
	if g.notes == nil {
		g.notes = map[uint64]uint64{}
	}
	place := a.codes.steps
	if s.Checked {
		place = 0
	}
	g.notes[s.Away.Part] = place
}

// end tells of parts that only somebody's word has moved away.
func (g *gone) end(a *auditor) {
	if a.seals.count == 0 {
		return
	}
	for _, part := range g.parts {
		if place := g.notes[part]; place > a.seals.good.step {
			a.fault(Missing, nil,
				fmt.Sprintf("part %d is not here, and the note that it was moved away stands behind the last "+
					"valid seal: "+
					"nothing shows that the table wrote it", part))
		}
	}
}
