package audit

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/sabot-table/sabot/table/journal"
)

// aside is what was set aside in the place of which the journal, or one before it, was begun: each part's header names
// it.
type aside struct {
	list []journal.SetAside
	// told are the folders that were told of with the journal's beginning.
	told []string
}

func (s *aside) header(h *journal.Header) {
	for _, a := range h.Aside {
		if !slices.Contains(s.list, a) {
			s.list = append(s.list, a)
		}
	}
}

// end tells of what was set aside before, or where the part is not here that says so. It stays a fault for ever: the
// table could not go on with what it had written, and an auditor has to look at that.
func (s *aside) end(a *auditor) {
	for i := range s.list {
		if one := &s.list[i]; !slices.Contains(s.told, one.Folder) {
			a.fault(SetAside, nil, fmt.Sprintf("the journal %s was set aside before, up to record %d%s",
				cmp.Or(one.Journal, "that was there"), one.Record, s.there(a, one.Folder)))
		}
	}
}

// began tells in whose place the journal was begun.
func (a *auditor) began(h *journal.Header) {
	f := h.Former
	what := fmt.Sprintf("the journal was begun in the place of the journal %s, which ended with record %d: %s",
		cmp.Or(f.Journal, "that was there"), f.Record, f.Why)
	a.aside.told = append(a.aside.told, f.Folder)
	a.fault(SetAside, nil, what+a.aside.there(a, f.Folder))
}

// there says what is there of what was set aside.
func (s *aside) there(a *auditor, folder string) string {
	if folder == "" {
		return "; nothing of it was there to be set aside"
	}
	one := journal.SetAside{Folder: folder} // where an earlier version set it aside, nothing says what it was
	if i := slices.IndexFunc(s.list, func(one journal.SetAside) bool { return one.Folder == folder }); i >= 0 {
		one = s.list[i]
	}
	if differs := a.reader.AsideDiffers(&one); differs != "" {
		return "; " + differs + ": nothing here shows what it held"
	}
	return fmt.Sprintf("; it was set aside in %s, and is there: audit that, too", folder)
}

// accepted tells for ever what a person has accepted of findings about the journal's files: no start asks for it again.
func (a *auditor) accepted(s *journal.Accepted) {
	f := a.finding(Accepted, nil, fmt.Sprintf("%s accepted, %s, that %s", s.By, stamp(moment(s.At)), s.Found))
	f.Record = a.report.Head
	a.report.fault(f)
}
