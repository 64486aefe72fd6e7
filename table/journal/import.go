package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/sabot-table/sabot/table/journal/disk"
)

// Import writes a journal from one in another format: its records keep their numbers, its
// openings stay openings, and its seals are kept with the records unchanged. If there is a
// key, the journal is sealed like any other.
type Import struct {
	j *Journal
	// former is the journal that is imported; only the first part has it.
	former *Former
}

// NewImport begins a journal in a folder that it makes. Nothing else may use the folder
// before Close. The former journal's Why says which format it had.
func NewImport(path string, former Former, o Options) (*Import, error) {
	i, err := newImport(path, former, o)
	return i, fault("import into", path, err)
}

func newImport(path string, former Former, o Options) (*Import, error) {
	if err := checkKey(o.Key); err != nil {
		return nil, err
	}
	if err := makeFolder(path); err != nil {
		return nil, err
	}
	if o.Beside == nil {
		o.Beside = disk.Private{Folder: disk.Folder(filepath.Dir(path))}
	}
	j := newJournal(disk.Folder(path), path, o)
	if err := j.codes.read(); err != nil {
		return nil, err
	}
	j.id = newID()
	j.cursors = map[string]uint64{}
	j.tail = state{hash: origin(j.id), cursors: j.cursors}
	if err := j.code(&j.tail); err != nil {
		return nil, err
	}
	j.left = ending{hash: j.tail.hash}
	return &Import{j: j, former: &former}, nil
}

// Boot begins an opening of the old journal, by its number and its program.
func (i *Import) Boot(number uint64, program string) error {
	i.j.boot, i.j.o.Program = number, program
	return fault("import into", i.j.path, i.part(whyTaken))
}

// part begins a part.
func (i *Import) part(why string) error {
	j := i.j
	before := j.current
	err := j.beginPart(beginning{why: why, state: &j.tail, former: i.former})
	if err == nil && before != nil {
		j.leave(before)
	}
	i.former = nil
	return err
}

// Append adds entries of the last opening, with the old seals that followed some of them.
func (i *Import) Append(entries []Entry, seals []Seal) error {
	for n := range entries {
		if err := entries[n].validate(); err != nil {
			return fault("import into", i.j.path, fmt.Errorf("entry %d of %d: %w", n+1, len(entries), err))
		}
	}
	if i.j.current == nil {
		return fault("import into", i.j.path, errors.New("an entry before the first opening"))
	}
	if i.j.current.size >= i.j.o.PartMost {
		if err := i.part("taken over, and the part before has its size"); err != nil {
			return fault("import into", i.j.path, err)
		}
	}
	return fault("import into", i.j.path, i.j.write(func(b *batch) error {
		for n := range entries {
			rec := b.record(&entries[n])
			if len(seals) > 0 && seals[0].Seq == rec.Seq {
				if err := b.imported(&seals[0]); err != nil {
					return err
				}
				seals = seals[1:]
			}
			if i.j.key != nil && len(entries[n].Carry) > 0 {
				b.seal(i.j)
			}
		}
		return nil
	}))
}

// ImportedSeal is a seal of a journal in another format, as a part has it.
type ImportedSeal struct {
	Seal      uint64 `json:"seal"`
	Hash      string `json:"hash"`
	At        int64  `json:"at"`
	Key       string `json:"key"`
	Signature string `json:"signature"`
}

// imported adds the seal of a journal in another format.
func (b *batch) imported(s *Seal) error {
	text, err := json.Marshal(ImportedSeal{
		s.Seq, fmt.Sprintf("%x", s.Hash), s.At, PublicLine(s.Key), fmt.Sprintf("%x", s.Signature),
	})
	b.raw(append(beginOld[:len(beginOld):len(beginOld)], text...))
	return err
}

// Cursor sets how far a publisher has come.
func (i *Import) Cursor(name string, event uint64) error { return i.j.SetCursor(name, event) }

// Close ends the import, and makes all of it durable.
func (i *Import) Close() error { return i.j.Close() }
