package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Own lists the folders and files that are the journal's at path: its folder, its parts, and what was set aside with its
// parts. A folder that holds other things and no part is no journal's, and has nothing of one; neither has what is no
// folder, or does not exist.
func Own(path string) (folders, files []string, err error) {
	path, err = filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil, nil, err
	}
	return ownIn(path)
}

func ownIn(folder string) (folders, files []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, nil, err
	}
	folders = []string{folder}
	other := false
	for _, entry := range entries {
		name, path := entry.Name(), filepath.Join(folder, entry.Name())
		switch {
		case entry.Type().IsRegular() && (strings.HasPrefix(name, partBegin) || strings.HasPrefix(name, foreignBegin)):
			files = append(files, path)
		case entry.IsDir() && strings.HasPrefix(name, setAsideBegin):
			aside, parts, err := ownIn(path)
			if err != nil {
				return nil, nil, err
			}
			folders, files = append(folders, aside...), append(files, parts...)
		case name != "lost+found": // a file system's own
			other = true
		}
	}
	if other && !slices.ContainsFunc(files, func(f string) bool { return filepath.Dir(f) == folder }) {
		return nil, nil, nil
	}
	return folders, files, nil
}
