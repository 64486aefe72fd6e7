package journal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/sabot-table/sabot/table/journal/disk"
)

// Keep says what happens to finished parts. Those that a restart needs, or that a publisher
// must still send, stay as they are.
type Keep struct {
	// PackDays is the number of days after which a part is compressed, counted from the
	// beginning of the next one, or at once if space is short; 0 for never.
	PackDays int
	// Archive is the folder that parts are moved to, each journal's into a folder of its own;
	// "" for none: then no part is ever moved. It may be on another file system.
	Archive string
	// KeepDays is the number of days after which a part is moved; 0 for never while there
	// is space.
	KeepDays int
	// FreeMin is how many bytes must be free: below that the oldest parts are moved, whatever
	// their age. 0 for no limit.
	FreeMin uint64
	// Publishers are the names of the cursors of the publishers that still read events, and
	// NoPublisher says that there is none: one of the two must be given.
	Publishers  []string
	NoPublisher bool
	// On replaces the folder of this journal in Archive; nil for that folder itself.
	On disk.Disk
}

// ErrShort: little space is left, and nothing more can be moved away.
var ErrShort = errors.New("little space is left for the journal")

// errNoReader is returned for a Keep that does not mention publishers.
var errNoReader = errors.New("the publishers that still read events are not given: name their cursors, or say that " +
	"there is none")

// finished is a part that is no longer needed.
type finished struct {
	number uint64
	name   string
	// first and last are its records, and ended is when the next part was begun.
	first, last uint64
	ended       time.Time
}

func (p *finished) packed() bool { return strings.HasSuffix(p.name, packedEnd) }

// Tidy compresses finished parts and moves them away, as Keep says. It may be called at any
// time, concurrently with Append, which waits for it no longer than for one write. Whenever
// it is interrupted, each part is whole in at least one place. Close waits for it to stop.
//
// ErrShort says that space is short and nothing can be moved.
func (j *Journal) Tidy(ctx context.Context, k Keep) error {
	j.tidying.Lock()
	defer j.tidying.Unlock()
	err := j.tidy(ctx, k)
	if err == nil && j.known != nil {
		err = j.look(ctx, j.known)
	}
	return fault("tidy up", j.path, err)
}

func (j *Journal) tidy(ctx context.Context, k Keep) error {
	if (len(k.Publishers) == 0) != k.NoPublisher {
		return errNoReader
	}
	spare, err := j.spare(&k)
	if err != nil {
		return err
	}
	for i := range spare {
		if err := j.mayTidy(ctx); err != nil {
			return err
		}
		if err := j.packOld(&spare[i], &k); err != nil {
			return fmt.Errorf("compressing %s: %w", spare[i].name, err)
		}
	}
	return j.moveOld(ctx, spare, &k)
}

// mayTidy is nil while there is no reason to stop.
func (j *Journal) mayTidy(ctx context.Context) error {
	if j.stopping.Load() {
		return ErrClosed
	}
	return ctx.Err()
}

// spare lists the parts that are no longer needed, oldest first.
func (j *Journal) spare(k *Keep) ([]finished, error) {
	numbers, err := j.numbers()
	if err != nil || len(numbers) == 0 {
		return nil, err
	}
	newest, err := j.shelf.get(numbers[len(numbers)-1])
	if err != nil {
		return nil, err
	}
	checkpoint, sent := j.needed(k)
	key, _ := j.codes.held() // a start checks the codes of the frames from there on
	var spare []finished
	for i, number := range numbers {
		p, err := j.shelf.get(number)
		if err != nil {
			return nil, err
		}
		next, err := j.shelf.next(numbers, i)
		if err != nil {
			return nil, err
		}
		// The next start looks at the newest part and at the one that it follows.
		if next == nil || number >= newest.Before || next.coded() > key || next.Record >= checkpoint ||
			next.Event > sent {
			break
		}
		first := p.Record + 1
		counts, err := j.shelf.counts(numbers, i)
		if err != nil {
			return nil, err
		}
		if !counts {
			first = next.Record + 1 // it was abandoned, and holds none
		}
		spare = append(spare, finished{number, j.shelf.name(number), first, next.Record, time.Unix(0, next.At)})
	}
	return spare, nil
}

// needed is the record with which a restart begins, and the last event that, durably, every
// publisher has sent.
func (j *Journal) needed(k *Keep) (checkpoint, sent uint64) {
	s := j.state()
	sent = s.event
	for _, name := range k.Publishers {
		sent = min(sent, s.cursors[name])
	}
	return s.checkpoint, sent
}

// packOld compresses a part if it is time.
func (j *Journal) packOld(p *finished, k *Keep) error {
	if k.PackDays == 0 || p.packed() {
		return nil
	}
	short, err := j.short(k)
	if err != nil || !short && !p.since(k.PackDays, j.now()) {
		return err
	}
	return j.pack(p)
}

// since reports whether the part was finished at least so many days ago.
func (p *finished) since(days int, now time.Time) bool {
	return now.Sub(p.ended) >= time.Duration(days)*24*time.Hour
}

// pack replaces a part's plain file by a compressed one.
func (j *Journal) pack(p *finished) error {
	text, err := readFile(j.disk, p.name)
	if err != nil {
		return err
	}
	packed, err := packText(text)
	if err != nil {
		return err
	}
	name := strings.TrimSuffix(p.name, partEnd) + packedEnd
	if err := j.store(j.disk, name, packed); err != nil {
		return err
	}
	if err := j.takeAway(p.name, name); err != nil {
		return err
	}
	p.name = name
	return nil
}

// packText compresses text, and makes sure that it can be restored.
func packText(text []byte) ([]byte, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	packed := enc.EncodeAll(text, nil)
	again, err := unpack(bytes.NewReader(packed))
	if err := errors.Join(err, enc.Close()); err != nil {
		return nil, err
	}
	if !bytes.Equal(again, text) {
		return nil,
			errors.New("decompressing does not restore what was compressed: the memory of this machine may be faulty")
	}
	return packed, nil
}

// store makes a file that is durable and read back from the disk. It does not have its
// name before it is whole.
func (j *Journal) store(on disk.Disk, name string, text []byte) error {
	file, err := draft(on, name, text, true)
	if err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	defer j.shelf.stale()
	if err := on.Rename(name+draftEnd, name); err != nil {
		return err
	}
	return on.SyncFolder()
}

// takeAway removes a part's file, of which there is a copy: name is the copy in this
// folder, "" for none.
func (j *Journal) takeAway(old, name string) error {
	j.mu.Lock()
	j.watch.drop(old)
	if name != "" {
		j.watch.add(j.disk, name)
	}
	j.mu.Unlock()
	defer j.shelf.stale()
	if err := j.disk.Remove(old); err != nil {
		return err
	}
	return j.disk.SyncFolder()
}

// moveOld moves the parts that are old, and the oldest while space is short.
func (j *Journal) moveOld(ctx context.Context, spare []finished, k *Keep) error {
	archive := k.On
	for i := range spare {
		p := &spare[i]
		old := k.KeepDays > 0 && p.since(k.KeepDays, j.now())
		short, err := j.short(k)
		if err == nil {
			err = j.mayTidy(ctx)
		}
		if err != nil {
			return err
		}
		if k.Archive == "" || !old && !short {
			break
		}
		if archive == nil {
			if archive, err = j.archive(k.Archive); err != nil {
				return err
			}
		}
		if err := j.move(p, archive, filepath.Join(k.Archive, j.id)); err != nil {
			return fmt.Errorf("moving %s to the archive %s: %w", p.name, k.Archive, err)
		}
	}
	short, err := j.short(k)
	switch {
	case err != nil || !short:
		return err
	case k.Archive == "":
		return fmt.Errorf("%w: less than %d bytes are free, and there is no archive to move parts to",
			ErrShort, k.FreeMin)
	}
	return fmt.Errorf("%w: less than %d bytes are free, and every remaining part is needed by a restart or has "+
		"events that a publisher has not sent", ErrShort, k.FreeMin)
}

// short reports whether there is less space than there should be.
func (j *Journal) short(k *Keep) (bool, error) {
	if k.FreeMin == 0 {
		return false, nil
	}
	free, err := j.disk.Free()
	return free < k.FreeMin, err
}

// archive is the folder of this journal in the archive. The archive must exist: if its disk
// is not mounted, nothing may be written in its place.
func (j *Journal) archive(path string) (disk.Disk, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("the archive: %w", err)
	}
	folder := filepath.Join(path, j.id)
	if err := makeFolder(folder); err != nil {
		return nil, fmt.Errorf("the archive: %w", err)
	}
	return disk.Folder(folder), nil
}

// move copies a part to the archive, puts that on record, and only then removes the part.
func (j *Journal) move(p *finished, archive disk.Disk, to string) error {
	text, err := readFile(j.disk, p.name)
	if err != nil {
		return err
	}
	there, err := readFile(archive, p.name)
	switch {
	case notThere(err):
		err = j.store(archive, p.name, text)
	case err == nil && !bytes.Equal(there, text):
		err = errors.New("a file of that name exists and has a different content; nothing was moved: look at both, " +
			"and move that one elsewhere")
	case err == nil:
		err = archive.SyncFolder() // an earlier move may have been interrupted before this
	}
	if err != nil {
		return err
	}
	if err := j.away(AwayError{Part: p.number, First: p.first, Last: p.last, To: to}); err != nil {
		return err
	}
	return j.takeAway(p.name, "")
}

// awayLine is the line that says that a part was moved away.
type awayLine struct {
	Away  uint64 `json:"away"`
	First uint64 `json:"first"`
	Last  uint64 `json:"last"`
	To    string `json:"to"`
	At    int64  `json:"at"`
}

// away puts on record that a part is moved away.
func (j *Journal) away(a AwayError) error {
	line, err := json.Marshal(awayLine{a.Part, a.First, a.Last, a.To, j.now().UnixNano()})
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.shut {
		return ErrClosed
	}
	return j.write(func(b *batch) error {
		b.raw(bytes.TrimSuffix(line, []byte("}")))
		if j.key != nil {
			b.seal(j) // who has only the public key must not believe a note that anybody could have made
		}
		return nil
	})
}

// readFile reads a whole file.
func readFile(on disk.Disk, name string) ([]byte, error) {
	file, err := on.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if err := tooLong(name, info.Size); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	text := make([]byte, info.Size)
	_, err = io.ReadFull(io.NewSectionReader(file, 0, info.Size), text)
	return text, errors.Join(err, file.Close())
}
