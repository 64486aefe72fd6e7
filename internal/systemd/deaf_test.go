package systemd

import (
	"bytes"
	"log/slog"
	"net"
	"path/filepath"
	"testing"
	"time"
)

// TestDeafManager: a service manager that takes nothing, so that its socket is full, keeps no daemon from ending.
func TestDeafManager(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notify")
	deaf, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer deaf.Close()
	t.Setenv("NOTIFY_SOCKET", path)
	var log bytes.Buffer
	m := newWithin(50*time.Millisecond, slog.New(slog.NewTextHandler(&log, nil)))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for log.Len() == 0 {
			m.Alive()
		}
		m.Stopping()
	}()
	select {
	case <-ended:
	case <-time.After(time.Minute): // only a test that fails waits so long
		t.Fatal("the daemon waits for a service manager that takes nothing")
	}
	if !bytes.Contains(log.Bytes(), []byte("look at NOTIFY_SOCKET")) {
		t.Errorf("the log says\n%s", log.String())
	}
}
