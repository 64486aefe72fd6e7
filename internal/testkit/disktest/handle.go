package disktest

import (
	"errors"
	"io"
	"io/fs"
	"syscall"

	"github.com/sabot-table/sabot/table/journal/disk"
)

// handle is an open file.
type handle struct {
	disk *Disk
	name string
	file int
	// end is where the next Append writes.
	end      int
	writable bool
	closed   bool
}

var _ disk.File = (*handle)(nil)

func (d *Disk) handle(name string, file int, writable bool) *handle {
	d.files[file].handles++
	return &handle{disk: d, name: name, file: file, writable: writable}
}

// of is the file of the handle.
func (h *handle) of() *file { return &h.disk.files[h.file] }

// usable is nil while the handle is open.
func (h *handle) usable() error {
	if h.closed {
		return fs.ErrClosed
	}
	return nil
}

// Append writes after what this handle has written so far.
func (h *handle) Append(p []byte) error {
	if len(p) == 0 {
		return nil
	}
	return h.disk.do(deed{
		op: Append, name: h.name, at: h.end, data: p, file: h.file,
		whole: func() error { return h.append(p) },
		part: func(f Fault) {
			if f.Part == Half && h.append(nil) == nil {
				h.write(p[:h.disk.dice.IntN(len(p))])
			}
		},
	})
}

// append writes as much as there is room for.
func (h *handle) append(p []byte) error {
	if err := h.usable(); err != nil {
		return err
	}
	if !h.writable {
		return syscall.EBADF
	}
	grows := h.end + len(p) - len(h.of().cache)
	if room := h.disk.room(); grows > room {
		h.write(p[:max(0, len(p)-(grows-room))])
		return syscall.ENOSPC
	}
	h.write(p)
	return nil
}

func (h *handle) write(p []byte) {
	if len(p) == 0 {
		return
	}
	h.of().write(h.end, p)
	h.of().written = h.disk.time()
	h.end += len(p)
}

// Sync makes what was written durable.
func (h *handle) Sync() error {
	return h.disk.do(deed{
		op: Sync, name: h.name, file: h.file,
		whole: h.sync,
		part: func(f Fault) {
			// A killed process loses nothing that the system still has.
			if !errors.Is(f.Err, ErrKilled) {
				h.of().lose(h.disk.dice)
			}
		},
	})
}

func (h *handle) sync() error {
	if h.closed {
		return syscall.EBADF
	}
	if !h.disk.thinRoom(h.file) {
		h.of().lose(h.disk.dice)
		return syscall.ENOSPC
	}
	h.of().commit()
	return nil
}

// Forget drops the cache of the file: readers see what is on the device, and what was not
// synced.
func (h *handle) Forget() error {
	return h.disk.do(deed{op: Forget, name: h.name, whole: func() error {
		if h.closed {
			return syscall.EBADF
		}
		h.of().evict()
		return nil
	}})
}

// ReadAt reads what was written, durable or not.
func (h *handle) ReadAt(p []byte, at int64) (int, error) {
	n := 0
	err := h.disk.do(deed{op: ReadAt, name: h.name, at: int(at), size: len(p), whole: func() error {
		var err error
		n, err = h.readAt(p, at)
		return err
	}})
	return n, err
}

func (h *handle) readAt(p []byte, at int64) (int, error) {
	switch {
	case at < 0:
		return 0, errors.New("negative offset")
	case len(p) == 0:
		return 0, nil
	case h.closed:
		return 0, fs.ErrClosed
	case h.of().folder:
		return 0, syscall.EISDIR
	case at >= int64(len(h.of().cache)):
		return 0, io.EOF
	}
	n := copy(p, h.of().cache[at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Stat describes the file, whatever its current name.
func (h *handle) Stat() (disk.Info, error) {
	var info disk.Info
	err := h.disk.do(deed{op: Stat, name: h.name, whole: func() error {
		if h.closed {
			return syscall.EBADF
		}
		info = h.disk.info(h.file)
		return nil
	}})
	return info, err
}

// Close releases the handle. What was not synced stays so.
func (h *handle) Close() error {
	return h.disk.do(deed{op: Close, name: h.name, whole: func() error {
		if err := h.usable(); err != nil {
			return err
		}
		h.closed = true
		h.of().handles--
		return nil
	}})
}
