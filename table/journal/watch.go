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
		return // the next look says so
	}
	if w.known == nil {
		w.known = map[string]disk.Info{}
	}
	if _, there := w.known[name]; !there {
		w.names = append(w.names, name)
	}
	w.known[name] = info
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

// changed says what was done to a file, "" for nothing. The size is what it must be, or
// negative for what it was.
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
	case is.Links != 1:
		return name + " has a second name: somebody has linked it"
	case size == was.Size && is.Written != was.Written && was.Written != 0:
		return name + " was written to"
	}
	return ""
}

// look compares the files with what this program has made of them. The last write, of so
// many bytes, is durable in what is open; where its file was tampered with, a new part is
// begun. before is what was seen already before that write.
func (j *Journal) look(before string, written int64) {
	name := j.current.name
	j.watch.unwritten(name)
	what := j.watch.changed(j.disk, name, j.current.size)
	switch {
	case before != "":
		j.rescue(before, written)
	case what != "":
		j.found = append(j.found, what)
		j.rescue(what, written)
	default:
		j.watch.add(j.disk, name)
	}
	w := &j.watch
	for range min(mostLooks, len(w.names)) {
		w.next = (w.next + 1) % len(w.names)
		name := w.names[w.next]
		if j.current != nil && name == j.current.name {
			continue
		}
		if what := w.changed(j.disk, name, -1); what != "" {
			j.found = append(j.found, what)
			w.drop(name) // told once
			break
		}
	}
}

// unwritten forgets when the file that is being written was written to.
func (w *watch) unwritten(name string) {
	info := w.known[name]
	info.Written = 0
	w.known[name] = info
}

// rescue saves what can still be read of the part that was tampered with, and begins a
// new one.
func (j *Journal) rescue(what string, written int64) {
	last := j.batch.text
	j.left = ending{part: j.current.part, size: j.current.size - written, over: written, hash: j.batch.before}
	old := j.current
	n := beginning{why: "tampering: " + what, again: last, state: &j.batch.state, check: true}
	if err := j.restore(old); err != nil {
		n.lost = fmt.Sprintf("%s; what it held cannot be restored: %v", what, err)
	}
	j.watch.drop(old.name)
	j.current = nil
	if err := j.beginPart(n); err != nil {
		j.found = append(j.found, "the part after it could not be begun: "+err.Error())
	} else {
		j.watch.add(j.disk, old.name)
	}
	_ = old.file.Close() // it is not written any more
}

// restore writes the part anew from the file that is still open, where its name leads
// elsewhere. What stands there in its place is kept under another name.
func (j *Journal) restore(old *writing) error {
	info, err := old.file.Stat()
	if err != nil {
		return err
	}
	if info.Size < old.size {
		return fmt.Errorf("it has %d of %d bytes", info.Size, old.size)
	}
	if err := intact(old.file, old.size); err != nil {
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
	text := make([]byte, old.size)
	if _, err := old.file.ReadAt(text, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	file, err := j.draft(old.name, text, true)
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
