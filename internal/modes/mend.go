package modes

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
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

// Mended is an item whose mode was put right.
type Mended struct {
	Path     string
	Was, Now fs.FileMode
	// Left is why others can still read it; nil if they cannot.
	Left error
}

// Mend judges items, and puts right what their kinds say. Everything else that is wrong is the error, after whose first
// nothing more is done. What others can only read, and the program may not mend, is no error: it belongs to root.
func Mend(items []Item, by User) (mended []Mended, err error) {
	judge := newJudge(by)
	for _, i := range items {
		f := judge.item(i)
		if f == nil {
			continue
		}
		if !f.Mends {
			return mended, f
		}
		m, err := i.mend(by)
		if errors.Is(err, fs.ErrPermission) && f.reads {
			m, err = Mended{Path: i.Path, Left: f}, nil
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

// mend takes away the permissions that the item must not give, from what it leads to and from nothing that has taken its
// place meanwhile.
func (i Item) mend(by User) (m Mended, err error) {
	path, err := filepath.EvalSymlinks(i.Path)
	if err != nil {
		return m, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return m, err
	}
	if fault := i.judge(info, by); fault != nil && !fault.Mends {
		return m, fault
	}
	now := info.Mode() & (fs.ModePerm | fs.ModeSetgid | fs.ModeSticky) &^ (0o777 &^ i.Kind.allowed())
	return Mended{Path: i.Path, Was: info.Mode().Perm(), Now: now.Perm()}, f.Chmod(now)
}

// Tell logs what was put right, once for all of it.
func Tell(log *slog.Logger, mended []Mended) {
	put, left := 0, 0
	var first, open Mended
	for _, m := range mended {
		switch {
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
		log.Warn("other users could read or change files of this program: they cannot any longer; if anybody may have, look at what is in them",
			"files", put, "first", first.Path, "was", fmt.Sprintf("%#o", first.Was), "now", fmt.Sprintf("%#o", first.Now))
	}
	if left > 0 {
		log.Warn("other users can read files of this program, and it may not prevent that itself", "files", left, "err", open.Left)
	}
}
