package journal

import (
	"errors"
	"fmt"
	"io"

	"github.com/sabot-table/sabot/table/journal/disk"
)

// watch knows the files of the parts, to see when somebody else changes them.
type watch struct {
	known map[string]disk.Info
	next  int // of names: which one is looked at next
	names []string
}

// mostLooks bounds how many finished parts are looked at with each write.
const mostLooks = 16

// add notes a file as it is now.
func (w *watch) add(d disk.Disk, name string) {
	info, err := d.Stat(name)
	if err != nil {
		w.drop(name) // there is nothing to compare with
		return
	}
	if w.known == nil {
		w.known = map[string]disk.Info{}
	}
	if _, there := w.known[name]; !there {
		w.names = append(w.names, name)
	}
	w.known[name] = info
}

// all notes the files of all parts as they are now.
func (w *watch) all(d disk.Disk, s *shelf) {
	numbers, _ := s.all() // those that cannot be listed are told by whoever reads them
	for _, number := range numbers {
		w.add(d, s.name(number))
	}
}

// drop forgets a file that this program has moved.
func (w *watch) drop(name string) {
	delete(w.known, name)
	for i, n := range w.names {
		if n == name {
			w.names = append(w.names[:i], w.names[i+1:]...)
			break
		}
	}
}

// changed says what was done to a file, "" for nothing, and then notes it as it is now. The
// size is what it must be, or negative for what it was.
func (w *watch) changed(d disk.Disk, name string, size int64) string {
	was := w.known[name]
	if size < 0 {
		size = was.Size
	}
	is, err := d.Stat(name)
	switch {
	case notThere(err):
		return name + " was deleted"
	case err != nil:
		return fmt.Sprintf("%s cannot be looked at: %v", name, err)
	case !is.Same(was):
		return name + " was replaced by another file"
	case is.Size < size:
		return fmt.Sprintf("%s was truncated to %d of %d bytes", name, is.Size, size)
	case is.Size > size:
		return fmt.Sprintf("%s was written to: it has %d bytes in place of %d", name, is.Size, size)
	case is.Links > was.Links:
		return name + " has a second name: somebody has linked it"
	case size == was.Size && is.Written != was.Written && was.Written != 0:
		return name + " was written to"
	}
	w.known[name] = is
	return ""
}

// tampered says what was done to the part that is being written, to which so many bytes
// were just written; "" for nothing. It is asked before a write, which would fill what was
// cut off with zeros, and after it.
func (j *Journal) tampered(written int64) string {
	if written > 0 {
		j.watch.unwritten(j.current.name)
	}
	return j.watch.changed(j.disk, j.current.name, j.current.size+written)
}

// lookAround compares some of the finished parts with what they were.
func (j *Journal) lookAround() {
	w := &j.watch
	for range min(mostLooks, len(w.names)) {
		w.next = (w.next + 1) % len(w.names)
		name := w.names[w.next]
		if name == j.current.name {
			continue
		}
		if what := w.changed(j.disk, name, -1); what != "" {
			j.found = append(j.found, what)
			w.drop(name) // told once
			return
		}
	}
}

// unwritten forgets when the file that is being written was written to.
func (w *watch) unwritten(name string) {
	info := w.known[name]
	info.Written = 0
	w.known[name] = info
}

// rescue saves what can still be read of the part that was tampered with, and has the batch,
// of which so many bytes were written, in a new part. The batch is refused where no part can
// be begun.
func (j *Journal) rescue(what string, written int64) error {
	j.found = append(j.found, what)
	if err := j.restore(j.current, j.current.size+written); err != nil {
		j.left.lost = fmt.Sprintf("%s; what it held cannot be restored: %v", what, err)
	}
	if info, err := j.disk.Stat(j.current.name); err == nil {
		written = max(written, info.Size-j.left.size)
	}
	j.watch.drop(j.current.name)
	j.giveUp(written)
	if err := j.again("tampering: " + what); err != nil {
		return fmt.Errorf("%s, and no other part could be begun: %w", what, err)
	}
	return nil
}

// restore writes so many bytes of the part anew from the file that is still open, where
// its name leads elsewhere. What stands there in its place is kept under another name.
func (j *Journal) restore(old *writing, size int64) error {
	info, err := old.file.Stat()
	if err != nil {
		return err
	}
	if info.Size < size {
		return fmt.Errorf("it has %d of %d bytes", info.Size, size)
	}
	if err := intact(old.file, size); err != nil {
		return err
	}
	at, err := j.disk.Stat(old.name)
	switch {
	case err == nil && at.Same(info):
		return nil // it is all there
	case err == nil:
		err = j.disk.Rename(old.name, fmt.Sprintf("%s%d-%s", foreignBegin, j.now().UnixNano(), old.name))
	case notThere(err):
		err = nil
	}
	if err != nil {
		return err
	}
	text := make([]byte, size)
	if _, err := old.file.ReadAt(text, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	file, err := draft(j.disk, old.name, text, true)
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), j.disk.Rename(old.name+draftEnd, old.name), j.disk.SyncFolder())
}

// intact reads a part and says whether each frame still follows the one before.
func intact(file disk.File, size int64) error {
	in := newFrames(file, 0, size)
	f, err := in.next()
	if err != nil {
		return cutShort(err)
	}
	h, err := parseHeader(&f)
	if err != nil {
		return err
	}
	c := checker{state: h.state(f.hash)}
	for {
		f, err := in.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = c.check(&f)
		}
		if err != nil {
			return cutShort(err)
		}
	}
}
