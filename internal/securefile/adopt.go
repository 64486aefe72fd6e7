package securefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Adopt gives a new file the owner, the group and the permissions of the one whose place it will take; what is nil
// gives it the permissions of a first one. Who is not root keeps their own name; without the group its permissions go,
// too, so that nobody reads the new file who could not read the old one. Anything but a file of one name is refused: in
// a folder that others write to it may not be the one that was made.
func Adopt(path string, was fs.FileInfo, first fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return err
	}
	return errors.Join(adopt(f, was, first), f.Close())
}

func adopt(f *os.File, was fs.FileInfo, mode fs.FileMode) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || namesOf(info) > 1 {
		return fmt.Errorf("%s is not the file that was made: somebody has replaced it", f.Name())
	}
	if was != nil {
		mode = was.Mode().Perm()
		if owner, group, known := ownerOf(was); known {
			if Own().ID != root {
				owner = -1
			}
			if f.Chown(owner, group) != nil {
				mode &^= 0o070
			}
		}
	}
	return f.Chmod(mode)
}
