package guest

import (
	"bytes"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func newClient(t *testing.T, console *bytes.Buffer) Client {
	t.Helper()
	s := Server{Kernel: Kernel{Config: t.TempDir(), Devices: t.TempDir()}, Console: console}
	server := httptest.NewServer(s.Handler())
	t.Cleanup(server.Close)
	return Client{URL: server.URL}
}

func TestPrograms(t *testing.T) {
	var console bytes.Buffer
	c := newClient(t, &console)
	ended, err := c.Run(t.Context(), "/bin/sh", "-c", "echo out; echo why >&2; exit 3")
	if want := (Ended{3, "out\n", "why\n"}); ended != want || err != nil {
		t.Errorf("it ended with %+v, %v", ended, err)
	}
	if _, err := c.Run(t.Context(), "/no/such/program"); err == nil ||
		!strings.Contains(err.Error(), "/no/such/program") {
		t.Errorf("a program that is not there: %v", err)
	}
	if _, err := c.Stop(t.Context()); err == nil {
		t.Error("nothing was stopped")
	}
	ready := filepath.Join(t.TempDir(), "ready")
	if err := c.Start(t.Context(), "/bin/sh", "-c", "trap 'exit 4' TERM; touch "+ready+
		"; while :; do sleep 0.01; done"); err != nil {
		t.Fatal(err)
	}
	if err := c.Start(t.Context(), "/bin/sh"); err == nil || !strings.Contains(err.Error(), "stop it first") {
		t.Errorf("a second program: %v", err)
	}
	for err := error(os.ErrNotExist); err != nil; {
		_, err = c.Read(t.Context(), ready)
	}
	if status, err := c.Stop(t.Context()); status != 4 || err != nil {
		t.Errorf("it ended with %d, %v", status, err)
	}
}

func TestFiles(t *testing.T) {
	c := newClient(t, nil)
	path := filepath.Join(t.TempDir(), "a folder", "file")
	if err := c.Write(t.Context(), path, "a\x00b&c"); err != nil {
		t.Fatal(err)
	}
	if text, err := c.Read(t.Context(), path); string(text) != "a\x00b&c" || err != nil {
		t.Errorf("it has %q, %v", text, err)
	}
	if _, err := c.Read(t.Context(), path+".none"); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a file that is not there: %v", err)
	}
}

// A kernel that cannot make chips, and a line with another name, are reported.
func TestNoChip(t *testing.T) {
	c := newClient(t, nil)
	if err := c.Chip(t.Context(), "panel", []string{"CARD"}); err == nil ||
		!strings.Contains(err.Error(), "modprobe gpio-sim") {
		t.Errorf("a chip: %v", err)
	}
	if err := c.Press(t.Context(), "REST", 1); err == nil || !strings.Contains(err.Error(), "REST") {
		t.Errorf("a line that is not there: %v", err)
	}
	if levels, err := c.Lines(t.Context()); len(levels) > 0 && err == nil {
		t.Errorf("the lines of no chip are %v", levels)
	}
}

// A missing server is reported, too.
func TestNobody(t *testing.T) {
	if err := (Client{URL: "http://127.0.0.1:1"}).Start(t.Context(), "sabotd"); err == nil ||
		!strings.Contains(err.Error(), "does not answer") {
		t.Errorf("nobody there: %v", err)
	}
}
