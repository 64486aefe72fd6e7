package main

import (
	"bytes"
	"crypto/ed25519"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
)

func TestMain(m *testing.M) { processes.Main(m) }

// ran runs a command line within the test, to its end.
func ran(t *testing.T, args ...string) processes.Ended {
	t.Helper()
	var out, errOut bytes.Buffer
	status := run(t.Context(), args, &out, &errOut)
	return processes.Ended{Status: status, Out: out.String(), Err: errOut.String()}
}

// TestBuiltBinary: the process ends with the exit statuses that scripts rely on, and prints what a run within the test
// does, where it does.
func TestBuiltBinary(t *testing.T) {
	t.Parallel()
	for status, args := range map[int][]string{exitOK: {"-h"}, exitUsage: {"now"}, exitFailed: {"--house", "macao"}} {
		got := processes.Run(t, processes.Binary(t, "sabot-demo"), args...)
		if within := ran(t, args...); got != within || got.Status != status {
			t.Errorf("sabot-demo %v ended with %+v, not %d, and within the test with %+v", args, got, status, within)
		}
	}
}

// TestCommandLine: a wrong command line is refused with status 2, and says why.
func TestCommandLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args   []string
		status int
		want   string // on standard error; on standard output with status 0
	}{
		{[]string{"--version"}, exitOK, "sabot-demo "},
		{[]string{"now"}, exitUsage, `"now" is not a flag of sabot-demo`},
		{[]string{"--config", "sabot.yaml"}, exitUsage, "-config"},
		{[]string{"--pace", "fast"}, exitUsage, "-pace"},
		{[]string{"--pace", "-1s"}, exitUsage, "--pace cannot be negative"},
		{[]string{"--shoe", "slipper"}, exitUsage, `--shoe: no shoe is called "slipper": choose one of sabot, bee-tek`},
		{[]string{"--tables", "3"}, exitUsage, "--tables is for --floor"},
		{[]string{"--floor", "--by-hand"}, exitUsage, "--by-hand is of one table, and not for --floor"},
		{[]string{"--floor", "--tables", "0"}, exitUsage, "--tables 0: give a number from 1 to 60"},
		{[]string{"--floor", "--nights", "-1"}, exitUsage, "--nights -1: give a number from 0 to 31"},
		{
			[]string{"--floor", "--broker", "127.0.0.1:0", "--web", "8080"},
			exitFailed,
			"give an address such as 127.0.0.1:8080",
		},
		{
			[]string{"--floor", "--broker", "127.0.0.1:0", "--web", "0.0.0.0:0"},
			exitFailed,
			"can be reached from other machines",
		},
		{[]string{"--house", "macao"}, exitFailed, `house "macao" is not known; known are baden, `},
		{[]string{"--broker", "192.0.2.1:1883"}, exitFailed, "--broker gives another address"},
		{[]string{"--broker", "127.0.0.1:0", "--web", "0.0.0.0:0"}, exitFailed, "can be reached from other machines"},
	} {
		ended := ran(t, c.args...)
		said, other := ended.Err, ended.Out
		if c.status == exitOK {
			said, other = other, said
		}
		if ended.Status != c.status || !strings.Contains(said, c.want) || other != "" {
			t.Errorf("sabot-demo %v ended with %+v; want status %d and %q", c.args, ended, c.status, c.want)
		}
	}
	if ended := ran(t, "-h"); ended.Status != exitOK || !strings.Contains(ended.Out, "-by-hand") || ended.Err != "" {
		t.Errorf("sabot-demo -h ended with %+v", ended)
	}
	// The second example ends by itself.
	example := page.Examples[1]
	if ended := ran(t, strings.Fields(example)[1:]...); ended.Status != exitOK ||
		!strings.Contains(ended.Out, "round 3: ") {
		t.Errorf("%s ended with %+v", example, ended)
	}
}

// takesBroker pastes the broker's address, as the demonstration prints it, into a table's
// configuration.
func takesBroker(t *testing.T, address string) {
	t.Helper()
	text := "site: demo\ntable: bj-1\nhouse: wiesbaden\nshoe: {port: /dev/ttyUSB0}\nsupervisors: {proof: " +
		"none}\nmqtt:\n  broker: " + address + "\n"
	c, err := config.Parse("sabot.yaml", []byte(text), profile.Built())
	if err != nil || c.MQTT.Broker != address {
		t.Errorf("a configuration does not take the broker %q: %v", address, err)
	}
}

// TestDemo runs the demonstration, tries to run a second one on the same ports, and
// interrupts it. It leaves nothing.
func TestDemo(t *testing.T) {
	t.Parallel()
	still, tmp := processes.StoodStill(t), processes.FastDir(t)
	process := processes.StartWith(t, []string{"TMPDIR=" + tmp}, processes.Binary(t, "sabot-demo"), "--pace", "1ms",
		"--web", "127.0.0.1:0", "--broker", "127.0.0.1:0")
	screen := look(t, process)
	first := screen.Sees(t, "a round", func(v display.View) bool { return v.Round >= 1 })
	page := strings.Trim(strings.TrimPrefix(process.URL, "http://"), "/")
	_, address, _ := strings.Cut(process.Out(), "broker    ")
	address, _, _ = strings.Cut(address, "\n")
	takesBroker(t, address)
	broker := strings.TrimPrefix(address, "tcp://")

	again := processes.Run(t, processes.Binary(t, "sabot-demo"), "--web", "127.0.0.1:0", "--broker", broker)
	if again.Status != exitFailed || again.Out != "" {
		t.Errorf("a second demonstration ended with %+v", again)
	}
	contains(t, again.Err, broker, "another program uses port", "--broker gives another address")
	again = processes.Run(t, processes.Binary(t, "sabot-demo"), "--web", page, "--broker", "127.0.0.1:0")
	if again.Status != exitFailed || again.Out != "" {
		t.Errorf("a second demonstration ended with %+v", again)
	}
	contains(t, again.Err, page, "is in use", "--web in the demonstration")

	screen.Sees(t, "the first one's next round", func(now display.View) bool { return now.Round > first.Round })
	if status := process.End(syscall.SIGINT); status != exitOK {
		t.Errorf("the demonstration ended with status %d:\n%s", status, process.Log())
	}
	contains(t, process.Out(), "everything on it simulated", "\nround 1: ")
	if said := process.Complaints(still); said != "" {
		t.Errorf("the demonstration complains:\n%s", said)
	}
	nothingIn(t, tmp)
}

// TestNoDevices: a demonstration has no page of devices and log, neither in its menu nor at its address, and the bench
// says why.
func TestNoDevices(t *testing.T) {
	t.Parallel()
	process := processes.StartWith(t, []string{"TMPDIR=" + t.TempDir()}, processes.Binary(t, "sabot-demo"), "--by-hand",
		"--web", "127.0.0.1:0", "--broker", "127.0.0.1:0")
	asked := func(path string, status int) string {
		t.Helper()
		response, err := http.Get(strings.TrimRight(process.URL, "/") + path)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode != status {
			t.Errorf("%s is answered by %s, %v", path, response.Status, err)
		}
		return string(text)
	}
	asked("/devices/", http.StatusNotFound)
	if strings.Contains(asked("/", http.StatusOK), `href="/devices/"`) {
		t.Error("the menu leads to a page that is not there")
	}
	contains(t, asked("/bench", http.StatusOK), "Devices and log, /devices/", "so it is not here")
}

// TestSomeRounds ends on its own, and keeps the journal as told.
func TestSomeRounds(t *testing.T) {
	t.Parallel()
	const rounds = 4
	still := processes.StoodStill(t)
	tmp, path := processes.FastDir(t), filepath.Join(processes.FastDir(t), "kept.db")
	process := processes.StartWith(t, []string{"TMPDIR=" + tmp}, processes.Binary(t, "sabot-demo"), "--pace", "0s",
		"--rounds", "4", "--seed", "9", "--web", "127.0.0.1:0", "--broker", "127.0.0.1:0", "--journal", path)
	if status := process.Wait(); status != exitOK || process.Complaints(still) != "" {
		t.Errorf("the demonstration ended with status %d:\n%s", status, process.Log())
	}
	if n := strings.Count(process.Out(), "\nround "); n != rounds {
		t.Errorf("%d rounds were printed, not %d:\n%s", n, rounds, process.Out())
	}
	nothingIn(t, tmp)
	j, err := journal.OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	key, err := journal.ReadKeyFile(path + ".key")
	if err != nil {
		t.Fatal(err)
	}
	report, err := audit.Run(t.Context(), j, audit.Options{
		Book: profile.Built(),
		Key:  key.Public().(ed25519.PublicKey),
	})
	if err != nil || !report.Well() {
		t.Errorf("the audit says %+v, %v", report, err)
	}
	finished := 0
	for r, err := range j.Records(1) {
		if err != nil {
			t.Fatal(err)
		}
		finished += strings.Count(string(r.Outputs), `{"out":"finished"`)
	}
	if finished != rounds {
		t.Errorf("the journal has %d rounds, not %d", finished, rounds)
	}
}

// TestEachShoe deals with the other makes of shoe.
func TestEachShoe(t *testing.T) {
	tier.Soak(t, "built programs run for seconds")
	t.Parallel()
	still := processes.StoodStill(t)
	for _, shoe := range []string{"bee-tek", "angel-eye"} {
		process := processes.StartWith(t, []string{"TMPDIR=" + processes.FastDir(t)}, processes.Binary(t, "sabot-demo"),
			"--shoe", shoe, "--pace", "0s", "--rounds", "3", "--web", "127.0.0.1:0", "--broker", "127.0.0.1:0")
		if status := process.Wait(); status != exitOK || process.Complaints(still) != "" ||
			strings.Count(process.Out(), "\nround ") != 3 {
			t.Errorf("%s: the demonstration ended with status %d:\n%s%s", shoe, status, process.Out(), process.Log())
		}
		contains(t, process.Out(), "shoe, "+shoe)
	}
}

// look looks at the demonstration's table through its page, until the test ends.
func look(t *testing.T, p *processes.Process) *processes.Remote {
	screen := processes.NewRemote(p.URL)
	go screen.Follow(t.Context())
	return screen
}

// contains checks that a message says everything that it must.
func contains(t *testing.T, message string, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(message, word) {
			t.Errorf("the message does not say %q:\n%s", word, message)
		}
	}
}

// nothingIn checks that nothing was left in the folder for temporary files.
func nothingIn(t *testing.T, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range left {
		t.Errorf("%s was left behind", e.Name())
	}
}
