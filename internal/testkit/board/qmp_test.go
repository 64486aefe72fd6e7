package board

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
)

// fakeQEMU answers each command with the test's answer for it, with an event on every other line.
func fakeQEMU(t *testing.T, answers map[string][]string) *monitor {
	t.Helper()
	commands, to := io.Pipe()
	from, says := io.Pipe()
	t.Cleanup(func() { to.Close() })
	go func() {
		fmt.Fprintln(says, `{"QMP": {"version": {"qemu": {"major": 7}}, "capabilities": ["oob"]}}`)
		for lines := bufio.NewScanner(commands); lines.Scan(); {
			for command, answer := range answers {
				if strings.Contains(lines.Text(), `"execute":"`+command+`"`) {
					fmt.Fprintln(says, strings.Join(answer, "\n"))
				}
			}
		}
		says.Close()
	}()
	return newMonitor(from, to)
}

func TestMonitor(t *testing.T) {
	m := fakeQEMU(t, map[string][]string{
		"human-monitor-command": {`{"return": "some text"}`},
		"device_del": {
			`{"timestamp": {"seconds": 1}, "event": "DEVICE_DELETED", "data": {"path": "/machine/unattached"}}`,
			`{"return": {}}`,
			`{"event": "DEVICE_DELETED", "data": {"device": "shoe"}}`,
		},
		"device_add": {`{"error": {"class": "GenericError", "desc": "Duplicate device ID 'shoe'"}}`},
	})
	var text string
	if err := m.do(t.Context(), "human-monitor-command", map[string]any{"command-line": "info usernet"},
		&text); err != nil || text != "some text" {
		t.Errorf("the answer is %q, %v", text, err)
	}
	if err := m.do(t.Context(), "device_del", map[string]any{"id": "shoe"}, nil); err != nil {
		t.Error(err)
	}
	if err := m.await(t.Context(), "DEVICE_DELETED", "shoe"); err != nil {
		t.Error(err)
	}
	if err := m.do(t.Context(), "device_add", nil, nil); err == nil ||
		!strings.Contains(err.Error(), "Duplicate device ID 'shoe'") {
		t.Errorf("a refusal is %v", err)
	}
}

// Neither an event that does not come nor a QEMU that ends keeps the caller waiting.
func TestMonitorEnds(t *testing.T) {
	m := fakeQEMU(t, nil)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.await(ended, "DEVICE_DELETED", "shoe"); err == nil ||
		!strings.Contains(err.Error(), "DEVICE_DELETED of shoe") {
		t.Errorf("an event that does not come: %v", err)
	}
	from, says := io.Pipe()
	m = newMonitor(from, io.Discard)
	says.Close()
	<-m.gone
	if err := m.do(t.Context(), "quit", nil, nil); err == nil || !strings.Contains(err.Error(), "QEMU has ended") {
		t.Errorf("a command to none: %v", err)
	}
	if err := m.await(t.Context(), "SHUTDOWN", ""); err == nil {
		t.Error("an event of none was told")
	}
}

func TestParsePorts(t *testing.T) {
	const told = `Hub -1 (net):
  Protocol[State]    FD  Source Address  Port   Dest. Address  Port RecvQ SendQ
  TCP[HOST_FORWARD]  13       127.0.0.1 45633       10.0.2.15  7080     0     0
  TCP[HOST_FORWARD]  12       127.0.0.1 39117       10.0.2.15  7000     0     0
  UDP[148 sec]       15       10.0.2.15 36543      10.0.2.3    53     0     0
`
	ports, err := parsePorts(told)
	if err != nil || ports[7000] != "39117" || ports[7080] != "45633" {
		t.Errorf("the ports are %v, %v", ports, err)
	}
	if _, err := parsePorts(strings.ReplaceAll(told, "7080", "80")); err == nil ||
		!strings.Contains(err.Error(), "port 7080") {
		t.Errorf("a port that is missing: %v", err)
	}
}
