package journal

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sabot-table/sabot/table/journal/disk"
)

// Options say who writes a journal, and how.
type Options struct {
	// Program is the name and version of the program, which the journal keeps with the
	// boot: an auditor who replays records needs the engine of that time.
	Program string
	// Key, if not nil, seals the journal: with each record that ends a round or sets
	// the table up, at the beginning of each part, and at Close.
	Key ed25519.PrivateKey
	// Heard is the last head that the pit is known to have; zero for none.
	Heard Heard
	// Looked are what looks at its files have just found, by their paths, such as Own has it: a start does not look
	// again at those of the journal's folder. It may lack some.
	Looked map[string]fs.FileInfo
	// Used says that the table was used before, so that whatever its folder holds, it is the journal's.
	Used bool
	// DayBegins is when a gaming day begins, after midnight by the clock of the host.
	DayBegins time.Duration
	// PartMost is the size in bytes from which a part is not continued; 0 for the usual 8
	// MiB, which a start reads in a few milliseconds.
	PartMost int64
	// Warn reports trouble with the disk that was overcome: which part was begun, and why.
	// It may be nil.
	Warn func(what string, err error)
	// Synced is told how long the disk took to make a write durable, also if it failed. It is called with each write,
	// and must not block; it may be nil.
	Synced func(took time.Duration)
	// Now is the clock; nil for the host's.
	Now func() time.Time
	// Beside is the folder in which the key of the frames' codes is kept, in files that only their owner can read; nil
	// for the journal's own disk, or for the folder that the journal's is in, where Open is given a path.
	Beside disk.Disk
}

// usualPart is the default of PartMost.
const usualPart = 8 << 20

// Heard is the end of a journal as the pit has it.
type Heard struct {
	ID     string
	Record uint64
	Hash   [32]byte
	Event  uint64
}

// Opening says what Open found. The operator must be told of every field that is not zero.
type Opening struct {
	// New says that a new journal was begun.
	New bool
	// Former is the journal that it replaces, nil if there was none.
	Former *Former
	// Behind says that the journal lacks what the pit has heard of, "" if it does not.
	Behind string
	// Dropped is how many bytes of an incomplete last write were dropped. They were never
	// acknowledged.
	Dropped int64
}

// Journal writes a journal, and reads it. It may be used by several goroutines at once;
// Append is meant for one.
type Journal struct {
	*Reader
	o       Options
	boot    uint64
	lock    io.Closer
	disk    disk.Disk
	key     ed25519.PrivateKey // nil for a journal that is not sealed
	codes   codes
	opening Opening
	// knownFile keeps what is known of the parts.
	knownFile knownFile

	mu      mutex    // held for as long as a write lasts
	current *writing // nil if the next write must begin a part
	left    ending   // the part before the next one
	top     uint64   // the highest part's number that was ever used
	tail    state    // after the last durable frame
	batch   batch
	cursors map[string]uint64
	watch   watch
	found   []finding // all that was found about the journal's files
	shut    bool

	tidying  sync.Mutex // held by Tidy and Inspect
	known    *known     // what the last look at the parts found
	stopping atomic.Bool

	view    sync.Mutex // held briefly: what readers see
	seen    state
	ends    ending
	recent  recent
	changed chan struct{} // nil while no reader waits
}

// mutex may be held while a disk is slow. Unlike for a sync.Mutex, those who wait for it are durably
// blocked in the sense of testing/synctest, so that slow disks can be simulated.
type mutex chan struct{}

func newMutex() mutex { return make(mutex, 1) }

func (m mutex) Lock()   { m <- struct{}{} }
func (m mutex) Unlock() { <-m }

// writing is the part that is being written.
type writing struct {
	file disk.File
	name string
	part uint64
	// size is what is durable, and begins the header and the rest of the part's first write.
	size, begins int64
	day          int64
}

// ending is where a part ends.
type ending struct {
	part uint64
	// size is how many bytes count, and over how many more may follow that do not.
	size, over int64
	hash       [32]byte
	// lost says what others removed from it, "" for nothing.
	lost string
}

// Open opens the journal in the folder at path for writing, and creates it if there is
// none. It locks the folder against other writers, checks the newest part and its seals,
// and begins a new part, which is durable when Open returns. A journal that does not agree
// with its parts, its seals or the pit is set aside untouched, and a new one that names it
// is begun: Opening reports this. Close the Journal after use.
//
// Errors are ErrInUse, ErrForeign, ErrNewer, ErrFull, ErrSealed, or the system's.
func Open(path string, o Options) (j *Journal, err error) {
	defer faultOf("open", path, &err)
	if path, err = resolve(path); err != nil {
		return nil, err
	}
	strange, err := vacate(path, &o)
	if err != nil {
		return nil, err
	}
	held, err := lock(path + ".lock")
	if err != nil {
		return nil, err
	}
	if err := makeFolder(path); err != nil {
		return nil, errors.Join(err, held.Close())
	}
	if o.Beside == nil {
		o.Beside = disk.Private{Folder: disk.Folder(filepath.Dir(path))}
	}
	if j, err = OpenOn(disk.Folder(path), path, o); err != nil {
		return nil, errors.Join(err, held.Close())
	}
	if j.lock = held; strange != "" {
		j.tell([]string{strange})
	}
	return j, nil
}

// OpenOn is Open on a disk that represents the folder at path and has no other writer.
func OpenOn(on disk.Disk, path string, o Options) (*Journal, error) {
	if err := checkKey(o.Key); err != nil {
		return nil, err
	}
	j := newJournal(on, path, o)
	if heard := j.o.Heard; heard.ID != "" && heard.Check() != nil {
		j.find("what the pit is said to have heard of counts for nothing: " + heard.Check().Error())
		j.o.Heard = Heard{}
	}
	if err := j.open(); err != nil {
		return nil, errors.Join(err, j.release())
	}
	j.o.Looked = nil // they are old from here on
	j.Reader.live = j
	return j, nil
}

// newJournal is a journal of which nothing has been read or written yet.
func newJournal(on disk.Disk, path string, o Options) *Journal {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Warn == nil {
		o.Warn = func(string, error) {}
	}
	if o.Synced == nil {
		o.Synced = func(time.Duration) {}
	}
	if o.PartMost == 0 {
		o.PartMost = usualPart
	}
	if o.Beside == nil {
		o.Beside = on
	}
	return &Journal{
		o: o, key: o.Key, disk: on, mu: newMutex(), codes: newCodes(o.Beside, path, o.Key, o.Now),
		knownFile: newKnownFile(o.Beside, path), Reader: &Reader{path: path, shelf: shelf{disk: on, alone: true}},
	}
}

func (j *Journal) now() time.Time { return j.o.Now() }

// Opening says what Open found.
func (j *Journal) Opening() Opening { return j.opening }

// Boot is the number of this opening of the journal: 1 for the first, and one more each
// time.
func (j *Journal) Boot() uint64 { return j.boot }

// Next is the number of the next record, and of the next event.
func (j *Journal) Next() (seq, event uint64) {
	s := j.state()
	return s.seq + 1, s.event + 1
}

// state is the journal's durable state.
func (j *Journal) state() state {
	j.view.Lock()
	defer j.view.Unlock()
	return j.seen
}

// durable is how much of the part that is being written may be read.
func (j *Journal) durable() (part uint64, size int64) {
	j.view.Lock()
	defer j.view.Unlock()
	return j.ends.part, j.ends.size
}

// show lets readers see what has become durable, and wakes those who wait for it.
func (j *Journal) show() {
	j.view.Lock()
	defer j.view.Unlock()
	if j.tail.event > j.seen.event && j.tail.hash == j.batch.state.hash {
		j.recent.add(written{before: j.seen.event, last: j.tail.event, boot: j.boot, text: bytes.Clone(j.batch.text)})
	}
	j.seen, j.ends = j.tail, ending{part: j.current.part, size: j.current.size}
	j.seen.keys = ratchet{} // no reader needs it
	j.wake()
}

// Changed returns a channel that the next successful Append, or Close, closes. Get it
// first, then read, and wait on it if there was nothing to read: that misses no append.
func (j *Journal) Changed() <-chan struct{} {
	j.view.Lock()
	defer j.view.Unlock()
	if j.changed == nil {
		j.changed = make(chan struct{})
	}
	return j.changed
}

func (j *Journal) wake() {
	if j.changed != nil {
		close(j.changed)
		j.changed = nil
	}
}

// Cursor is how far the named publisher has come, as SetCursor last set it; for a name that has never been set, it is
// where the journal's events begin, 0 where damage hides that.
func (j *Journal) Cursor(name string) (event uint64, err error) {
	j.mu.Lock()
	event, set := j.cursors[name]
	j.mu.Unlock()
	if set {
		return event, nil
	}
	event, err = j.begins()
	return event, fault("read the cursor "+name, j.path, err)
}

// begins is the last event before the journal's own, 0 if that is not known.
func (j *Journal) begins() (uint64, error) {
	numbers, err := j.shelf.all()
	if err != nil || len(numbers) == 0 {
		return 0, err
	}
	first, err := j.shelf.get(numbers[0])
	switch {
	case errors.Is(err, ErrDamaged):
		return 0, nil // whoever reads events meets it there, and says so
	case err != nil || first.Before != 0:
		return 0, err
	}
	return first.Event, nil
}

// SetCursor notes how far the named publisher has come: event is the number of the last
// event that it need not send again. The note becomes durable with the next Append, or by
// FlushCursors; a crash before that undoes it, and events are sent again, never skipped. A
// cursor may be set back, which also sends events again, but not beyond the last event.
func (j *Journal) SetCursor(name string, event uint64) (err error) {
	defer faultOf("set the cursor "+name, j.path, &err)
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case j.shut:
		return ErrClosed
	case event > j.tail.event:
		return fmt.Errorf("event %d is not in the journal; the last is %d", event, j.tail.event)
	}
	j.cursors = maps.Clone(j.cursors)
	j.cursors[name] = event
	return nil
}

// FlushCursors makes durable what SetCursor has noted.
func (j *Journal) FlushCursors() (err error) {
	defer faultOf("note the cursors", j.path, &err)
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case j.shut:
		return ErrClosed
	case maps.Equal(j.cursors, j.tail.cursors):
		return nil
	}
	return j.write(func(b *batch) error { return nil })
}

// Close seals the end if there is a key, stops writing and reading, wakes those who wait
// on Changed, and releases the journal for another process.
func (j *Journal) Close() error {
	j.stopping.Store(true)
	j.tidying.Lock()
	defer j.tidying.Unlock()
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.shut {
		return nil
	}
	err := j.sealEnd()
	j.keepKey()
	j.shut = true
	j.closed.Store(true) // before readers are woken, so that they start nothing new
	j.view.Lock()
	j.wake()
	j.view.Unlock()
	return fault("close", j.path, errors.Join(err, j.release()))
}

// sealEnd notes the cursors, and seals an end that has no seal.
func (j *Journal) sealEnd() error {
	moved := !maps.Equal(j.cursors, j.tail.cursors)
	seal := j.key != nil && (moved || j.tail.sealed != j.tail.seq)
	if !moved && !seal {
		return nil
	}
	return j.write(func(b *batch) error {
		if seal {
			b.seal(j)
		}
		return nil
	})
}

// release closes what is open, and the lock last.
func (j *Journal) release() error {
	errs := []error{j.Reader.Close()}
	if j.current != nil {
		errs = append(errs, j.current.file.Close())
	}
	if j.lock != nil {
		errs = append(errs, j.lock.Close())
	}
	return errors.Join(errs...)
}
