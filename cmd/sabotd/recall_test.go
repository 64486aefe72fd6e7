package main

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/table/irregularity"
)

// get requests a path from the page, and wants this answer.
func (w *world) get(path string, status int) string {
	w.t.Helper()
	response, err := http.Get("http://" + w.page + path)
	if err != nil {
		w.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != status {
		w.t.Fatalf("%s was answered %s, %v: %s", path, response.Status, err, text)
	}
	return string(text)
}

// TestRecallWhileHeld looks at past rounds while a round is held, and again after a
// kill: the new daemon has seen none of them.
func TestRecallWhileHeld(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	process := w.start()
	none := w.get("/recall", http.StatusOK)
	contains(t, none, "No round has been recorded yet")
	w.deal(2).finish()
	d := w.deal(1)
	unread := d.holdUnread()

	// The display is ahead of the journal.
	brokertest.Until(t, "the journal has the card", func() bool {
		_, outputs := w.records()
		return strings.Contains(outputs, `"code":"unread-card"`)
	})
	for range 2 {
		contains(t, w.get("/", http.StatusOK), `href="/recall"`)
		contains(t, w.get("/recall", http.StatusOK), "PAST ROUNDS", `href="/recall/3"`, `href="/recall/1"`,
			"STOP – unread card")
		contains(t, w.get("/recall/3", http.StatusOK), "Round 3 so far", "STOP – unread card")
		contains(t, w.get("/recall/99", http.StatusNotFound), "the last round is 3")
		for _, path := range []string{"/recall/1", "/recall/2"} {
			body := w.get(path, http.StatusOK)
			contains(t, body, "PAST ROUND "+path[len("/recall/"):], "Not the round on the table", "Round closed",
				"Wiesbaden, 10.00")
			_, told, _ := strings.Cut(body, `id="steps"`)
			if before, _, _ := strings.Cut(told, "<footer"); strings.Contains(before, "STOP") {
				t.Errorf("%s tells of what holds round 3", path)
			}
		}
		process.Kill()
		process = w.start()
		w.look().awaitHeld(irregularity.UnreadCard, irregularity.Identify, irregularity.Burn, irregularity.VoidRound)
	}
	d.resolve(irregularity.Identify, unread)
	d.finish()
	contains(t, w.get("/recall/3", http.StatusOK), "PAST ROUND 3", "unread card: identify")
	process.Stop()
}
