package daemon

import (
	"fmt"

	"github.com/sabot-table/sabot/internal/modes"
)

// putModesRight takes away what other users may do with the journal and what is kept beside it: earlier versions and
// careless copies left more than the table needs. What it cannot put right keeps the table from starting.
func (d *Daemon) putModesRight() error {
	items, err := d.config.Journal.Keeps()
	if err != nil {
		return fmt.Errorf("the modes of the journal's files: %w", err)
	}
	mended, err := modes.Mend(items, modes.Own())
	modes.Tell(d.log, mended)
	if err != nil {
		return fmt.Errorf("the journal is not safe from other users: %w", err)
	}
	return nil
}
