package journal

import (
	"crypto/ed25519"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"sync"
)

// Options say who writes a journal.
type Options struct {
	// Program is the name and version of the program, which the journal keeps
	// with the boot: an auditor who replays records needs the engine of the time.
	Program string
	// Key, if not nil, seals the journal: with each record that ends a round or sets
	// the table up, and at Close.
	Key ed25519.PrivateKey
}

// Journal writes a journal, and reads it. It may be used by several goroutines at
// once; Append is meant for one.
type Journal struct {
	*Reader
	boot uint64
	lock io.Closer

	mu       sync.Mutex // held for as long as a write lasts
	writer   *writer
	cursors  *sql.DB
	setter   *sql.Stmt
	tail     chain
	key      ed25519.PrivateKey // nil for a journal that is not sealed
	sealed   uint64             // the last record behind which a seal stands
	hasher   hasher
	shoeBoot uint32 // position of the last record from a shoe
	shoeSeq  uint32
	shut     bool

	news    sync.Mutex
	changed chan struct{} // nil while nobody waits
}

// Open opens the journal at path to write it, and creates it if there is none.
// It holds the file against other writers, brings an older schema up to date,
// checks the end of the journal, and starts a new boot, which is durable when
// Open returns. Close the Journal after use.
//
// Errors are ErrInUse, ErrDamaged, ErrForeign, ErrNewer, ErrFull, or what the
// system says. A damaged file is left as it is.
func Open(path string, opts Options) (*Journal, error) {
	j, err := openJournal(path, opts)
	return j, fault("open", path, err)
}

func openJournal(path string, opts Options) (*Journal, error) {
	if err := checkKey(opts.Key); err != nil {
		return nil, err
	}
	path, err := resolve(path)
	if err != nil {
		return nil, err
	}
	held, err := lock(path + ".lock")
	if err != nil {
		return nil, err
	}
	j := &Journal{lock: held, key: opts.Key}
	if err := j.open(path, opts); err != nil {
		return nil, errors.Join(err, j.release())
	}
	return j, nil
}

func (j *Journal) open(path string, opts Options) (err error) {
	if err := ensure(path); err != nil {
		return err
	}
	if j.writer, err = openWriter(path); err != nil {
		return err
	}
	if j.Reader, err = openReader(path); err != nil {
		return err
	}
	j.writes = true
	if j.cursors, err = connect(path, "rw", 1, moving); err != nil {
		return err
	}
	if j.setter, err = j.cursors.Prepare(setCursor); err != nil {
		return err
	}
	if j.tail, err = j.checkEnd(); err != nil {
		return err
	}
	if err := j.loadPosition(); err != nil {
		return err
	}
	if j.sealed, err = j.lastSeal(); err != nil {
		return err
	}
	return j.startBoot(opts.Program)
}

// loadPosition finds how far the shoe's events have been recorded.
func (j *Journal) loadPosition() error {
	if j.tail.shoe == 0 {
		return nil
	}
	rec, err := j.record(j.tail.shoe)
	j.shoeBoot, j.shoeSeq = rec.ShoeBoot, rec.ShoeSeq
	return err
}

// startBoot stores that the journal has been opened once more.
func (j *Journal) startBoot(program string) error {
	last, _, err := j.lastBoot()
	if err != nil {
		return err
	}
	j.boot = last + 1
	err = j.writer.transaction(func() error {
		_, err := j.writer.boot.Exec(int64(j.boot), program, int64(j.tail.seq+1))
		return err
	})
	if err != nil {
		return fmt.Errorf("storing boot %d: %w", j.boot, err)
	}
	return nil
}

// Boot is the number of this opening of the journal: 1 for the first, and one
// more each time.
func (j *Journal) Boot() uint64 { return j.boot }

// Next is the number of the next record, and of the next event.
func (j *Journal) Next() (seq, event uint64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.tail.seq + 1, j.tail.event + 1
}

// LastPosition is the position of the last record that came from a shoe: the
// shoe's events up to there are stored. Both are 0 when there is none.
func (j *Journal) LastPosition() (boot, seq uint32) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.shoeBoot, j.shoeSeq
}

// Close seals the end if there is a key, ends writing and reading, wakes who waits
// on Changed, and lets another process have the journal.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.shut {
		return nil
	}
	j.shut = true
	j.announce()
	return fault("close", j.path, errors.Join(j.sealEnd(), j.release()))
}

// release closes what is open. The lock goes last.
func (j *Journal) release() error {
	var errs []error
	if j.Reader != nil {
		errs = append(errs, j.Reader.Close())
	}
	if j.cursors != nil {
		errs = append(errs, j.cursors.Close())
	}
	if j.writer != nil {
		errs = append(errs, j.writer.close())
	}
	return errors.Join(append(errs, j.lock.Close())...)
}
