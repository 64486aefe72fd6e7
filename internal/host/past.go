package host

import (
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/recall"
)

// Recall looks up what the table has on record, the open round included. The houses are those by whose rules it may
// have been played.
func (d *Daemon) Recall(houses profile.Book) *recall.Recall {
	return recall.New(d.kept.journal, houses)
}
