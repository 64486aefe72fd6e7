package journal

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
)

// Extent is a file of a journal, and how much of it a copy needs.
type Extent struct {
	// Name is the file's, with the folder's before it where the file was set aside.
	Name string
	// Size is in bytes.
	Size int64
}

// Extents lists the files that make up the journal in the folder, each with its size, the
// newest part first and up to its last whole write. Whoever copies them in this order has the
// journal as a crash at this moment would leave it, even while a table writes: nothing before
// the end of the newest part is ever changed. A file may be packed or moved away meanwhile, so
// that it is not there any more: then the list is to be made again.
func (r *Reader) Extents() (list []Extent, err error) {
	defer faultOf("list the files", r.path, &err)
	numbers, err := r.shelf.all()
	if err != nil {
		return nil, err
	}
	newest, err := r.newest(numbers)
	if err != nil {
		return nil, err
	}
	list = append(list, newest)
	for i := len(numbers) - 2; i >= 0; i-- {
		name := r.shelf.name(numbers[i])
		info, err := r.shelf.disk.Stat(name)
		if err != nil {
			return nil, err
		}
		list = append(list, Extent{name, info.Size})
	}
	return list, nil
}

// newest is the part that is being written. One that is damaged is to be copied whole.
func (r *Reader) newest(numbers []uint64) (Extent, error) {
	if len(numbers) == 0 {
		return Extent{}, ErrForeign
	}
	t, err := r.shelf.content(numbers, len(numbers)-1)
	if err != nil {
		return Extent{}, err
	}
	defer t.shut()
	name := r.shelf.name(t.Part)
	if strings.HasSuffix(name, packedEnd) {
		info, err := r.shelf.disk.Stat(name)
		return Extent{name, info.Size}, err
	}
	end, err := r.settled(t)
	if errors.Is(err, ErrDamaged) {
		return Extent{name, t.file}, nil
	}
	return Extent{name, end.size}, err
}

// Aside lists the files of journals that were set aside in the folder at path, and foreign ones that were found there,
// by their names within it.
func Aside(path string) (names []string, err error) {
	path, err = resolve(path)
	if err != nil {
		return nil, err
	}
	_, files, err := Own(path)
	for _, file := range files {
		name, wrong := filepath.Rel(path, file.Path)
		if _, _, part := partNumber(name); wrong == nil && !part && !strings.HasSuffix(name, draftEnd) {
			names = append(names, name)
		}
	}
	return names, err
}

// Lock holds the journal at path as its writer does, without opening it: nobody writes to it until the lock is closed.
func Lock(path string) (io.Closer, error) {
	path, err := resolve(path)
	if err == nil {
		var held io.Closer
		if held, err = lock(path + ".lock"); err == nil {
			return held, nil
		}
	}
	return nil, fault("lock", path, err)
}

// Part reports whether a file with this name is a part of a journal.
func Part(name string) bool {
	_, _, ok := partNumber(name)
	return ok
}
