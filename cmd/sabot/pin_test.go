package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/creack/pty"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/table/profile"
)

// provenBy reads a configuration with this line in it, and says whether the PIN
// proves the supervisor.
func provenBy(t *testing.T, line, name, pin string) bool {
	t.Helper()
	text := "site: a\ntable: b\nhouse: wiesbaden\nshoe: {port: /dev/ttyS0}\nsupervisors:\n  names:\n" + line
	c, err := config.Parse("sabot.yaml", []byte(text), profile.Built())
	if err != nil {
		t.Fatal(err)
	}
	o, err := c.Supervisors.Authority()
	if err != nil || len(o.Supervisors) != 1 || o.Supervisors[0].Name != name {
		t.Fatalf("the configuration has %+v, %v", o.Supervisors, err)
	}
	return o.Supervisors[0].PIN.Matches(pin)
}

// TestPINLine: the printed line goes into the configuration as it is.
func TestPINLine(t *testing.T) {
	for _, name := range []string{"anna", "4711", "O'Neill", "A. & B. (2): #1", "李娜", "no", "null"} {
		got := sabot(t, "258013\n", "key", "pin", name)
		if got.Status != exitOK || got.Err != "" || strings.Contains(got.Out, "258013") {
			t.Fatalf("sabot key pin %s ended with %+v", name, got)
		}
		// each costs a third of a second
		if !provenBy(t, got.Out, name, "258013") || name == "anna" && provenBy(t, got.Out, name, "258014") {
			t.Errorf("the line does not distinguish %s's PIN from others: %s", name, got.Out)
		}
	}
}

// TestPINRefused: weak PINs and other texts are refused, and not repeated in the error.
func TestPINRefused(t *testing.T) {
	for in, want := range map[string]string{
		"":               "on one line",
		"\n":             "on one line",
		"2580\n2580\n":   "on one line",
		"258\n":          "too short",
		"7777\r\n":       "too easy to guess",
		"456789":         "too easy to guess",
		"sesam-open\n":   "has only digits",
		"9180273645091 ": "has only digits",
	} {
		got := sabot(t, in, "key", "pin", "anna")
		wantFailure(t, got, exitFailed, "sabot: ", want)
		if in = strings.TrimSpace(in); len(in) > 3 && strings.Contains(got.Err, in) {
			t.Errorf("the PIN is repeated: %s", got.Err)
		}
	}
}

// TestPINTyped asks at a terminal, twice, and shows nothing of what is typed.
func TestPINTyped(t *testing.T) {
	const first, again = "PIN for anna: ", "Once more: "
	for _, c := range []struct {
		name   string
		talk   []string // what is asked, and what is typed then, in turn
		status int
		want   string
	}{
		{"twice the same", []string{first, "258013\r", again, "258013\r"}, exitOK, ""},
		{"corrected while typing", []string{first, "25801\x7f13\r", again, "258013\r"}, exitOK, ""},
		{"differing", []string{first, "258013\r", again, "258014\r"}, exitFailed, "the two PINs differ"},
		{"weak", []string{first, "1234\r"}, exitFailed, "too easy to guess"},
		{"interrupted", []string{first, "25\x03"}, exitFailed, "no PIN was entered"},
		{"left", []string{first, "258013\r", again, "\x04"}, exitFailed, "no PIN was entered"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, seen := typed(t, c.talk)
			if got.Status != c.status || !strings.Contains(seen, c.want) {
				t.Errorf("ended with status %d and said %q; want %d and %q", got.Status, seen, c.status, c.want)
			}
			if strings.Contains(seen, "25") || strings.Contains(seen, "1234") {
				t.Errorf("the terminal shows what was typed: %q", seen)
			}
			if c.status == exitOK && !provenBy(t, got.Out, "anna", "258013") {
				t.Errorf("the line is %s", got.Out)
			} else if c.status != exitOK && got.Out != "" {
				t.Errorf("it printed %q", got.Out)
			}
		})
	}
}

// typed runs sabot key pin anna at a terminal, and returns what that showed.
func typed(t *testing.T, talk []string) (processes.Ended, string) {
	t.Helper()
	here, terminal, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer here.Close()
	defer terminal.Close()
	var out bytes.Buffer
	cmd := exec.Command(binary(t), "key", "pin", "anna")
	cmd.Stdin, cmd.Stderr, cmd.Stdout = terminal, terminal, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	shown := watchTerminal(here)
	for i := 0; i < len(talk); i += 2 {
		brokertest.Until(t, fmt.Sprintf("the terminal shows %q", talk[i]), func() bool {
			return strings.Contains(shown(), talk[i])
		})
		if _, err := here.WriteString(talk[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := cmd.Wait(); err != nil && cmd.ProcessState.ExitCode() < 0 {
		t.Fatal(err)
	}
	// The terminal is echoing again: what is typed now is the last that it shows.
	if _, err := here.WriteString("end\n"); err != nil {
		t.Fatal(err)
	}
	brokertest.Until(t, "the terminal is as before", func() bool { return strings.Contains(shown(), "end") })
	return processes.Ended{Status: cmd.ProcessState.ExitCode(), Out: out.String()}, shown()
}

// watchTerminal returns a function that returns what a terminal has shown so far.
func watchTerminal(here *os.File) func() string {
	var mu sync.Mutex
	var all bytes.Buffer
	go func() {
		buffer := make([]byte, 1024)
		for {
			n, err := here.Read(buffer)
			mu.Lock()
			all.Write(buffer[:n])
			mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return func() string {
		mu.Lock()
		defer mu.Unlock()
		return all.String()
	}
}
