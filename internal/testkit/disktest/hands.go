package disktest

import (
	"fmt"
	"io/fs"
	"slices"
	"syscall"
)

// Hands are what others do to the files: immediate, durable, and failing only if a file
// does not exist. They are not operations of the process.
type Hands struct{ disk *Disk }

// Hands returns the means to tamper with the disk.
func (d *Disk) Hands() Hands { return Hands{d} }

// on does something to a file.
func (h Hands) on(what, name string, f func(d *Disk, i int)) error {
	d := h.disk
	d.mu.Lock()
	defer d.mu.Unlock()
	i, err := d.lookUp(name)
	if err != nil {
		return &fs.PathError{Op: what, Path: name, Err: err}
	}
	f(d, i)
	d.remark("a foreign hand: %s %s", what, name)
	return nil
}

// settled makes all changes to names durable, including new ones.
func (d *Disk) settled() {
	d.pending = settle(&d.durable, d.pending, func(change) bool { return true })
}

// Delete removes a file. A process that has it open still reads and writes it.
func (h Hands) Delete(name string) error {
	return h.on("delete", name, func(d *Disk, i int) {
		d.change(change{from: name, file: i})
		d.settled()
	})
}

// Move renames a file.
func (h Hands) Move(from, to string) error {
	return h.on("move", from, func(d *Disk, i int) {
		d.change(change{from: from, to: to, file: i})
		d.settled()
	})
}

// Link gives a file a second name.
func (h Hands) Link(name, second string) error {
	return h.on("link", name, func(d *Disk, i int) {
		d.change(change{to: second, file: i})
		d.settled()
	})
}

// Replace replaces a file by another.
func (h Hands) Replace(name string, data []byte) error {
	return h.on("replace", name, func(d *Disk, i int) {
		d.change(change{from: name, file: i})
		d.put(name, data)
	})
}

// Put makes a file, or replaces one.
func (h Hands) Put(name string, data []byte) {
	d := h.disk
	d.mu.Lock()
	defer d.mu.Unlock()
	d.put(name, data)
	d.remark("a foreign hand: put %s", name)
}

func (d *Disk) put(name string, data []byte) {
	i := d.add(name, file{})
	d.files[i].write(0, slices.Clone(data))
	d.files[i].commit()
	d.settled()
}

// Truncate shortens a file, or lengthens it with zeros.
func (h Hands) Truncate(name string, size int) error {
	return h.on(fmt.Sprintf("truncate to %d", size), name, func(d *Disk, i int) {
		d.rewrite(i, func(b []byte) []byte {
			grown := make([]byte, size)
			copy(grown, b)
			return grown
		})
	})
}

// Append adds to a file.
func (h Hands) Append(name string, data []byte) error {
	return h.on(fmt.Sprintf("append %d bytes to", len(data)), name, func(d *Disk, i int) {
		d.rewrite(i, func(b []byte) []byte { return append(b, data...) })
	})
}

// Write overwrites part of a file.
func (h Hands) Write(name string, at int, data []byte) error {
	return h.on(fmt.Sprintf("write %d bytes at %d to", len(data), at), name, func(d *Disk, i int) {
		d.rewrite(i, func(b []byte) []byte {
			b = append(b, make([]byte, max(0, at+len(data)-len(b)))...)
			copy(b[at:], data)
			return b
		})
	})
}

// Rot flips a bit of a file on the device and in the cache: earlier and later readers see
// different bytes. The times of the file stay.
func (h Hands) Rot(name string, bit int) error {
	return h.on(fmt.Sprintf("flip bit %d of", bit), name, func(d *Disk, i int) {
		f := &d.files[i]
		f.cache, f.device = flipped(f.cache, bit), flipped(f.device, bit)
	})
}

func flipped(b []byte, bit int) []byte {
	if bit/8 >= len(b) {
		return b
	}
	b = slices.Clone(b)
	b[bit/8] ^= 1 << (bit % 8)
	return b
}

// rewrite changes the content of a file, durably.
func (d *Disk) rewrite(i int, to func([]byte) []byte) {
	f := &d.files[i]
	f.cache = to(slices.Clone(f.cache))
	f.device, f.dirty, f.lossy = slices.Clip(f.cache), nil, false
	f.written = d.time()
}

// Evict makes the system drop what it has cached: after a Sync that failed, readers see
// what is really there.
func (h Hands) Evict() {
	d := h.disk
	d.mu.Lock()
	defer d.mu.Unlock()
	for i := range d.files {
		d.files[i].evict()
	}
	d.remark("the cache is forgotten")
}

// Read returns what readers see of a file.
func (h Hands) Read(name string) ([]byte, error) { return h.read(name, false) }

// ReadDevice returns what a power cut leaves of a file if nothing more is written.
func (h Hands) ReadDevice(name string) ([]byte, error) { return h.read(name, true) }

func (h Hands) read(name string, device bool) ([]byte, error) {
	d := h.disk
	d.mu.Lock()
	defer d.mu.Unlock()
	i := d.live.find(name)
	if i < 0 {
		return nil, &fs.PathError{Op: "read", Path: name, Err: syscall.ENOENT}
	}
	if device {
		return slices.Clone(d.files[i].device), nil
	}
	return slices.Clone(d.files[i].cache), nil
}

// Names lists all files and folders, including those in folders.
func (h Hands) Names() []string {
	d := h.disk
	d.mu.Lock()
	defer d.mu.Unlock()
	all := make([]string, len(d.live))
	for i, e := range d.live {
		all[i] = e.name
	}
	return all
}
