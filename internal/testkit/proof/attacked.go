package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// attacked lists the packages below a folder that have attacks.
func attacked(root string) (packages []string, err error) {
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "dist" || entry.Name() == ".git"):
			return fs.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil && bytes.Contains(text, []byte("\nfunc TestAttack")) {
			packages = append(packages, "./"+filepath.ToSlash(filepath.Dir(path)))
		}
		return err
	})
	slices.Sort(packages)
	return slices.Compact(packages), err
}
