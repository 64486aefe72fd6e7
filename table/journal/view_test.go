package journal

import (
	"fmt"
	"strings"
	"testing"
)

// TestEventView compares the view that people use in a SQLite shell with Events.
func TestEventView(t *testing.T) {
	j := mustOpen(t, newPath(t))
	mustAppend(t, j,
		cardEntry(1), keyEntry(`{"in":"close"}`), cardEntry(2),
		keyEntry(`{"in":"a"}`, `{"out":"comma, bracket ] and \n in text"}`, `{"out":["x","y"]}`))
	rows, err := j.db.Query(`SELECT number, record, line FROM event ORDER BY number`)
	must(t, err)
	defer rows.Close()
	var b strings.Builder
	for rows.Next() {
		var number, record int
		var line string
		must(t, rows.Scan(&number, &record, &line))
		fmt.Fprintf(&b, "%d:%d:%s ", number, record, line)
	}
	must(t, rows.Err())
	if got, want := strings.TrimSpace(b.String()), lines(t, j.Reader, 0, 100); got != want || len(got) == 0 {
		t.Errorf("view:\n%s\nEvents:\n%s", got, want)
	}
}
