package main

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
)

// TestLostConfiguration: who empties the configuration of a table that has dealt is asked nothing, and becomes nobody's
// supervisor. The table says so wherever somebody looks, and goes on with its own configuration as soon as that is
// back.
func TestLostConfiguration(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	process := w.start()
	w.deal(1).finish()
	process.Stop()
	was, err := os.ReadFile(w.config)
	if err != nil {
		t.Fatal(err)
	}
	inputs, outputs := w.records()
	write(t, w.config, fmt.Sprintf("web: {listen: %q}\njournal: {path: %s}\n", w.page, w.path))

	process = processes.Start(t, sabotd(t), "--config", w.config)
	brokertest.Until(t, "it says that nothing is asked", func() bool {
		return strings.Contains(process.Out(), "sabotd waits for its configuration, which is gone")
	})
	logs(t, process, "the configuration is gone, and this computer has the record of a table")
	contains(t, process.Log(), w.path+", up to round 1", "sabot restore")
	contains(t, w.get("/settings/", http.StatusOK), "This table’s settings are gone", w.path)
	response, err := http.Post("http://"+w.page+"/settings/save", "application/json",
		strings.NewReader(w.answersOf("")))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusNotFound && response.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("answers are answered with %s", response.Status)
	}
	contains(t, w.get("/health", http.StatusServiceUnavailable), `"live":true,"ready":false`,
		`"code":"configuration-lost"`)
	contains(t, w.get("/metrics", http.StatusOK), `sabot_health_reason{code="configuration-lost",severity="stops"} 1`,
		`sabot_health_reason{code="starting",severity="stops"} 0`)
	said := processes.Run(t, processes.Binary(t, "sabot"), "doctor", "--config", w.config)
	contains(t, said.Out, "STOPS  configuration-lost: ", w.path)
	if said.Status != exitFailed || strings.Contains(said.Out, "STOPS  first-start") {
		t.Errorf("the doctor says %+v", said)
	}
	if in, out := w.records(); in != inputs || out != outputs {
		t.Error("the record has changed")
	}

	write(t, w.config, string(was))
	brokertest.Until(t, "the table goes on", func() bool {
		return strings.Contains(process.Out(), "sabotd ready: table bj-1, boot 2")
	})
	w.deal(1).finish()
	process.Stop()
}
