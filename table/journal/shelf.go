package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/sabot-table/sabot/table/journal/disk"
)

// The names of a journal's files.
const (
	partBegin = "part-"
	partEnd   = ".jsonl"
	packedEnd = ".jsonl.zst" // a finished part, compressed
	draftEnd  = ".new"       // a part that is not whole yet, and does not count

	setAsideBegin = "set-aside-" // a folder with a journal that does not fit
	foreignBegin  = "foreign-"   // a file that had replaced a part
)

func partName(number uint64) string { return fmt.Sprintf("%s%06d%s", partBegin, number, partEnd) }

// partNumber reads the name of a part; ok is false for any other name.
func partNumber(name string) (number uint64, packed, ok bool) {
	rest, begins := strings.CutPrefix(name, partBegin)
	digits, packed := strings.CutSuffix(rest, packedEnd)
	if !packed {
		digits, ok = strings.CutSuffix(rest, partEnd)
	}
	number, err := strconv.ParseUint(digits, 10, 63)
	return number, packed, begins && (packed || ok) && err == nil && number > 0 && len(digits) >= 6
}

// shelf is the parts of a journal in its folder. Headers are read when they are first
// needed.
type shelf struct {
	disk disk.Disk
	// trusting accepts headers that are not what was written, and notes what is wrong with
	// each.
	trusting bool
	// alone says that it belongs to the journal's only writer, which calls stale after each change to names. Others may
	// change names, too: a part that is missing is looked for, and one that was added is none of the journal's.
	alone bool

	mu      sync.Mutex
	changed int64
	sure    bool // that the list is still right, while changed stays the same
	numbers []uint64
	names   map[uint64]string
	parts   map[uint64]*part
	packed  *unpacked // the last compressed part that was read
}

// part is one part.
type part struct {
	Header
	name string
	hash [32]byte // the header's
	more bool     // the header's
	// fault is what is wrong with the header, if anything.
	fault error
	// begins is where the first frame after the header begins.
	begins int64
}

// raises reports whether the numbers of its records may continue above those before it.
func (p *part) raises() bool { return p.Before == 0 || p.Above != nil }

// unpacked is the content of a compressed part.
type unpacked struct {
	name string
	text []byte
}

// clockStep is longer than a step of any file system's clock: two changes within one step
// look like one.
const clockStep = 3 * time.Second

// relist lists the parts again, if the folder may have changed since the last time.
func (s *shelf) relist() error {
	changed, err := s.disk.Changed()
	if err != nil || s.sure && changed == s.changed {
		return err
	}
	files, err := s.disk.List()
	if err != nil {
		return err
	}
	names := map[uint64]string{}
	for _, name := range files {
		number, packed, ok := partNumber(name)
		if _, plain := names[number]; ok && !(packed && plain) {
			names[number] = name
		}
	}
	for number, p := range s.parts {
		if names[number] != p.name {
			delete(s.parts, number)
		}
	}
	s.names, s.changed, s.sure = names, changed, s.alone || time.Since(time.Unix(0, changed)) > clockStep
	s.numbers = slices.Sorted(maps.Keys(names))
	return nil
}

// stale has the list made anew when it is next needed.
func (s *shelf) stale() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sure = false
}

// added takes note of a new part that this journal has just named: the folder need not be listed anew for it.
func (s *shelf) added(number uint64, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	changed, err := s.disk.Changed()
	if n := len(s.numbers); err != nil || !s.sure || !s.alone || n > 0 && number <= s.numbers[n-1] {
		s.sure = false
		return
	}
	s.names[number], s.changed = name, changed
	s.numbers = append(slices.Clip(s.numbers), number)
}

// forget drops everything known about the parts.
func (s *shelf) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sure, s.parts, s.packed = false, nil, nil
}

// all are the numbers of the parts in the folder, in order.
func (s *shelf) all() ([]uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.relist(); err != nil {
		return nil, err
	}
	return slices.Clone(s.numbers), nil
}

// name is the file of a part.
func (s *shelf) name(number uint64) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.names[number]
}

// get returns a part with its header.
func (s *shelf) get(number uint64) (*part, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, err := s.header(number)
	if notThere(err) {
		if err := s.again(); err != nil {
			return nil, err
		}
		p, err = s.header(number)
	}
	if notThere(err) { // it is listed still
		err = fmt.Errorf("%w: the file of part %d leads nowhere", ErrDamaged, number)
	}
	return p, err
}

// again makes the list anew: a file may have been packed or moved since it was made.
func (s *shelf) again() error {
	s.sure = false
	return s.relist()
}

func (s *shelf) header(number uint64) (*part, error) {
	if p := s.parts[number]; p != nil {
		return p, nil
	}
	name, there := s.names[number]
	if !there {
		return nil, &AwayError{Part: number}
	}
	p, err := s.load(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if p.Part != number {
		return nil, fmt.Errorf("%w: the file %s holds part %d", ErrDamaged, name, p.Part)
	}
	if s.parts == nil {
		s.parts = map[uint64]*part{}
	}
	s.parts[number] = p
	return p, nil
}

// load reads a part's header and checks its hash.
func (s *shelf) load(name string) (*part, error) {
	text, size, shut, err := s.open(name)
	if err != nil {
		return nil, err
	}
	defer shut()
	r := newFrames(text, 0, size)
	r.chunk = 8 << 10
	f, err := r.next()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("%w: it has no header", errFrame)
	}
	if err != nil {
		return nil, damaged(err)
	}
	h, err := parseHeader(&f)
	if err != nil && !errors.Is(err, ErrNewer) {
		return nil, damaged(err)
	}
	p := &part{Header: h, name: name, hash: f.hash, more: f.more, begins: f.end()}
	before, unlinked := p.chainBefore()
	if unlinked != nil {
		return nil, damaged(unlinked)
	}
	if new(linker).sum(&before, f.covered()) != f.hash {
		p.fault = fmt.Errorf("%w: its header does not fit its hash", ErrDamaged)
	}
	if err != nil && p.fault == nil {
		return nil, err // no accident makes a part of a newer program: its header closes as all do
	}
	if err != nil {
		return nil, p.fault
	}
	if p.fault != nil && !s.trusting {
		return nil, p.fault
	}
	return p, nil
}

// chainBefore is the hash right before the header's: what Again repeats comes between the
// part before and the header.
func (p *part) chainBefore() ([32]byte, error) {
	sum, _ := p.after()
	rest := []byte(p.Again)
	for len(rest) > 0 {
		f, err := cutFrame(rest)
		if err != nil {
			return sum, fmt.Errorf("%w: what its header repeats is not whole", errFrame)
		}
		sum, rest = f.hash, rest[len(f.text):]
	}
	return sum, nil
}

// open opens a file of the folder, and decompresses it if it is compressed.
func (s *shelf) open(name string) (from io.ReaderAt, size int64, shut func(), err error) {
	if s.packed != nil && s.packed.name == name {
		return bytes.NewReader(s.packed.text), int64(len(s.packed.text)), func() {}, nil
	}
	file, err := s.disk.Open(name)
	if errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.ENXIO) {
		err = fmt.Errorf("%w: %s is no file: %w", ErrDamaged, name, err)
	}
	if err != nil {
		return nil, 0, nil, err
	}
	shut = func() { _ = file.Close() } // nothing was written to it
	info, err := file.Stat()
	if err != nil {
		shut()
		return nil, 0, nil, err
	}
	if info.Folder {
		shut()
		return nil, 0, nil, fmt.Errorf("%w: %s is no file, but a folder", ErrDamaged, name)
	}
	if !strings.HasSuffix(name, packedEnd) {
		return file, info.Size, shut, nil
	}
	defer shut()
	if err := tooLong(name, info.Size); err != nil {
		return nil, 0, nil, err
	}
	text, err := unpack(io.NewSectionReader(file, 0, info.Size))
	if failed, disk := errors.AsType[*fs.PathError](err); disk {
		return nil, 0, nil, failed
	}
	if err != nil {
		return nil, 0, nil, fmt.Errorf("%w: it cannot be decompressed: %w", ErrDamaged, err)
	}
	s.packed = &unpacked{name, text}
	return bytes.NewReader(text), int64(len(text)), func() {}, nil
}

// openPart opens the file of a part, under the name that it has now.
func (s *shelf) openPart(p *part) (from io.ReaderAt, size int64, shut func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from, size, shut, err = s.open(p.name)
	if !notThere(err) || s.again() != nil {
		return from, size, shut, err
	}
	now, err := s.header(p.Part)
	if err != nil {
		return nil, 0, nil, err
	}
	return s.open(now.name)
}

// mostPart limits the size of a part in memory, in bytes: several times that of a part that is
// continued until it must not be, with a header that repeats the longest write.
const mostPart = 32 << 20

// tooLong refuses a file of a part by its size, before it is read.
func tooLong(name string, size int64) error {
	if size <= mostPart {
		return nil
	}
	return fmt.Errorf("%w: %s has %d bytes, and no part has more than %d: something was added to it", ErrDamaged, name,
		size, mostPart)
}

func unpack(r io.Reader) ([]byte, error) {
	dec, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostPart))
	if err != nil {
		return nil, err
	}
	defer dec.Close()
	return readPart(dec)
}

// readPart reads a part whose size is not known beforehand. It joins what it has read only once that is no more than a
// part has: a command meets a part that is too long several times, and no text of it may add to the memory of the last.
func readPart(r io.Reader) ([]byte, error) {
	var full [][]byte
	block := make([]byte, 0, 64<<10)
	for size := 0; ; {
		n, err := r.Read(block[len(block):cap(block)])
		block, size = block[:len(block)+n], size+n
		switch {
		case size > mostPart:
			return nil, fmt.Errorf("it decompresses to more than %d bytes", mostPart)
		case errors.Is(err, io.EOF):
			return slices.Concat(append(full, block)...), nil
		case err != nil:
			return nil, err
		case len(block) == cap(block):
			full = append(full, block)
			block = make([]byte, 0, min(size, 4<<20))
		}
	}
}

// counts reports whether a part belongs to the journal. It does not if the next one
// continues after an earlier part: then it was begun and abandoned.
func (s *shelf) counts(numbers []uint64, i int) (bool, error) {
	if i+1 >= len(numbers) {
		return true, nil
	}
	next, err := s.get(numbers[i+1])
	switch {
	case err == nil:
		return next.Before >= numbers[i], nil
	case !s.trusting:
		return false, err
	case diskFails(err):
		return true, err
	}
	return true, nil
}

// next is the part that continues after the i-th of the list, nil for none: those between
// them were abandoned.
func (s *shelf) next(numbers []uint64, i int) (*part, error) {
	for i++; i < len(numbers); i++ {
		if counts, err := s.counts(numbers, i); err != nil {
			return nil, err
		} else if counts {
			p, err := s.get(numbers[i])
			if err != nil && s.trusting && !diskFails(err) {
				return nil, nil
			}
			return p, err
		}
	}
	return nil, nil
}

// text is the part of a journal part that counts: as much of its file as the next part's
// header says, and what that header repeats.
type text struct {
	*part
	from io.ReaderAt
	// size is how much of the file counts, and again follows it.
	size  int64
	again []byte
	// file is the size of the whole file.
	file int64
	shut func()
	// last says that it is the newest part.
	last bool
	// unsure is why how much of the file counts could not be read, nil if it was: then all of it is taken.
	unsure error
	// unfit says that the frame that was read last does not fit its hash.
	unfit bool
}

// content opens the i-th part of the list.
func (s *shelf) content(numbers []uint64, i int) (*text, error) {
	p, err := s.get(numbers[i])
	if err != nil {
		return nil, err
	}
	t := &text{part: p, last: i+1 == len(numbers)}
	next, err := s.next(numbers, i)
	if err != nil && !s.trusting {
		return nil, err
	}
	t.unsure = err
	if t.from, t.file, t.shut, err = s.openPart(p); err != nil {
		return nil, err
	}
	t.size = t.file
	if next != nil && next.Before == p.Part {
		t.size, t.again = next.Ends, []byte(next.Again)
	}
	return t, nil
}

// ReadAt reads the text that counts.
func (t *text) ReadAt(b []byte, at int64) (n int, err error) {
	for n < len(b) {
		m, err := t.readSome(b[n:], at+int64(n))
		if n += m; err != nil {
			return n, err
		}
	}
	return n, nil
}

// readSome reads from the file, from its missing end, or from what is repeated of it.
func (t *text) readSome(b []byte, at int64) (n int, err error) {
	there := min(t.file, t.size)
	switch {
	case at < there:
		n, err = t.from.ReadAt(b[:min(int64(len(b)), there-at)], at)
		if errors.Is(err, io.EOF) {
			err = nil
			if n == 0 {
				err = io.ErrUnexpectedEOF // it was truncated just now
			}
		}
		return n, err
	case at < t.size:
		return hole(b[:min(int64(len(b)), t.size-at)], at, t.size), nil
	case at < t.whole():
		return copy(b, t.again[at-t.size:]), nil
	}
	return 0, io.EOF
}

// hole replaces the missing end of a part: a line of zeros, so that what is repeated after
// it can be read.
func hole(b []byte, at, end int64) int {
	clear(b)
	if at+int64(len(b)) == end {
		b[len(b)-1] = '\n'
	}
	return len(b)
}

// whole is how much there is to read.
func (t *text) whole() int64 { return t.size + int64(len(t.again)) }

// frames reads the part from a frame on.
func (t *text) frames(at int64) *frames { return newFrames(t, at, t.whole()) }

// damaged makes an errFrame an ErrDamaged.
func damaged(err error) error {
	if errors.Is(err, errFrame) {
		return fmt.Errorf("%w: it %w", ErrDamaged, err)
	}
	return err
}

// diskFails reports whether an error of reading is the disk's: it says nothing of what is written there.
func diskFails(err error) bool {
	if err == nil || notThere(err) {
		return false
	}
	if _, away := errors.AsType[*AwayError](err); away {
		return false
	}
	known := []error{io.EOF, io.ErrUnexpectedEOF, errFrame, ErrDamaged, ErrNewer, ErrClosed}
	return !slices.ContainsFunc(known, func(is error) bool { return errors.Is(err, is) })
}

// cannotNow reports whether the system cannot read just now: what is there may be as it should be.
func cannotNow(err error) bool {
	known := []error{
		syscall.EIO, syscall.EBADMSG, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.ESTALE,
	}
	return slices.ContainsFunc(known, func(is error) bool { return errors.Is(err, is) })
}

// notThere reports whether a file is missing.
func notThere(err error) bool { return errors.Is(err, fs.ErrNotExist) }
