package backup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// others are files and folders beside a table's own that something else reads: who may open the table's backups, the
// pit, and requests for updates.
var others = []string{"backup.recipients", "pit.yaml", "pit.db", "update"}

// outside refuses to write anywhere but into the table's own folders, and there what other programs or other parts of
// the table read: a backup's configuration says where its files go, and says what whoever has made the backup wants.
func (r *restore) outside() error {
	var wrong []error
	refuse := func(role, path string, err error) {
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %s %w", role, path, err))
		}
	}
	refuse("journal.path", r.done.Folder, r.within(r.done.Folder))
	named := map[string]string{}
	for _, n := range r.config.Files() {
		_, brought := r.texts[n.Role]
		if !brought {
			refuse(n.Role, n.Path, r.foreign(n.Path))
			continue
		}
		refuse(n.Role, n.Path, errors.Join(r.within(n.Path), r.taken(n.Path)))
		if other, twice := named[n.Path]; twice {
			refuse(n.Role, n.Path, fmt.Errorf("is the file of %s, too", other))
		}
		named[n.Path] = n.Role
	}
	return errors.Join(wrong...)
}

// folders are those that are the table's own.
func (r *restore) folders() []string { return append([]string{filepath.Dir(r.File)}, r.Folders...) }

// within refuses a path that is not inside one of the table's own folders, itself or by a link.
func (r *restore) within(path string) error {
	for _, folder := range r.folders() {
		folder, err := filepath.Abs(folder)
		if err != nil {
			return err
		}
		rest, inside := strings.CutPrefix(path, folder+"/")
		if !inside || rest == "" || filepath.Clean(path) != path {
			continue
		}
		hidden := func(name string) bool { return strings.HasPrefix(name, ".") }
		if slices.ContainsFunc(strings.Split(rest, "/"), hidden) {
			continue
		}
		return straight(folder, filepath.Dir(path))
	}
	return fmt.Errorf("is not in a folder of the table (%s): if it is one, name it with --folder",
		strings.Join(r.folders(), ", "))
}

// straight refuses a folder that a link below another one leads elsewhere. One that is not there is missed by whoever
// looks what is in the way.
func straight(from, to string) error {
	real, err := filepath.EvalSymlinks(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	rest, err := filepath.Rel(from, to)
	if err != nil {
		return err
	}
	led, err := filepath.EvalSymlinks(to)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case led != filepath.Join(real, rest):
		return fmt.Errorf("is led to %s by a link: name the folder itself with --folder", led)
	}
	return nil
}

// taken refuses a file in the place of another one that the table or another program reads.
func (r *restore) taken(path string) error {
	is := errors.New("is the place of something else that is read there")
	if path == r.File || strings.HasPrefix(path, r.File+".") || path == r.done.Folder ||
		strings.HasPrefix(path, r.done.Folder+"/") || path == r.done.Folder+restoringEnd {
		return is
	}
	for _, beside := range r.config.Journal.KeepsBeside() {
		if path == beside.Path {
			return is
		}
	}
	for _, folder := range r.folders() {
		for _, name := range others {
			if other := filepath.Join(folder, name); path == other || strings.HasPrefix(path, other+"/") {
				return is
			}
		}
	}
	return nil
}

// foreign refuses that a backup which anybody may have made names a file of this computer that it does not bring: it
// would be used as its configuration wants, and a secret told to whom that names.
func (r *restore) foreign(path string) error {
	if r.Key != nil {
		return nil
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return errors.New("is not in the backup and is here already: move it away, or give --key")
}
