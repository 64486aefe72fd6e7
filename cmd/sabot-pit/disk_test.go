package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// TestTheDiskIsFull: on a disk that is full the pit says so, goes on, and keeps everything once there is room again.
func TestTheDiskIsFull(t *testing.T) {
	tier.Soak(t, "built programs run for seconds")
	t.Parallel()
	mosquitto := brokertest.StartMosquitto(t)
	folder := processes.FastDir(t)
	disk := filepath.Join(folder, "disk")
	if err := os.Mkdir(disk, 0o700); err != nil {
		t.Fatal(err)
	}
	d := newTable(t, folder, "bj-1", 100)
	d.open(mosquitto.Addr())
	d.night.Rounds(5)
	config := pitConfig(t, mosquitto.Addr(), filepath.Join(disk, "pit.db"))
	p := onSmallDisk(t, disk, config)
	inside := fmt.Sprintf("/proc/%d/root%s", p.PID(), disk)
	// Others see the disk if they enter where the pit is.
	kept := func() bool {
		enter := []string{"--target", fmt.Sprint(p.PID()), "--user", "--preserve-credentials", "--mount"}
		return processes.Run(t, "nsenter", append(enter, processes.Binary(t, "sabot-pit"), "compare", "--config",
			config, "--table", "bj-1", "--journal", d.folder)...).Status == 0
	}
	wait(t, "the first rounds are kept", kept)
	fill(t, filepath.Join(inside, "ballast"))
	wait(t, "the pit says that its database is away", func() bool {
		d.night.Rounds(5)
		return strings.Contains(p.Log(), "DATABASE CANNOT BE USED")
	})
	if log := p.Log(); !strings.Contains(log, "full") {
		t.Errorf("the log does not say that the disk is full:\n%s", log)
	}
	d.night.Rounds(20)
	if kept() {
		t.Error("a full disk keeps everything: it is none")
	}
	if err := os.Remove(filepath.Join(inside, "ballast")); err != nil {
		t.Fatal(err)
	}
	wait(t, "the pit says that its database works", func() bool {
		return strings.Contains(p.Log(), "the pit's database works again")
	})
	wait(t, "everything is kept", kept)
	p.Stop()
}

// onSmallDisk starts a pit for which a folder is a disk of its own, of 8 MiB.
func onSmallDisk(t *testing.T, folder, config string) *processes.Process {
	t.Helper()
	const script = `mount -t tmpfs -o size=8m tmpfs "$1" && shift && exec "$@"`
	return processes.Start(t, "unshare", "--map-root-user", "--user", "--mount", "sh", "-c", script, "sh", folder,
		processes.Binary(t, "sabot-pit"), "--config", config)
}

// fill writes a file until there is no room for more.
func fill(t *testing.T, file string) {
	t.Helper()
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := 1 << 20; size > 0; {
		if _, err := f.Write(make([]byte, size)); err != nil {
			size /= 2
		}
	}
}
