package host

import (
	"context"
	"sync"
	"time"

	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/pit/topic"
)

// lookEvery is how often the table's computer is looked at.
const lookEvery = 30 * time.Second

// watcher knows how the table's computer does. It is looked at beside everything that is told of it: a disk that hangs
// must not keep anybody from hearing of it.
type watcher struct {
	at health.Where
	// certificate says when the page's ends; nil without one.
	certificate func() time.Time
	// simulated changes what was found; nil on a real table.
	simulated func(*health.Computer)
	// clock gets whether the clock follows another whenever that changes, beginning with one that does not; nil for
	// nobody.
	clock chan bool
	// free says that it got last that the clock does not.
	free bool

	mu  sync.Mutex
	now health.Computer
}

// watchComputer looks at the table's computer until ctx ends. Nobody waits for it: the disk may hang.
func (d *Daemon) watchComputer(ctx context.Context) {
	d.program.computer.at, d.program.computer.simulated = health.Where{
		Journal: d.config.Journal.Path, Sys: "/sys",
		Backup: health.BackupSettings,
	}, d.given.outside.Computer
	if d.page.certificate != nil {
		d.program.computer.certificate = d.page.certificate.Until
	}
	d.program.computer.watch(ctx)
}

// watch looks at once, and then again and again until ctx ends.
func (w *watcher) watch(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		w.look(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// state is what was found last.
func (w *watcher) state() health.Computer {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

// told is what the pit hears of it, nil for nothing.
func (w *watcher) told() *topic.Computer {
	s := w.state()
	told := topic.Computer{
		DiskFree: s.DiskFree, DiskSize: s.DiskSize, JournalBytes: s.JournalBytes, Celsius: s.Celsius,
		Certificate: s.Certificate,
	}
	if told == (topic.Computer{}) {
		return nil
	}
	return &told
}

func (w *watcher) look(ctx context.Context) {
	now := health.Look(w.at)
	if w.certificate != nil {
		until := w.certificate()
		now.Certificate = &until
	}
	if w.simulated != nil {
		w.simulated(&now)
	}
	if is := now.Synchronized; w.clock != nil && is != nil && *is == w.free {
		w.free = !*is
		select {
		case w.clock <- *is:
		case <-ctx.Done():
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = now
}
