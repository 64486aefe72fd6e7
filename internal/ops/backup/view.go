package backup

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/journal/disk"
)

// view is a generation's journal as a folder that can only be read.
type view struct {
	place *Place
	parts map[string]Stored
}

// Journal reads the journal of a generation where it lies.
func (p *Place) Journal(g *Generation) (*journal.Reader, error) {
	v := view{place: p, parts: map[string]Stored{}}
	for _, s := range g.Parts {
		if !strings.Contains(s.Name, "/") {
			v.parts[s.Name] = s
		}
	}
	return journal.NewReader(p.Name+"/"+fileOf(g.Number), v)
}

var errOnlyRead = errors.New("a backup's journal can only be read")

func (v view) Open(name string) (disk.File, error) {
	s, ok := v.parts[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return v.place.Open(s.object())
}

func (v view) Stat(name string) (disk.Info, error) {
	s, ok := v.parts[name]
	if !ok {
		return disk.Info{}, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return v.place.Stat(s.object())
}

func (v view) List() ([]string, error) {
	names := make([]string, 0, len(v.parts))
	for name := range v.parts {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, nil
}

func (v view) Names(folder string) ([]string, error) {
	return nil, &fs.PathError{Op: "list", Path: folder, Err: fs.ErrNotExist}
}

func (v view) Changed() (int64, error)          { return 1, nil }
func (v view) Create(string) (disk.File, error) { return nil, errOnlyRead }
func (v view) Mkdir(string) error               { return errOnlyRead }
func (v view) Rename(string, string) error      { return errOnlyRead }
func (v view) Remove(string) error              { return errOnlyRead }
func (v view) SyncFolder() error                { return errOnlyRead }
func (v view) Free() (uint64, error)            { return 0, errOnlyRead }
