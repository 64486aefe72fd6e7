package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Own lists the folders and files that are the journal's at path: its folder, its parts, and what was set aside with
// its parts; of each file it has what a look at it found, so that nobody need look again. A folder that holds other
// things and no part is no journal's, and has nothing of one; neither has what is no folder, or does not exist.
func Own(path string) (folders []string, files []Looked, err error) {
	real, err := filepath.EvalSymlinks(path)
	if leadsNowhere(path, err) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	path = real
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil, nil, err
	}
	return ownIn(path)
}

// Looked is a file with what a look at it found.
type Looked struct {
	Path string
	fs.FileInfo
}

func ownIn(folder string) (folders []string, files []Looked, err error) {
	entries, err := os.ReadDir(folder)
	folders = []string{folder}
	if errors.Is(err, fs.ErrPermission) {
		return folders, nil, nil // what is in it is seen once it can be read
	}
	if err != nil {
		return nil, nil, err
	}
	root, err := os.OpenRoot(folder) // a look from here takes half of what one by the whole path does
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	other := false
	for _, entry := range entries {
		name, path := entry.Name(), folder+string(filepath.Separator)+entry.Name()
		switch {
		case entry.Type().IsRegular() && (strings.HasPrefix(name, partBegin) || strings.HasPrefix(name, foreignBegin)):
			info, err := root.Lstat(name)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				continue // it was packed or moved just now
			case errors.Is(err, fs.ErrPermission):
				return folders, nil, nil // a folder that can be listed, and no more
			case err != nil:
				return nil, nil, err
			}
			files = append(files, Looked{path, info})
		case entry.IsDir() && strings.HasPrefix(name, setAsideBegin):
			aside, parts, err := ownIn(path)
			if err != nil {
				return nil, nil, err
			}
			folders, files = append(folders, aside...), append(files, parts...)
		case entry.IsDir() && strings.HasPrefix(name, partBegin):
			folders = append(folders, path) // somebody has put it in the place of a part, and it is set aside as one
		case name != "lost+found": // a file system's own
			other = true
		}
	}
	if other && !slices.ContainsFunc(files, func(f Looked) bool { return filepath.Dir(f.Path) == folder }) {
		return nil, nil, nil
	}
	return folders, files, nil
}
