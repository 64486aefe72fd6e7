package audit

import (
	"fmt"

	"github.com/sabot-table/sabot/table/journal"
)

// head is a record that was known elsewhere while it was the last. It is what shows that
// the end was cut off, or that somebody with the key has written the journal anew.
type head struct {
	Note
	// by says who knows it, for people.
	by   string
	id   string // the journal's, "" where that was not noted
	seen bool
}

// heads are those that the options name.
func (o *Options) heads() (list []head) {
	if o.Noted.Seq != 0 {
		list = append(list, head{Note: o.Noted, by: "was noted elsewhere"})
	}
	if h := o.Heard; h.ID != "" {
		list = append(list, head{Note: Note{h.Record, h.Hash}, by: "was acknowledged by the pit", id: h.ID})
	}
	return list
}

// see compares the record where it comes.
func (h *head) see(a *auditor, rec *journal.Record) {
	if rec.Seq != h.Seq || h.elsewhere(a) {
		return
	}
	h.seen = true
	if rec.Hash != h.Hash {
		a.fault(Head, rec, fmt.Sprintf("the record has the hash %x, and %x %s: "+
			"it, or something before it, was changed after that, and the chain was computed anew", rec.Hash,
			h.Hash, h.by))
	}
}

// elsewhere says that the record is one of another journal.
func (h *head) elsewhere(a *auditor) bool { return h.id != "" && h.id != a.report.ID }

// end says that the record never came.
func (h *head) end(a *auditor) {
	switch {
	case h.elsewhere(a) && a.former != nil && a.former.Journal == h.id && h.Seq <= a.former.Record:
	case h.elsewhere(a):
		a.fault(Head, nil,
			fmt.Sprintf("record %d of the journal %s %s, and this is the journal %s: another one was put in its place",
				h.Seq, h.id, h.by, a.report.ID))
	case h.Seq == 0 || h.seen:
	case h.Seq <= a.report.Head && len(a.report.Away) > 0:
		a.remark(Away, nil, fmt.Sprintf("record %d, which %s, is in a part that was moved away, and was not compared",
			h.Seq, h.by))
	default:
		a.fault(Behind, nil, fmt.Sprintf("record %d %s, and is not there: the journal's end was cut off", h.Seq, h.by))
	}
}
