package securefile

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"
)

// ToMend judges items, folders before what is in them. It returns what Mend would put right, and the first that it
// would not; what is in a folder that is to be mended is judged as if it were.
func ToMend(items []Item, by User) (mends []Fault, wrong *Fault) {
	folders, judge := map[string]bool{}, newJudge(by)
	for _, i := range items {
		f := judge.item(i)
		switch {
		case f == nil:
		case f.Mends:
			mends = append(mends, *f)
			folders[i.Path] = kinds[i.Kind].folder
		case !folders[f.folder] && wrong == nil:
			wrong = f
		}
	}
	return mends, wrong
}

// Mended is an item that was put right.
type Mended struct {
	Item
	Was, Now fs.FileMode
	// Left is why others can still read it; nil if they cannot.
	Left error
	// Lacked says that the program itself could not use it before.
	Lacked bool
	// Aside is where it lies if it was no file at all, "" where it is still in its place.
	Aside string
}

// Found says what somebody has done to the file or the folder, "" where others could read or change it, and no more.
func (m *Mended) Found() string {
	switch name := filepath.Base(m.Path); {
	case m.Aside != "":
		return name + " was not a regular file: it was put aside as " + filepath.Base(m.Aside)
	case m.Lacked:
		return fmt.Sprintf("%s could not be used: its mode was %#o", name, m.Was)
	case m.Kind == OwnKey:
		return fmt.Sprintf("other users could read or change %s (mode %#o): give the table another key if anybody "+
			"may have read it", name, m.Was)
	}
	return ""
}

// Mend judges items, and puts right what their kinds say. Everything else that is wrong is the error, after whose first
// nothing more is done. What others can only read, and the program may not mend, is no error: it belongs to root.
func Mend(items []Item, by User) (mended []Mended, err error) { return MendLooked(items, by, nil) }

// MendLooked is Mend where somebody has just looked at some of them.
func MendLooked(items []Item, by User, looked Looks) (mended []Mended, err error) {
	judge := newJudge(by)
	judge.look = looked.at
	for _, i := range items {
		f := judge.item(i)
		if f == nil {
			continue
		}
		if !f.Mends {
			return mended, f
		}
		m, err := i.mend(by, f)
		if errors.Is(err, fs.ErrPermission) && f.reads {
			m, err = Mended{Item: i, Left: f}, nil
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was moved away meanwhile, as finished parts are
		}
		if err != nil {
			return mended, fmt.Errorf("%w (this could not be done: %w)", f, err)
		}
		mended = append(mended, m)
	}
	return mended, nil
}

// AsideEnd is what the name of a file has that was put aside, before a number.
const AsideEnd = ".unusable-"

// PutAside gives a file that cannot be used another name beside its own, under which it stays.
func PutAside(path string) (aside string, err error) {
	aside = fmt.Sprintf("%s%s%d", path, AsideEnd, time.Now().UnixNano())
	return aside, os.Rename(path, aside)
}

// mend puts right what a fault says: it puts aside what is no file, gives the program what it needs of its own file,
// and takes away the permissions that the item must not give.
func (i Item) mend(by User, f *Fault) (m Mended, err error) {
	m = Mended{Item: i, Lacked: f.lacks}
	if f.aside {
		m.Aside, err = PutAside(i.Path)
		return m, err
	}
	path, err := filepath.EvalSymlinks(i.Path)
	if err != nil {
		return m, err
	}
	info, err := os.Lstat(path)
	if err != nil {
		return m, err
	}
	m.Was = info.Mode().Perm()
	m.Now, err = i.chmod(path, m.Was, by, f.lacks)
	return m, err
}

// chmod changes the mode of what is at a path, and of nothing that has taken its place meanwhile: but for its owner who
// cannot even read it, which only somebody can abuse who may write to the folder.
func (i Item) chmod(path string, was fs.FileMode, by User, lacks bool) (now fs.FileMode, err error) {
	if lacks {
		if err := os.Chmod(path, kinds[i.Kind].own); err != nil {
			return 0, err
		}
	}
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if fault := i.judge(info, by); fault != nil && !fault.Mends {
		return 0, fault
	}
	if now = info.Mode().Perm() & i.Kind.allowed(); lacks {
		now = was&i.Kind.allowed() | kinds[i.Kind].own
	}
	return now, f.Chmod(info.Mode()&(fs.ModeSetgid|fs.ModeSticky) | now)
}

// Tell logs what was put right: once for all that others could read or change, and each file that somebody has changed.
func Tell(log *slog.Logger, mended []Mended) {
	put, left := 0, 0
	var first, open Mended
	for _, m := range mended {
		if found := m.Found(); found != "" {
			log.Error("SOMEBODY HAS CHANGED A FILE OF THIS PROGRAM: that was put right", "found", found, "path", m.Path)
		}
		switch {
		case m.Aside != "" || m.Lacked:
		case m.Left != nil && left == 0:
			open, left = m, 1
		case m.Left != nil:
			left++
		case put == 0:
			first, put = m, 1
		default:
			put++
		}
	}
	if put > 0 {
		log.Warn("other users could read or change files of this program: they cannot any longer; if anybody may "+
			"have, look at what is in them",
			"files", put, "first", first.Path, "was", fmt.Sprintf("%#o", first.Was), "now",
			fmt.Sprintf("%#o", first.Now))
	}
	if left > 0 {
		log.Warn("other users can read files of this program, and it may not prevent that itself", "files", left,
			"err", open.Left)
	}
}
