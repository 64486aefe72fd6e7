package disktest

import (
	"path"
	"syscall"
	"time"
)

// Part is how much is done of an operation that fails.
type Part uint8

// The parts of an operation.
const (
	// Nothing is done. Of a Sync: what was to be written is lost, or most of it.
	Nothing Part = iota
	// Half is a part of an Append. Other operations are then done, or not done.
	Half
	// Whole is all of it, although an error is reported.
	Whole
)

// Fault lets an operation fail, or be slow.
type Fault struct {
	// Op and Name say which operation: any that changes the disk for None. Name is a
	// pattern of path.Match, any file if it is empty.
	Op   Op
	Name string
	// Skip is how many of these operations go well before.
	Skip int
	// Times is how many of them fail then: 0 stands for 1, a negative number for all.
	Times int
	// Err is the error that is reported, such as syscall.EIO. With none the operation is
	// slow, and does what it should.
	Err  error
	Part Part
	// Lost lets a SyncFolder that fails lose the changes of names: they count as synced,
	// and a power cut may take them back even after the next SyncFolder.
	Lost bool
	// Takes is how long the operation takes by the disk's clock.
	Takes time.Duration
}

// fits says whether the fault is one of an operation.
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

// Mend takes back every fault that was planned, and a disk that is read-only.
func (d *Disk) Mend() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.plan, d.readOnlyFrom = nil, 0
}

// SetSpace limits how many bytes all files can have together. A negative number stands
// for no limit.
func (d *Disk) SetSpace(bytes int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.space, d.thin = bytes, false
}

// SetThinSpace limits how many bytes the device really has, under a file system that
// knows of no limit: Append succeeds, and what has no room is lost at Sync.
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

// verdict says what becomes of an operation.
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

// killed is the verdict for an operation of a process that is no more.
func (d *Disk) killed() Fault {
	part := d.crashPart
	d.crashPart = Nothing
	return Fault{Err: ErrKilled, Part: part}
}
