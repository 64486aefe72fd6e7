package backup

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/sabot-table/sabot/table/journal/disk"
)

// Place is the folder of one table in a target.
type Place struct {
	disk.Disk
	// Name says where it is, for people.
	Name string
}

// chunk is how much of a file is in memory at once, in bytes.
const chunk = 256 << 10

// opener opens what is to be copied, from its beginning, as often as it is called.
type opener func() (io.ReadCloser, error)

// errChanged is a file that is not what it was a moment ago.
var errChanged = errors.New("it changed while it was copied")

// digest is the hash of the first size bytes.
func digest(open opener, size int64) (sum [sha256.Size]byte, err error) {
	from, err := open()
	if err != nil {
		return sum, err
	}
	h := sha256.New()
	n, err := io.CopyBuffer(h, io.LimitReader(from, size), make([]byte, chunk))
	if err = errors.Join(err, from.Close()); err == nil && n != size {
		err = fmt.Errorf("%w: it is shorter now", errChanged)
	}
	return [sha256.Size]byte(h.Sum(nil)), err
}

// putFile stores the first size bytes of a file, and has read them back from the disk when it returns. Its name is
// durable after SyncFolder. wrote says whether it was not there yet.
func (p *Place) putFile(name string, open opener, size int64) (s Stored, wrote bool, err error) {
	sum, err := digest(open, size)
	if err != nil {
		return s, false, &sourceError{err}
	}
	s = Stored{Name: name, Size: size, SHA256: hex.EncodeToString(sum[:])}
	if p.holds(s) == nil {
		return s, false, nil
	}
	if err := p.write(s, open); err != nil {
		return s, false, err
	}
	return s, true, nil
}

// sourceError is an error of what is copied, not of the place.
type sourceError struct{ error }

func (e *sourceError) Unwrap() error { return e.error }

// write writes a file in place of one that may be there and is not what it should be.
func (p *Place) write(s Stored, open opener) error {
	draft := s.object() + draftEnd
	if err := p.absent(draft); err != nil {
		return err
	}
	f, err := p.Create(draft)
	if err != nil {
		return err
	}
	err = fill(f, s, open)
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = errors.Join(f.Forget(), same(f, s))
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, p.absent(draft))
	}
	return p.Rename(draft, s.object())
}

// fill copies what must have the hash.
func fill(to disk.File, s Stored, open opener) error {
	from, err := open()
	if err != nil {
		return &sourceError{err}
	}
	h := sha256.New()
	n, err := io.CopyBuffer(appender{to}, io.TeeReader(io.LimitReader(from, s.Size), h), make([]byte, chunk))
	err = errors.Join(err, from.Close())
	if err == nil && (n != s.Size || hex.EncodeToString(h.Sum(nil)) != s.SHA256) {
		err = &sourceError{errChanged}
	}
	return err
}

type appender struct{ disk.File }

func (a appender) Write(b []byte) (int, error) {
	if err := a.Append(b); err != nil {
		return 0, err
	}
	return len(b), nil
}

// holds is nil if the place has a file as it should be.
func (p *Place) holds(s Stored) error {
	f, err := p.Open(s.object())
	if err != nil {
		return err
	}
	err = errors.Join(f.Forget(), same(f, s))
	return errors.Join(err, f.Close())
}

// same is nil if a file reads as it was written.
func same(f disk.File, s Stored) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	h := sha256.New()
	n, err := io.CopyBuffer(h, io.NewSectionReader(f, 0, s.Size), make([]byte, chunk))
	switch {
	case err != nil:
		return err
	case n != s.Size || info.Size != s.Size || hex.EncodeToString(h.Sum(nil)) != s.SHA256:
		return fmt.Errorf("%s does not read as it was written: the disk is failing, or somebody changed it", s.object())
	}
	return nil
}

// absent removes a file if it is there.
func (p *Place) absent(name string) error {
	if err := p.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// commit makes a generation count: everything that it lists is durable before its name is.
func (p *Place) commit(name string, text []byte) error {
	if err := p.SyncFolder(); err != nil {
		return err
	}
	draft := name + draftEnd
	if err := p.absent(draft); err != nil {
		return err
	}
	f, err := p.Create(draft)
	if err != nil {
		return err
	}
	if err = f.Append(text); err == nil {
		err = f.Sync()
	}
	if err == nil {
		sum := sha256.Sum256(text)
		err = errors.Join(f.Forget(), same(f,
			Stored{Name: name, Size: int64(len(text)), SHA256: hex.EncodeToString(sum[:])}))
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, p.absent(draft))
	}
	if err := p.Rename(draft, name); err != nil {
		return err
	}
	return p.SyncFolder()
}

// Unread is a generation whose file cannot be used.
type Unread struct {
	File string
	Err  error
}

// Generations lists what is in the place, the oldest first.
func (p *Place) Generations() (list []Generation, unread []Unread, err error) {
	names, err := p.List()
	if err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		number, ok := numberOf(name)
		if !ok {
			continue
		}
		g, err := p.read(name)
		if err == nil && g.Number != number {
			err = fmt.Errorf("it says that it is generation %d", g.Number)
		}
		if err != nil {
			unread = append(unread, Unread{name, err})
			continue
		}
		list = append(list, g)
	}
	return list, unread, nil
}

func (p *Place) read(name string) (g Generation, err error) {
	f, err := p.Open(name)
	if err != nil {
		return g, err
	}
	text, err := io.ReadAll(io.NewSectionReader(f, 0, mostGeneration+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return g, err
	}
	if len(text) > mostGeneration {
		return g, fmt.Errorf("it has more than %d bytes", mostGeneration)
	}
	return parse(text)
}

// bound keeps the newest generations, and removes what no generation needs. A generation that cannot be read may need
// anything: then nothing but drafts is removed.
func (p *Place) bound(keep int) (unread []Unread, err error) {
	list, unread, err := p.Generations()
	if err != nil {
		return nil, err
	}
	for len(list) > keep {
		if err := p.Remove(fileOf(list[0].Number)); err != nil {
			return unread, err
		}
		list = list[1:]
	}
	if err := p.SyncFolder(); err != nil {
		return unread, err
	}
	return unread, p.sweep(list, len(unread) > 0)
}

// sweep removes drafts and, unless all is to stay, data that no generation lists.
func (p *Place) sweep(list []Generation, all bool) error {
	needed := map[string]bool{}
	for i := range list {
		for _, s := range list[i].stored() {
			needed[s.object()] = true
		}
	}
	names, err := p.List()
	if err != nil {
		return err
	}
	for _, name := range names {
		ours := strings.HasPrefix(name, objectBegin) || strings.HasPrefix(name, generationBegin)
		draft := ours && strings.HasSuffix(name, draftEnd)
		spare := !all && strings.HasPrefix(name, objectBegin) && !needed[name]
		if draft || spare {
			if err := p.Remove(name); err != nil {
				return err
			}
		}
	}
	return p.SyncFolder()
}
