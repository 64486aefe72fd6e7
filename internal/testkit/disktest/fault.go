package disktest

import (
	"path"
	"syscall"
	"time"
)

// Part is how much of a failing operation is done.
type Part uint8

// The parts of an operation.
const (
	// Nothing is done. With a Sync, most or all of what was to be written is lost.
	Nothing Part = iota
	// Half is part of an Append. Other operations are then done or not done.
	Half
	// Whole is all of it, although an error is reported.
	Whole
)

// Fault makes an operation fail, or slow.
type Fault struct {
	// Op and Name say which operation: None is any that changes the disk. Name is a
	// pattern of path.Match, any file if it is empty.
	Op   Op
	Name string
	// Skip is how many of these operations succeed first.
	Skip int
	// Times is how many of them fail after that: 0 means 1, a negative number all.
	Times int
	// Err is the error that is reported, such as syscall.EIO. Without one the operation is
	// slow but succeeds.
	Err  error
	Part Part
	// Lost makes a SyncFolder that fails lose the changes to names: they count as synced,
	// and a power cut may undo them even after the next SyncFolder.
	Lost bool
	// Takes is how long the operation takes, by the disk's clock.
	Takes time.Duration
}

// fits reports whether the fault applies to an operation.
func (f *Fault) fits(op Op, name string) bool {
	if f.Op != op && (f.Op != None || !op.Changes()) {
		return false
	}
	ok, err := path.Match(f.Name, name)
	return f.Name == "" || ok && err == nil
}

// Plan adds faults.
func (d *Disk) Plan(faults ...Fault) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, f := range faults {
		if f.Times == 0 {
			f.Times = 1
		}
		d.plan = append(d.plan, f)
	}
}

// Mend removes all planned faults, and makes the disk writable.
func (d *Disk) Mend() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.plan, d.readOnlyFrom = nil, 0
}

// SetSpace limits the total size of all files, in bytes. A negative number is no limit.
func (d *Disk) SetSpace(bytes int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.space, d.thin = bytes, false
}

// SetThinSpace limits how many bytes the device really has, under a file system that does
// not know the limit: Append succeeds, and what has no room is lost at Sync.
func (d *Disk) SetThinSpace(bytes int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.space, d.thin = bytes, true
}

// ReadOnlyFrom makes the disk read-only from an operation on, by its number.
func (d *Disk) ReadOnlyFrom(number int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.readOnlyFrom = number
}

// verdict decides what happens to an operation.
func (d *Disk) verdict(op Op, name string) Fault {
	if d.crashAt > 0 && d.count >= d.crashAt {
		return d.killed()
	}
	if d.readOnlyFrom > 0 && d.count >= d.readOnlyFrom && op.Changes() {
		return Fault{Err: syscall.EROFS}
	}
	for i := range d.plan {
		f := &d.plan[i]
		if f.Times == 0 || !f.fits(op, name) {
			continue
		}
		if f.Skip > 0 {
			f.Skip--
			continue
		}
		if f.Times > 0 {
			f.Times--
		}
		d.clock.Advance(f.Takes)
		return *f
	}
	return Fault{}
}

// killed is the verdict for an operation of a process that was killed.
func (d *Disk) killed() Fault {
	part := d.crashPart
	d.crashPart = Nothing
	return Fault{Err: ErrKilled, Part: part}
}
