package journal_test

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/journal"
)

var (
	historyCount = flag.Int("histories", tier.Times(16, 10_000), "how many histories TestHistories plays")
	historySeed  = flag.Uint64("history", 0, "the seed of the only history that TestHistories plays")
)

// history is a journal on a simulated disk, used for a while: appends, cursors, new days,
// starts, and a disk that fails. Before each change of the disk it is asked what a crash
// would leave there.
type history struct {
	t    testing.TB
	seed uint64
	dice *rand.Rand
	disk *disktest.Disk
	o    journal.Options
	j    *journal.Journal // nil while it is not open
	ledger
	// made counts entries, those that were refused included, and day the gaming days.
	made, day int
	// crashes counts the disks that were looked at.
	crashes int
	// ever is what the cursor was ever set to, and yesterday what the files held at some moment.
	ever      []uint64
	yesterday map[string][]byte
}

// TestHistories crashes in each history before each operation that changes the disk, and in
// the middle of appends, by a kill and by power cuts. The next start must find what was
// acknowledged, whatever was under way, and nothing else. In the end somebody without the keys is at its files.
func TestHistories(t *testing.T) {
	if *historySeed != 0 {
		play(t, *historySeed)
		return
	}
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // many small disks, and none for long
	var next, crashes atomic.Uint64
	t.Run("all", func(t *testing.T) {
		for n := range runtime.GOMAXPROCS(0) {
			t.Run(fmt.Sprint(n+1), func(t *testing.T) {
				t.Parallel()
				for seed := next.Add(1); seed <= uint64(*historyCount) && !t.Failed(); seed = next.Add(1) {
					crashes.Add(uint64(play(t, seed)))
				}
			})
		}
	})
	t.Logf("%d histories, %d crashes", *historyCount, crashes.Load())
}

// play plays the history of a seed, and returns how many crashes it checked.
func play(t testing.TB, seed uint64) int {
	h := &history{t: t, seed: seed, dice: rand.New(rand.NewPCG(seed, 0)), disk: disktest.New(seed)}
	h.o = journal.Options{Program: "test", Now: h.now}
	if !h.one(3) {
		h.o.Key = ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	}
	if h.one(2) {
		h.o.PartMost = int64(1000 + h.dice.IntN(8000))
	}
	h.on(h.disk)
	for range 6 + h.dice.IntN(14) {
		h.step()
	}
	h.end()
	return h.crashes
}

// one is true once in n times.
func (h *history) one(n int) bool { return h.dice.IntN(n) == 0 }

// now is the clock of the table. No two moments are the same.
func (h *history) now() time.Time {
	h.disk.Clock().Advance(time.Millisecond)
	return h.disk.Clock().Now()
}

// on continues with another disk.
func (h *history) on(d *disktest.Disk) {
	h.disk = d
	d.Watch(h.crash)
}

// step does one thing.
func (h *history) step() {
	if h.j == nil {
		h.open()
		return
	}
	switch n := h.dice.IntN(100); {
	case n < 50:
		h.append(h.batch(0))
	case n < 62:
		h.setCursor()
	case n < 66:
		h.flush()
	case n < 68:
		h.disk.Remark("the key moves on")
		if err := h.j.MoveKey(); err != nil {
			h.disk.Remark("it does not: %v", err)
		}
	case n < 70:
		h.day++
	case n < 76:
		h.close()
	case n < 80:
		h.restart()
	case n < 92:
		h.trouble()
	default:
		h.disk.Mend()
		h.disk.SetSpace(-1)
	}
}

// open opens the journal, which may fail on a disk that fails.
func (h *history) open() {
	h.disk.Remark("open")
	j, err := journal.OpenOn(h.disk, "sim", h.o)
	if err != nil {
		h.disk.Remark("it cannot be opened: %v", err)
		h.disk.Mend()
		h.disk.SetSpace(-1)
		return
	}
	h.j = j
	h.must("what a start found", h.started(j))
}

// append appends entries; what is refused is mostly tried again.
func (h *history) append(entries []journal.Entry) {
	h.disk.Remark("append %d entries from %s on", len(entries), entries[0].Input)
	h.under(entries)
	err := h.j.Append(entries)
	if err == nil {
		h.acknowledged(entries)
		return
	}
	h.disk.Remark("refused: %v", err)
	h.must("a refused append", h.stays(h.j))
	if h.one(2) {
		h.disk.Mend()
		h.disk.SetSpace(-1)
	}
	if !h.one(3) {
		h.append(entries)
	}
}

func (h *history) setCursor() {
	event := uint64(h.dice.IntN(h.events() + 1))
	if h.one(3) {
		event = uint64(h.events())
	}
	h.disk.Remark("the cursor is %d", event)
	h.cursors, h.ever = append(h.cursors, event), append(h.ever, event)
	h.must("setting a cursor", h.j.SetCursor("pit", event))
}

func (h *history) flush() {
	h.disk.Remark("flush cursors")
	if h.j.FlushCursors() == nil {
		h.flushed()
	}
}

func (h *history) close() {
	h.disk.Remark("close")
	if h.j.Close() == nil {
		h.flushed()
	}
	h.j = nil
}

// restart continues after a crash between two calls.
func (h *history) restart() {
	h.j = nil
	copied := h.one(2)
	if h.one(2) {
		h.on(h.disk.Kill())
	} else {
		h.on(h.disk.PowerCut(h.dice.Uint64()))
	}
	if copied { // what the crash has left: before it there may have been records that were refused, and that it took
		h.yesterday = disktest.Files(h.disk.Hands())
	}
}

// trouble plans what will go wrong with the disk.
func (h *history) trouble() {
	switch h.dice.IntN(8) {
	case 0:
		h.disk.SetSpace(int64(h.dice.IntN(8000)))
	case 1:
		h.disk.SetThinSpace(int64(h.dice.IntN(8000)))
	case 2:
		h.disk.ReadOnlyFrom(h.disk.Operations() + 1 + h.dice.IntN(20))
	default:
		for range 1 + h.dice.IntN(3) {
			h.disk.Plan(h.fault())
		}
	}
	h.disk.Remark("trouble begins")
}

// fault is an operation that fails.
func (h *history) fault() disktest.Fault {
	op := []disktest.Op{
		disktest.Append, disktest.Append, disktest.Sync, disktest.Sync, disktest.Sync,
		disktest.Create, disktest.Rename, disktest.Remove, disktest.SyncFolder, disktest.None,
	}
	f := disktest.Fault{
		Op:   op[h.dice.IntN(len(op))],
		Err:  []error{syscall.EIO, syscall.ENOSPC}[h.dice.IntN(2)],
		Part: disktest.Part(h.dice.IntN(3)),
		Skip: h.dice.IntN(4), Times: 1 + h.dice.IntN(3),
	}
	if h.one(6) {
		f.Err, f.Takes = nil, time.Minute
	}
	return f
}

// end mends the disk, looks at what was written once more, and lets it rot.
func (h *history) end() {
	h.disk.Mend()
	h.disk.SetSpace(-1)
	for h.j == nil {
		h.open()
	}
	h.append(h.batch(1))
	if h.one(2) {
		h.close()
	}
	h.disk.Watch(nil)
	for range 2 {
		h.look(h.disk.PowerCut(h.dice.Uint64()), true)
	}
	h.rot()
	for range 3 {
		h.tamper()
	}
	h.insider()
}

// crash is called before each change of the disk.
func (h *history) crash(m *disktest.Moment) {
	h.look(m.Kill(), h.one(4))
	if within := m.KillWithin(h.dice.Uint64()); within != nil {
		h.look(within, h.one(4))
	}
	if m.Settled() {
		return
	}
	for range 2 {
		h.look(m.PowerCut(h.dice.Uint64()), h.one(4))
	}
}

// look opens the journal on a disk after a crash, compares, and appends to it.
func (h *history) look(d *disktest.Disk, crashAgain bool) {
	h.crashes++
	d.SetSpace(-1)
	l := h.copy()
	if crashAgain {
		h.crashWithin(d, l)
	}
	j, err := journal.OpenOn(d, "sim", h.o)
	if err != nil {
		h.fail(d, "the journal cannot be opened: %v", err)
	}
	if err := l.started(j); err != nil {
		h.fail(d, "%v", err)
	}
	if h.one(4) {
		if err := l.reader(d); err != nil {
			h.fail(d, "%v", err)
		}
	}
	next := h.batch(1)
	l.under(next)
	if err := j.Append(next); err != nil {
		h.fail(d, "the journal cannot be gone on with: %v", err)
	}
	l.acknowledged(next)
	if !h.one(4) {
		return
	}
	if err := l.holds(j); err != nil {
		h.fail(d, "after an append: %v", err)
	}
}

// crashWithin looks at a second crash, at one moment of the start after the first one, or
// of the append after it.
func (h *history) crashWithin(d *disktest.Disk, l *ledger) {
	left := h.dice.IntN(8)
	d.Watch(func(m *disktest.Moment) {
		left--
		if left != -1 {
			return
		}
		second := m.Kill()
		if h.one(2) {
			second = m.PowerCut(h.dice.Uint64())
		}
		saved := h.ledger
		h.ledger = *l
		h.look(second, false)
		h.ledger = saved
	})
}

// rot flips a bit in what was acknowledged, and starts, also with a crash in the middle of
// the start. What was there is found, or it is said that something is wrong.
func (h *history) rot() {
	for range 4 {
		h.crashes++
		d := h.disk.Kill()
		names := d.Hands().Names()
		name := names[h.dice.IntN(len(names))]
		text, err := d.Hands().Read(name)
		if err != nil || len(text) == 0 {
			continue
		}
		h.must("rot", d.Hands().Rot(name, h.dice.IntN(8*len(text))))
		if h.one(4) {
			d.Watch(func(m *disktest.Moment) {
				h.told(m.Kill())
				h.told(m.PowerCut(h.dice.Uint64()))
			})
		}
		h.told(d)
	}
}

// tamper lets foreign hands at the files while the journal is in use. It is noticed with the
// next append; and what was acknowledged is there afterwards, or it is said that it is not.
func (h *history) tamper() {
	h.crashes++
	d, l := h.disk.Kill(), h.copy()
	j, err := journal.OpenOn(d, "sim", h.o)
	if err != nil || l.started(j) != nil {
		h.fail(d, "the journal cannot be opened: %v", err)
	}
	names := slices.DeleteFunc(d.Hands().Names(), func(name string) bool { return !strings.HasSuffix(name, ".jsonl") })
	name := names[len(names)-1]
	current := h.one(2)
	if !current {
		name = names[h.dice.IntN(len(names))]
	}
	h.must("tampering", h.hand(d, name))
	for range 2 {
		next := h.batch(1)
		l.under(next)
		if j.Append(next) != nil {
			return // it is said
		}
		l.acknowledged(next)
	}
	said := len(j.Found()) > 0
	if current && !said {
		h.fail(d, "nobody noticed what was done to %s", name)
	}
	if err := h.afterTampering(d.PowerCut(h.dice.Uint64()), l); err != nil && !said {
		h.fail(d, "nothing is said of what is wrong: %v", err)
	}
}

// hand does something to a file.
func (h *history) hand(d *disktest.Disk, name string) error {
	text, err := d.Hands().Read(name)
	if err != nil {
		return err
	}
	switch h.dice.IntN(5) {
	case 0:
		return d.Hands().Delete(name)
	case 1:
		return d.Hands().Replace(name, text[:h.dice.IntN(len(text))])
	case 2:
		return d.Hands().Truncate(name, h.dice.IntN(len(text)))
	case 3:
		return d.Hands().Link(name, "another-name")
	default:
		// As much as the next appends do not write over.
		return d.Hands().Append(name, bytes.Repeat([]byte("garbage\n"), 2000))
	}
}

// afterTampering compares what a start finds then, and is nil where the start tells that
// something is wrong.
func (h *history) afterTampering(d *disktest.Disk, l *ledger) error {
	j, err := journal.OpenOn(d, "sim", h.o)
	if err != nil {
		return nil
	}
	if o := j.Opening(); o.Former != nil || o.Behind != "" {
		return nil
	}
	err = l.holds(j)
	if errors.Is(err, journal.ErrDamaged) || j.Verify(h.t.Context(), nil) != nil {
		return nil
	}
	return err
}

// told opens a journal with a fault, and fails where acknowledged entries are missing and
// nobody is told.
func (h *history) told(d *disktest.Disk) {
	j, err := journal.OpenOn(d, "sim", h.o)
	if err != nil {
		return // it is told
	}
	if o := j.Opening(); o.Former != nil || o.Behind != "" || o.Dropped > 0 {
		return
	}
	err = h.copy().holds(j)
	if err != nil && !errors.Is(err, journal.ErrDamaged) && j.Verify(h.t.Context(), nil) == nil {
		h.fail(d, "nothing is said of what is wrong: %v", err)
	}
}

func (h *history) must(what string, err error) {
	h.t.Helper()
	if err != nil {
		h.fail(h.disk, "%s: %v", what, err)
	}
}

// fail ends the test with the history of the disk.
func (h *history) fail(d *disktest.Disk, format string, args ...any) {
	h.t.Helper()
	h.t.Fatalf("%s\nThis is history %d, play it again with -history %d:\n%s", fmt.Sprintf(format, args...), h.seed,
		h.seed, d.Log())
}
