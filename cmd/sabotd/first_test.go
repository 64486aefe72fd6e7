package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/cmd/internal/rig"
	"github.com/sabot-table/sabot/pit/broker/brokertest"
)

// answersOf are all answers of a first start, as the page posts them.
func (w *world) answersOf(more string) string {
	return fmt.Sprintf(`{"answers":[{"key":"language","text":"en","pin":""},{"key":"house","text":"wiesbaden","pin":""},{"key":"site","text":"test","pin":""},
{"key":"table","text":"bj-1","pin":""},{"key":"supervisors.names","text":"anna","pin":"58219"},{"key":"shoe.driver","text":"sabot","pin":""},
{"key":"shoe.port","text":%q,"pin":""}%s]}`, w.port, more)
}

// TestFirstStartIsTakenBack: if the table cannot begin with the answers of a first start, the file is what it was, the page asks
// again and says why; once the reason is gone, the same answers begin the table.
func TestFirstStartIsTakenBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	preset := fmt.Sprintf("# Set by this package.\nweb: {listen: %q}\njournal: {path: %s}\n", w.page, w.path)
	write(t, w.config, preset)
	write(t, w.path, "a file where the journal's folder has to be")
	process := rig.Start(t, sabotd(t), "--config", w.config)
	w.post("/settings/save", w.answersOf(""), new(any))
	brokertest.Until(t, "the page asks again", func() bool { return strings.Count(process.Out(), "waits for its first start") == 2 })
	logs(t, process, "the table cannot begin with its new settings: those before are put back")
	contains(t, w.get("/settings/", http.StatusOK), `<p class="why">`, w.path)
	if text, err := os.ReadFile(w.config); err != nil || string(text) != preset {
		t.Errorf("the file has become, %v:\n%s", err, text)
	}
	if kept, err := filepath.Glob(w.config + ".0*"); err != nil || len(kept) != 2 {
		t.Errorf("of what was there %v are kept, %v", kept, err)
	}
	if err := os.Remove(w.path); err != nil {
		t.Fatal(err)
	}
	w.post("/settings/save", w.answersOf(""), new(any))
	brokertest.Until(t, "the table begins", func() bool { return strings.Contains(process.Out(), "sabotd ready: table bj-1, boot 1") })
	contains(t, w.get("/settings/state", http.StatusOK), `"first":false`)
	process.Stop()
}
