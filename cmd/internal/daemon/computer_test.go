//go:build linux

package daemon

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
)

func TestComputer(t *testing.T) {
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	journal, sys := t.TempDir(), t.TempDir()
	write(filepath.Join(journal, "1.part"), "12345")
	write(filepath.Join(journal, "deeper", "2.part"), "678")
	until := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	c := computer{journal: journal, sys: sys, certificate: func() time.Time { return until }}
	c.look()
	now := c.told()
	if now == nil || now.Celsius != nil || now.JournalBytes == nil || *now.JournalBytes != 8 || !now.Certificate.Equal(until) {
		t.Fatalf("without a sensor: %+v", now)
	}
	if now.DiskFree == nil || now.DiskSize == nil || *now.DiskFree > *now.DiskSize || *now.DiskSize < 1<<20 {
		t.Errorf("the disk is %v of %v", now.DiskFree, now.DiskSize)
	}
	for i, text := range []string{"48312\n", "61999\n", "-40000\n", "255000\n", "none\n", "0\n"} {
		write(filepath.Join(sys, "class/thermal", "thermal_zone"+string(rune('0'+i)), "temp"), text)
	}
	if c.look(); *c.told().Celsius != 61 {
		t.Errorf("it is %d °C", *c.told().Celsius)
	}
	hot := uint64(71)
	c.simulated = func(now *topic.Computer) { now.Celsius = &hot }
	if c.look(); c.told().Celsius == nil || *c.told().Celsius != hot || *c.told().JournalBytes != 8 {
		t.Errorf("a simulated computer: %+v", c.told())
	}
	c = computer{journal: filepath.Join(journal, "gone"), sys: filepath.Join(sys, "gone")}
	if c.look(); c.told() != nil {
		t.Errorf("of nothing it tells %+v", c.told())
	}
}
