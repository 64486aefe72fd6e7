package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// programFolders are how many folders with programs are kept, the last ones used: a test may still run from them.
const programFolders = 4

// programs builds the commands of the project into a folder that is named after what is in it, and returns its path:
// the same in every clone, so that go test's cached results hold there, too.
func programs(ctx context.Context, out io.Writer) (string, error) {
	caches, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	all := filepath.Join(caches, "sabot", "programs")
	if err := os.MkdirAll(all, 0o755); err != nil {
		return "", err
	}
	fresh, err := os.MkdirTemp(all, "new-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(fresh)
	build := command{name: "go", args: []string{"build", "-o", fresh + "/", "./cmd/..."}, env: landingEnv}
	if err := build.run(ctx, out); err != nil {
		return "", fmt.Errorf("building the programs: %w", err)
	}
	name, err := contentOf(fresh)
	if err != nil {
		return "", err
	}
	folder := filepath.Join(all, name)
	if err := os.Rename(fresh, folder); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return folder, errors.Join(os.Chmod(folder, 0o755), os.Chtimes(folder, time.Time{}, time.Now()), forget(all))
}

// contentOf is a name made of what is in a folder.
func contentOf(folder string) (string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, entry := range entries {
		f, err := os.Open(filepath.Join(folder, entry.Name()))
		if err != nil {
			return "", err
		}
		fmt.Fprintln(sum, entry.Name())
		_, err = io.Copy(sum, f)
		if err := errors.Join(err, f.Close()); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:12]), nil
}

// forget removes all but the last folders with programs.
func forget(all string) error {
	entries, err := os.ReadDir(all)
	if err != nil {
		return err
	}
	used := func(entry fs.DirEntry) int64 {
		info, err := entry.Info()
		if err != nil {
			return 0
		}
		return info.ModTime().UnixNano()
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return int(max(-1, min(1, used(b)-used(a)))) })
	for i, entry := range entries {
		if i >= programFolders {
			err = errors.Join(err, os.RemoveAll(filepath.Join(all, entry.Name())))
		}
	}
	return err
}
