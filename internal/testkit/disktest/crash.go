package disktest

import (
	"errors"
	"math/rand/v2"
	"slices"
)

// ErrKilled is the error of operations after the process was killed.
var ErrKilled = errors.New("the process was killed")

// CrashAt ends the process at an operation, by its number: part of it is done, and nothing
// of those that follow. Kill or PowerCut return the disk as it is then.
func (d *Disk) CrashAt(number int, part Part) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.crashAt, d.crashPart = number, part
}

// Operations is the number of the last operation.
func (d *Disk) Operations() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.count
}

// Kill returns the disk as the next process finds it after this one was killed: everything
// written is there, and no more durable than before. This disk stays as it is.
func (d *Disk) Kill() *Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.fork("killed")
}

// PowerCut returns the disk as it is after a power cut; dice decide which of the data that
// was not durable remains. This disk stays as it is.
func (d *Disk) PowerCut(dice uint64) *Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.cut(dice)
}

// fork is a copy of the disk for the next process.
func (d *Disk) fork(why string) *Disk {
	next := &Disk{
		dice: newDice(d.dice.Uint64()), clock: d.clock,
		files: slices.Clone(d.files), live: slices.Clone(d.live), durable: slices.Clone(d.durable),
		pending: slices.Clone(d.pending), changed: d.changed,
		space: d.space, thin: d.thin, lives: d.lives + 1, log: slices.Clip(d.log),
	}
	for i := range next.files {
		f := &next.files[i]
		f.content, f.handles = f.fork(), 0
	}
	next.log = append(next.log, line{life: d.lives, number: d.count, why: why})
	return next
}

func (d *Disk) cut(seed uint64) *Disk {
	next := d.fork("power cut")
	dice := newDice(seed)
	next.cutNames(dice)
	for i := range next.files {
		next.files[i].cut(dice)
	}
	next.dice = dice
	return next
}

// cutNames keeps some of the changes to names.
func (d *Disk) cutNames(dice *rand.Rand) {
	if len(d.pending) > 0 {
		keep := keepSome(dice, len(d.pending))
		without(&d.durable, d.pending, func(i int, c change) bool {
			return keep(i) && (!c.lost || dice.IntN(2) == 0)
		})
	}
	d.pending, d.live = nil, slices.Clone(d.durable)
	d.changed++
}

// keepSome decides for each of n things in order whether it is kept: none, all, up to one
// of them, or any.
func keepSome(dice *rand.Rand, n int) func(int) bool {
	switch dice.IntN(4) {
	case 0:
		return func(int) bool { return false }
	case 1:
		return func(int) bool { return true }
	case 2:
		last := dice.IntN(n)
		return func(i int) bool { return i <= last }
	default:
		return func(int) bool { return dice.IntN(2) == 0 }
	}
}

// Moment is the moment before an operation that can change the disk. It returns separate
// disks; the one to which it belongs continues.
type Moment struct {
	Number int
	Op     Op
	Name   string
	disk   *Disk
	deed   *deed
}

// Watch calls f before each operation that can change the disk. Within f that disk cannot
// be used, except through the moment. nil ends watching.
func (d *Disk) Watch(f func(*Moment)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.watch = f
}

// Kill is the disk for the next process if this one is killed now.
func (m *Moment) Kill() *Disk { return m.disk.fork("killed before " + m.Op.String()) }

// PowerCut is the disk after a power cut now.
func (m *Moment) PowerCut(dice uint64) *Disk { return m.disk.cut(dice) }

// KillWithin is the disk for the next process if this one is killed in the middle of the
// operation: part of an Append is there. Other operations are done or not done, and Kill
// returns the latter: for these it is nil.
func (m *Moment) KillWithin(dice uint64) *Disk {
	if m.Op != Append {
		return nil
	}
	next := m.disk.fork("killed within append")
	part := m.deed.data[:newDice(dice).IntN(len(m.deed.data))]
	next.files[m.deed.file].write(m.deed.at, part)
	next.log[len(next.log)-1].size = len(part)
	return next
}

// Log is the history of the disk up to this moment.
func (m *Moment) Log() string { return m.disk.history() }

// Settled reports that nothing can be lost: Kill and each PowerCut return the same.
func (m *Moment) Settled() bool {
	d := m.disk
	return len(d.pending) == 0 && !slices.ContainsFunc(d.files, func(f file) bool {
		return f.lossy || len(f.dirty) > 0
	})
}
