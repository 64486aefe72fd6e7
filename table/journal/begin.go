package journal

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/sabot-table/sabot/table/journal/disk"
)

// beginning describes a part to begin.
type beginning struct {
	why string
	// again is what was last written to the part before and may not be durable there;
	// state is the journal's state after it.
	again []byte
	state *state
	// check requires that what was written is read back from the disk itself.
	check  bool
	day    int64
	above  *[2]uint64
	former *Former
}

// beginPart writes a part that continues after j.left, and makes it the current one. It is
// a draft until all of it is durable.
func (j *Journal) beginPart(n beginning) error {
	number := j.top + 1
	b := new(batch)
	if err := j.fillPart(b, number, n); err != nil {
		return err
	}
	name := partName(number)
	file, err := draft(j.disk, name, b.text, n.check)
	if err != nil {
		return fmt.Errorf("beginning part %d: %w", number, err)
	}
	j.top = number // from here on the name may exist, whatever fails
	err = errors.Join(j.disk.Rename(name+draftEnd, name), j.disk.SyncFolder())
	if err != nil {
		j.shelf.stale()
		return errors.Join(fmt.Errorf("naming part %d: %w", number, err), file.Close())
	}
	j.shelf.added(number, name)
	size := int64(len(b.text))
	if n.day == 0 {
		n.day = j.day(j.now().UnixNano())
	}
	j.current = &writing{file: file, name: name, part: number, size: size, begins: size, day: n.day}
	j.tail = b.state
	j.left = ending{part: number, size: size, hash: j.tail.hash}
	if info, err := file.Stat(); err == nil {
		j.watch.note(name, info)
	} else {
		j.watch.add(j.disk, name)
	}
	j.show()
	j.keepKey()
	return nil
}

// fillPart makes a part's first batch: the header, the rules in force and a seal.
func (j *Journal) fillPart(b *batch, number uint64, n beginning) error {
	s := *n.state
	if n.above != nil {
		s.seq, s.event = max(s.seq, n.above[0]), max(s.event, n.above[1])
	}
	s.sealed = 0
	if s.seq != n.state.seq {
		s.last = [32]byte{}
	}
	b.begin(&s)
	h := Header{
		Part: number, Format: format, Journal: j.id, Why: n.why, Program: j.o.Program, Boot: j.boot,
		At:     j.now().UnixNano(),
		Record: s.seq, Event: s.event, After: hex.EncodeToString(j.left.hash[:]),
		Before: j.left.part, Ends: j.left.size, Over: j.left.over, Again: string(n.again),
		Checkpoint: s.checkpoint, Round: s.round, Rules: hex.EncodeToString(s.rules), Cursors: j.cursors,
		Lost: j.left.lost, Above: n.above, Former: n.former, Accepted: s.accepted, Aside: s.aside,
	}
	if s.setup != 0 {
		h.Setup = &SetUp{s.setup, s.setupInput}
	}
	if s.shoe != (Position{}) {
		h.Shoe = &[2]uint32{s.shoe.Boot, s.shoe.Seq}
	}
	for _, p := range s.shoes {
		h.Shoes = append(h.Shoes, [2]uint32{p.Boot, p.Seq})
	}
	if j.key != nil {
		h.Key = publicLine(j.key)
	}
	if s.frame > 0 {
		h.Coded = &Coded{By: j.codes.kept.Load().by, Frame: s.frame}
	}
	if err := h.validate(); err != nil {
		return fmt.Errorf("beginning part %d: no start could read it: %w", number, err)
	}
	if err := b.header(&h); err != nil {
		return err
	}
	b.state.cursors = j.cursors
	b.rules(s.rules, s.rulesText)
	if j.key != nil {
		b.seal(j)
	}
	b.end()
	return nil
}

// draft writes a new file under a name that does not count yet.
func draft(on disk.Disk, name string, text []byte, check bool) (disk.File, error) {
	name += draftEnd
	if err := on.Remove(name); err != nil && !notThere(err) {
		if moved := asForeign(on, name, time.Now()); moved != nil { // a folder with something in it
			return nil, errors.Join(err, moved)
		}
	}
	file, err := on.Create(name)
	if err != nil {
		return nil, err
	}
	err = file.Append(text)
	if err == nil {
		err = file.Sync()
	}
	if err == nil && check {
		err = readBack(file, text)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close(), on.Remove(name))
	}
	return file, nil
}

// errNotRead is a text that is not on the disk although the disk has confirmed it.
var errNotRead = errors.New("the disk returns something other than what was written, although it confirmed that " +
	"this was durable")

// readBack reads what the disk has, not what the system has cached.
func readBack(file disk.File, text []byte) error {
	if err := file.Forget(); err != nil {
		return err
	}
	got := make([]byte, len(text)+1)
	n, err := file.ReadAt(got, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !bytes.Equal(got[:n], text) {
		return errNotRead
	}
	return nil
}
