package journal

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/sabot-table/sabot/table/journal/disk"
)

// unseen is what is known of a file that nobody could look at.
var unseen disk.Info

// watch knows the files of the parts, to see when others change them.
type watch struct {
	known map[string]disk.Info
	next  int // index in names: which file is checked next
	names []string
}

// mostLooks limits how many finished parts are checked with each write.
const mostLooks = 16

// add notes a file as it is now; unseen, if it cannot be looked at: there is nothing to compare with until it can be.
func (w *watch) add(d disk.Disk, name string) {
	info, err := d.Stat(name)
	switch {
	case notThere(err):
		w.drop(name)
	case err != nil:
		w.note(name, unseen)
	default:
		w.note(name, info)
	}
}

// note notes a file as somebody has seen it.
func (w *watch) note(name string, info disk.Info) {
	if w.known == nil {
		w.known = map[string]disk.Info{}
	}
	if _, there := w.known[name]; !there {
		w.names = append(w.names, name)
	}
	w.known[name] = info
}

// all notes the files of all parts as they are now, or as they were a moment ago.
func (w *watch) all(d disk.Disk, s *shelf, looked func(name string) (disk.Info, bool)) {
	numbers, _ := s.all() // reading reports those that cannot be listed
	for _, number := range numbers {
		name := s.name(number)
		if _, newest := w.known[name]; newest {
			continue // this start has written it
		}
		if info, seen := looked(name); seen {
			w.note(name, info)
			continue
		}
		w.add(d, name)
	}
}

// drop forgets a file that this program has moved.
func (w *watch) drop(name string) {
	delete(w.known, name)
	w.names = slices.DeleteFunc(w.names, func(n string) bool { return n == name })
}

// changed says what was done to a file, "" for nothing, and then notes it as it is now.
// size is the size that it must have, negative for the size that it had. The error says why it cannot be looked at.
func (w *watch) changed(d disk.Disk, name string, size int64) (what string, err error) {
	is, err := d.Stat(name)
	was := w.known[name]
	if was == unseen {
		was = is
	}
	if size < 0 {
		size = was.Size
	}
	switch {
	case notThere(err):
		return name + " was deleted", nil
	case err != nil:
		return "", fmt.Errorf("%s cannot be looked at: %w", name, err)
	case !is.Same(was):
		return name + " was replaced by another file", nil
	case is.Size < size:
		return fmt.Sprintf("%s was truncated to %d of %d bytes", name, is.Size, size), nil
	case is.Size > size:
		return fmt.Sprintf("%s was written to: it has %d bytes in place of %d", name, is.Size, size), nil
	case is.Links > was.Links:
		return linked(name, is.Links), nil
	case size == was.Size && is.Written != was.Written && was.Written != 0:
		return name + " was written to", nil
	}
	w.note(name, is)
	return "", nil
}

// tampered says what was done to the part that is being written, to which written bytes
// were just added; "" for nothing. It is called before a write, which would replace what
// was cut off with zeros, and after it. The error says why that cannot be told.
func (j *Journal) tampered(written int64) (what string, err error) {
	if written > 0 {
		j.watch.unwritten(j.current.name)
	}
	return j.watch.changed(j.disk, j.current.name, j.current.size+written)
}

// lookAround checks whether some of the finished parts have changed.
func (j *Journal) lookAround() {
	w := &j.watch
	for range min(mostLooks, len(w.names)) {
		w.next = (w.next + 1) % len(w.names)
		name := w.names[w.next]
		if name == j.current.name {
			continue
		}
		what, err := w.changed(j.disk, name, -1)
		if err != nil {
			what = err.Error()
		}
		if what != "" {
			j.find(what)
			w.drop(name) // reported once
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

// rescue saves what can still be read of the part that was tampered with, and writes the
// batch, of which written bytes were written, to a new part. The batch is refused if no
// part can be begun.
func (j *Journal) rescue(what string, written int64) error {
	j.find(what)
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

// restore rewrites size bytes of the part from the file that is still open, if its name
// leads elsewhere. A file that has replaced it is kept under another name.
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
		return nil // nothing is missing
	case err == nil:
		err = asForeign(j.disk, old.name, j.now())
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
	defer j.shelf.stale()
	return errors.Join(file.Close(), j.disk.Rename(old.name+draftEnd, old.name), j.disk.SyncFolder())
}

// intact reads a part and checks that each frame still follows the one before.
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
