package host

import (
	"fmt"

	"github.com/sabot-table/sabot/internal/securefile"
)

// putModesRight takes away what other users may do with the journal and what is kept beside it: earlier versions and
// careless copies left more than the table needs. What somebody has taken from the table itself, or put in the place of
// its files, is put right, too, and found. What it cannot put right keeps the table from starting. parts are what a
// look at each part has found.
func (d *Daemon) putModesRight() (found []string, parts securefile.Looks, err error) {
	for again := true; again; { // what is in a folder that could not be read is seen once it can
		items, looked, err := d.config.Journal.Keeps()
		if err != nil {
			return nil, nil, fmt.Errorf("the modes of the journal's files: %w", err)
		}
		mended, err := securefile.MendLooked(items, securefile.Own(), looked)
		securefile.Tell(d.log, mended)
		again, parts = false, looked
		for i := range mended {
			if what := mended[i].Found(); what != "" {
				found = append(found, what)
			}
			again = again || mended[i].Lacked && mended[i].Kind == securefile.JournalFolder
		}
		if err != nil {
			return nil, nil, fmt.Errorf("the journal is not safe from other users: %w", err)
		}
	}
	return together(found), parts, nil
}

// mostFound is how many findings about files are told one by one.
const mostFound = 8

// together tells many findings as one.
func together(found []string) []string {
	if len(found) <= mostFound {
		return found
	}
	return []string{fmt.Sprintf("%d files of the table were changed: its log names them; the first is %s",
		len(found), found[0])}
}
