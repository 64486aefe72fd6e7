package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/processes"
)

// TestCommandLine: a wrong command line is refused with status 2, and says why.
func TestCommandLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args   []string
		status int
		want   string // on standard error; on standard output with status 0
	}{
		{[]string{"--version"}, exitOK, "sabotd "},
		{nil, exitUsage, "give --config FILE"},
		{[]string{"--demo", "--pace", "1s"}, exitUsage, "start sabot-demo"},
		{[]string{"--konfig", "sabot.yaml"}, exitUsage, "-konfig"},
		{[]string{"--config", "sabot.yaml", "now"}, exitUsage, `"now" is not a flag`},
		{[]string{"--config", "missing/sabot.yaml"}, exitConfig, "missing/sabot.yaml"},
	} {
		ended := processes.Run(t, sabotd(t), c.args...)
		said, other := ended.Err, ended.Out
		if c.status == exitOK {
			said, other = other, said
		}
		if ended.Status != c.status || !strings.Contains(said, c.want) || other != "" {
			t.Errorf("sabotd %v ended with %+v; want status %d and %q", c.args, ended, c.status, c.want)
		}
	}
	if ended := processes.Run(t, sabotd(t), "-h"); ended.Status != exitOK || ended.Err != "" ||
		!strings.Contains(ended.Out, "-config file") ||
		!strings.Contains(ended.Out, "sabotd --config /etc/sabot/sabot.yaml") {
		t.Errorf("sabotd -h ended with %+v", ended)
	}
}

// TestNoBench: a real table answers nothing where a demonstration has its bench.
func TestNoBench(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	process := w.start()
	for _, path := range []string{"bench", "bench/", "bench/events", "bench/assets/bench.js", "bench/shoe"} {
		w.get("/"+path, http.StatusNotFound)
	}
	process.Stop()
}

// TestWrongConfiguration: all faults are reported at once, each with its place.
func TestWrongConfiguration(t *testing.T) {
	t.Parallel()
	config := filepath.Join(t.TempDir(), "sabot.yaml")
	write(t, config, `site: Test
table: bj-1
house: macao
shoe: {port: /dev/ttyUSB0, colour: red}
journal: {path: journal}
web: {listen: "0.0.0.0:80"}
supervisors: {proof: none}
`)
	ended := processes.Run(t, sabotd(t), "--config", config)
	if ended.Status != exitConfig || ended.Out != "" {
		t.Errorf("sabotd ended with %+v", ended)
	}
	contains(t, ended.Err, config+":1:7", "MQTT topic", config+":3:8", "macao", config+":4:", "colour",
		config+":5:", "absolute path", config+":6:", "other machines", config+":7:", "at their word")
}

// TestPageTaken: a second daemon on the same address says so, and the first continues.
func TestPageTaken(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	process := w.start()
	contains(t, w.refused(filepath.Join(w.dir, "other.db"), w.page), w.page, "is in use", "web.listen")
	w.check(w.deal(1).finish(), 1)
	process.Stop()
}

// TestKeysNotThere: a table runs without the keys that this machine does not have, and says so
// once, with what to do.
func TestKeysNotThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.limits = "keys: {card: NO-LINE-HAS-THIS-NAME, supervisor: no-such-chip:3}\nsignals: {red: gpiochip99:1}\n"
	process := w.start()
	w.check(w.deal(2).finish(), 2)
	process.Stop()
	contains(t, process.Log(), "lines of the panel are missing; the table continues without them", "lines=", "card",
		"supervisor", "red", "no GPIO")
	if n := strings.Count(process.Log(), "lines of the panel"); n > 3 {
		t.Errorf("the log speaks of the lines %d times:\n%s", n, process.Log())
	}
	if _, lines := w.records(); strings.Contains(lines, "keys-back") {
		t.Error("keys that are not there are back")
	}
}

// TestNoCharacterDisplay: a table runs without the display that its configuration names, and
// says so once.
func TestNoCharacterDisplay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.limits = "lcd: {bus: /dev/i2c-9999}\n"
	process := w.start()
	w.check(w.deal(2).finish(), 2)
	process.Stop()
	contains(t, process.Log(), "no character display", "/dev/i2c-9999", "no such port", "raspi-config nonint do_i2c 0")
	if n := strings.Count(process.Log(), "character display"); n != 1 {
		t.Errorf("the log speaks of the display %d times:\n%s", n, process.Log())
	}
}
