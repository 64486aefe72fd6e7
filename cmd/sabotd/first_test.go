package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/system"
)

// answersOf are all answers of a first start, as the page posts them.
func (w *world) answersOf(more string) string {
	return fmt.Sprintf(`{"answers":[{"key":"language","text":"en","pin":""},{"key":"house","text":"wiesbaden","pin":""},{"key":"site","text":"test","pin":""},
{"key":"table","text":"bj-1","pin":""},{"key":"supervisors.names","text":"anna","pin":"58219"},{"key":"shoe.driver","text":"sabot","pin":""},
{"key":"shoe.port","text":%q,"pin":""}%s]}`, w.port, more)
}

// TestFirstStartIsTakenBack: if the table cannot begin with the answers of a first start, the file is what it was, the
// page asks again and says why; once the reason is gone, the same answers begin the table.
func TestFirstStartIsTakenBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	preset := fmt.Sprintf("# Set by this package.\nweb: {listen: %q}\njournal: {path: %s}\n", w.page, w.path)
	write(t, w.config, preset)
	write(t, w.path, "a file where the journal's folder has to be")
	process := processes.Start(t, sabotd(t), "--config", w.config)
	w.post("/settings/save", w.answersOf(""), new(any))
	brokertest.Until(t, "the page asks again", func() bool {
		return strings.Count(process.Out(), "waits for its first start") == 2
	})
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
	brokertest.Until(t, "the table begins", func() bool {
		return strings.Contains(process.Out(), "sabotd ready: table bj-1, boot 1")
	})
	contains(t, w.get("/settings/state", http.StatusOK), `"first":false`)
	process.Stop()
}

// TestFirstStartIsSeen: while the questions wait for answers, health, metrics and doctor say so, and where.
func TestFirstStartIsSeen(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	write(t, w.config, fmt.Sprintf("web: {listen: %q}\njournal: {path: %s}\n", w.page, w.path))
	process := processes.Start(t, sabotd(t), "--config", w.config)
	brokertest.Until(t, "the page asks", func() bool {
		return strings.Contains(process.Out(), "waits for its first start")
	})
	contains(t, w.get("/health", http.StatusServiceUnavailable), `"live":true,"ready":false`, `"code":"first-start"`,
		"at http://"+w.page+"/")
	contains(t, w.get("/metrics", http.StatusOK), "sabot_ready 0\n",
		`sabot_health_reason{code="first-start",severity="stops"} 1`,
		`sabot_health_reason{code="starting",severity="stops"} 0`)
	sabot := processes.Binary(t, "sabot")
	said := processes.Run(t, sabot, "doctor", "--config", w.config)
	contains(t, said.Out, "STOPS  first-start: the table waits for its first start", "found  at http://"+w.page+"/")
	if said.Status != exitFailed || strings.Contains(said.Out, "config-unfit") ||
		strings.Contains(said.Out, "daemon-silent") {
		t.Errorf("the doctor says %+v", said)
	}
	process.Stop()
}

// TestFirstStartPutsModesRight: a configuration that root has copied into the table's folder, where everybody may read
// it, and a key that the table's user has left open are no question for the screen: the table puts them right, says so
// in its log, and begins.
func TestFirstStartPutsModesRight(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Fatal("this test starts a program as another user, which only root can: run it as root")
	}
	folder := openFolder(t)
	binary, config, key := filepath.Join(folder, "sabotd"), filepath.Join(folder, "etc/sabot.yaml"),
		filepath.Join(folder, "etc/shoe.key")
	page := system.Address(t)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	system.Install(t, sabotd(t), binary)
	for _, name := range []string{"etc", "lib"} {
		must(os.Mkdir(filepath.Join(folder, name), 0o755))
		must(os.Chown(filepath.Join(folder, name), 0, nobody))
		must(os.Chmod(filepath.Join(folder, name), 0o770))
	}
	write(t, config, fmt.Sprintf("web: {listen: %q}\njournal: {path: %s}\nshoe: {key_file: %s}\n", page,
		filepath.Join(folder, "lib/journal"), key))
	write(t, key, strings.Repeat("0a", 16)+"\n")
	must(os.Chown(key, nobody, nobody))
	must(os.Chmod(config, 0o644))
	must(os.Chmod(key, 0o644))
	process := processes.StartAs(t, nobody, binary, "--config", config)
	w := &world{t: t, page: page, port: "tcp://127.0.0.1:1"}
	w.post("/settings/save", w.answersOf(""), new(any))
	brokertest.Until(t, "the table begins", func() bool {
		return strings.Contains(process.Out(), "sabotd ready: table bj-1, boot 1")
	})
	for _, path := range []string{config, key} {
		info, err := os.Stat(path)
		must(err)
		if info.Mode().Perm()&0o027 != 0 {
			t.Errorf("%s has %v", path, info.Mode())
		}
		logs(t, process, "path="+path)
	}
	logs(t, process, "they cannot any longer, and make a new one if anybody may have read it")
	process.Stop()
}
