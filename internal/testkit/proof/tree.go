package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sabot-table/sabot/internal/securefile"
)

// trees are how many runs of make test may go on at once.
const trees = 8

// enterTree goes into a folder that has what this clone has, and is the same one for all clones: the cache of go test
// has the path and the time of each file that a test reads in its key. A file is written only if it has changed. The
// folder is this run's until leave is called.
func enterTree(ctx context.Context) (leave func(), err error) {
	caches, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	for n := range trees {
		folder := filepath.Join(caches, "sabot", fmt.Sprintf("tree-%d", n+1))
		leave, err := hold(folder + ".lock")
		if errors.Is(err, securefile.ErrLocked) {
			continue
		}
		if err == nil {
			if err = mirror(ctx, folder); err == nil {
				err = os.Chdir(folder)
			}
			if err != nil {
				leave()
			}
		}
		return leave, err
	}
	return nil, fmt.Errorf("%d other runs of make test go on: wait for one", trees)
}

// hold has a file until leave is called, or returns securefile.ErrLocked.
func hold(path string) (leave func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	held, err := securefile.TryLock(f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return func() { held.Close() }, nil
}

// mirror makes a folder have the files of this one that git has, or would add, and no others but what is built there.
func mirror(ctx context.Context, folder string) error {
	list, err := command{name: "git", args: []string{
		"ls-files", "-z", "--cached", "--others",
		"--exclude-standard",
	}}.output(ctx)
	if err != nil {
		return err
	}
	names := map[string]bool{}
	for _, name := range strings.FieldsFunc(list, func(r rune) bool { return r == 0 }) {
		info, err := os.Lstat(name)
		if err != nil || info.IsDir() {
			continue // it is deleted, and git has not heard of it
		}
		if err := mirrorFile(name, filepath.Join(folder, name), info.Mode()); err != nil {
			return err
		}
		names[name] = true
	}
	return prune(folder, names)
}

// mirrorFile makes one file as another is, and does not touch it if it is.
func mirrorFile(from, to string, mode fs.FileMode) error {
	if mode&fs.ModeSymlink != 0 {
		return mirrorLink(from, to)
	}
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if was, err := os.Lstat(to); err == nil && was.Mode() == mode {
		if there, err := os.ReadFile(to); err == nil && bytes.Equal(there, content) {
			return nil
		}
	}
	if err := makeRoom(to); err != nil {
		return err
	}
	return errors.Join(os.WriteFile(to, content, mode.Perm()), os.Chmod(to, mode.Perm()))
}

func mirrorLink(from, to string) error {
	leads, err := os.Readlink(from)
	if err != nil {
		return err
	}
	if there, err := os.Readlink(to); err == nil && there == leads {
		return nil
	}
	return errors.Join(makeRoom(to), os.Symlink(leads, to))
}

// makeRoom removes what is at a path, and makes the folder that it is to be in.
func makeRoom(path string) error {
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	return os.RemoveAll(path)
}

// makeFolder makes a folder, also where a file is in its place or in that of one around it.
func makeFolder(path string) error {
	info, err := os.Lstat(path)
	if err == nil && info.IsDir() {
		return nil
	}
	if err == nil {
		return errors.Join(os.Remove(path), os.Mkdir(path, 0o755))
	}
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	return os.Mkdir(path, 0o755)
}

// prune removes the files of a folder that have other names, and the folders that are left empty.
func prune(folder string, names map[string]bool) error {
	var folders []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(folder, path)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (name == "dist" || entry.Name() == "node_modules"):
			return fs.SkipDir
		case entry.IsDir():
			folders = append(folders, path)
		case !names[filepath.ToSlash(name)]:
			return os.Remove(path)
		}
		return nil
	})
	for i := len(folders) - 1; i > 0; i-- {
		if entries, _ := os.ReadDir(folders[i]); len(entries) == 0 {
			err = errors.Join(err, os.Remove(folders[i]))
		}
	}
	return err
}
