package securefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// judge judges items of one program, one after the other. The folders around them are looked at once for all files of a
// folder: a journal has thousands.
type judge struct {
	by User
	// look is os.Lstat, and around judges the folders around a path.
	look   func(path string) (fs.FileInfo, error)
	around func(path string, by User) *Fault
	// folders are those whose files have been judged, with what is wrong around them.
	folders map[string]*Fault
}

func newJudge(by User) *judge {
	return &judge{by: by, look: os.Lstat, around: around, folders: map[string]*Fault{}}
}

// Looks are what looks at files have just found, by their paths: who has looked need not do so again.
type Looks map[string]fs.FileInfo

func (l Looks) at(path string) (fs.FileInfo, error) {
	if info := l[path]; info != nil {
		return info, nil
	}
	return os.Lstat(path)
}

// item is Judge.
func (j *judge) item(i Item) *Fault {
	info, err := j.look(i.Path)
	link := err == nil && info.Mode()&fs.ModeSymlink != 0
	if link && !kinds[i.Kind].aside {
		info, err = os.Stat(i.Path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) && !kinds[i.Kind].made:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return j.around(i.Path, j.by)
	case link && err != nil && kinds[i.Kind].folder:
		return nil // as below
	case err != nil:
		return unseen(i.Path, err)
	}
	if f := j.above(i.Path, link && !kinds[i.Kind].aside); f != nil {
		return f
	}
	if row := kinds[i.Kind]; row.folder && (info.Mode().IsRegular() || row.made && !info.IsDir()) {
		return nil // whoever opens it says what else it is
	}
	return i.judge(info, j.by)
}

// above judges the folders around an item that exists. If it is no link, they are those of every other in its folder.
func (j *judge) above(path string, link bool) *Fault {
	if link {
		return j.around(path, j.by)
	}
	folder := filepath.Dir(path)
	f, known := j.folders[folder]
	if !known {
		f = j.around(path, j.by)
		j.folders[folder] = f
	}
	return f
}
