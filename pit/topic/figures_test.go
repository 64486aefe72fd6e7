package topic_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/internal/testkit/figure"
	"github.com/sabot-table/sabot/pit/topic"
)

// TestFigures: what the message of an event allocates, and how long that of a full table's state is.
func TestFigures(t *testing.T) {
	table := newTable(t)
	record := settledRecord()
	buffer := make([]byte, 0, 1024)
	allocations := testing.AllocsPerRun(1000, func() {
		var err error
		if buffer, err = topic.AppendEvent(buffer[:0], table, record); err != nil {
			t.Fatal(err)
		}
	})
	figure.Check(t, "pit.message.allocations", allocations, "allocations an event, written as a message")

	view, err := json.Marshal(displaytest.Named("full"))
	if err != nil {
		t.Fatal(err)
	}
	state, err := topic.AppendState(nil, table, 7, topic.Snapshot{
		Sequence: 1042, Time: time.Unix(1774746123, 0),
		View: view,
	})
	if err != nil {
		t.Fatal(err)
	}
	figure.Check(t, "pit.state.bytes", float64(len(state)), "bytes a state of a full table")
}
