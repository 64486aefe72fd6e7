package daemon

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
)

// lookEvery is how often the table's computer is looked at.
const lookEvery = 30 * time.Second

// computer is how the table's computer does. It is looked at beside the pit's messages: a disk that hangs
// must not keep the pit from hearing of it.
type computer struct {
	// journal is the folder whose disk it is, and sys where the kernel tells of its sensors.
	journal, sys string
	// certificate says when the page's ends; nil without one.
	certificate func() time.Time
	// simulated changes what was found; nil on a real table.
	simulated func(*topic.Computer)

	mu  sync.Mutex
	now *topic.Computer
}

// watchComputer looks at the table's computer until ctx ends. Nobody waits for it: the disk may hang.
func (d *Daemon) watchComputer(ctx context.Context) {
	d.computer.journal, d.computer.sys, d.computer.simulated = d.config.Journal.Path, "/sys", d.outside.Computer
	if d.certificate != nil {
		d.computer.certificate = d.certificate.Until
	}
	d.computer.watch(ctx)
}

// watch looks at once, and then again and again until ctx ends.
func (c *computer) watch(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		c.look()
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// told is what was found last, nil for nothing.
func (c *computer) told() *topic.Computer {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *computer) look() {
	var now topic.Computer
	now.DiskFree, now.DiskSize = room(c.journal)
	now.JournalBytes = sizeOf(c.journal)
	now.Celsius = hottest(c.sys)
	if c.certificate != nil {
		until := c.certificate()
		now.Certificate = &until
	}
	if c.simulated != nil {
		c.simulated(&now)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now = &now; now == (topic.Computer{}) {
		c.now = nil
	}
}

// sizeOf is the size of the files in a folder, nil if they cannot be seen.
func sizeOf(folder string) *uint64 {
	var size uint64
	err := filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			size += uint64(max(info.Size(), 0))
		}
		return nil // a part that has just gone is no part of it
	})
	if err != nil {
		return nil
	}
	return &size
}

// hottest is the highest temperature that the kernel's sensors tell, in degrees, nil for none. It writes
// thousandths of a degree. What no computer survives is a sensor that is broken, or not there.
func hottest(sys string) *uint64 {
	const thousandths, most = 1000, 130
	zones, err := filepath.Glob(filepath.Join(sys, "class/thermal/thermal_zone*/temp"))
	if err != nil {
		return nil
	}
	var highest *uint64
	for _, zone := range zones {
		text, err := os.ReadFile(zone)
		if err != nil {
			continue // some sensors tell nothing while they sleep
		}
		n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
		if degrees := n / thousandths; err == nil && degrees > 0 && degrees < most && (highest == nil || uint64(degrees) > *highest) {
			now := uint64(degrees)
			highest = &now
		}
	}
	return highest
}
