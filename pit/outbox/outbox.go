// Package outbox turns a journal's events into records for the pit.
package outbox

import (
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
)

// Records are a journal's events as the pit's messages need them.
func Records(events []journal.Event) []topic.Record {
	records := make([]topic.Record, len(events))
	for i, e := range events {
		records[i] = topic.Record{
			Number: e.Number, Boot: e.Boot, At: e.At, Round: e.Round, Line: e.Line,
			Above: e.Above,
		}
	}
	return records
}
