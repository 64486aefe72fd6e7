package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sabot-table/sabot/table/journal/disk"
)

// Target is where backups go: a folder of this machine, such as one on a stick, or one on another machine, as
// user@host:folder.
type Target struct {
	// Name is the folder, or user@host:folder.
	Name string
	// SSHKey and KnownHosts are files for ssh, "" for those of the user.
	SSHKey, KnownHosts string
	// SameDisk allows a folder on the disk of the journal.
	SameDisk bool

	// memory takes the place of inMemory; nil on a real table.
	memory func(path string) (string, error)
}

// at is an open target.
type at struct {
	disk.Disk
	name   string
	within func(name string) disk.Disk
	close  func() error
}

func (t Target) open(ctx context.Context) (*at, error) {
	if host, folder, ok := splitRemote(t.Name); ok {
		r, err := ssh{t.SSHKey, t.KnownHosts}.dial(ctx, host, folder)
		if err != nil {
			return nil, err
		}
		return &at{r, t.Name, func(name string) disk.Disk { return r.within(name) }, r.stop}, nil
	}
	info, err := os.Stat(t.Name)
	if err != nil {
		return nil, fmt.Errorf("%w: name a folder that exists, or a machine as user@host:folder; is the stick mounted?",
			err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s is not a folder", t.Name)
	}
	in := func(name string) disk.Disk { return disk.Folder(filepath.Join(t.Name, name)) }
	return &at{disk.Folder(t.Name), t.Name, in, func() error { return nil }}, nil
}

// Make opens the place of a table, and makes its folder if there is none. journal is the folder of the table's journal.
// Close what is returned.
func (t Target) Make(ctx context.Context, site, table, journal string) (p *Place, closing func() error, err error) {
	a, err := t.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := t.elsewhere(journal); err != nil {
		return nil, nil, errors.Join(err, a.close())
	}
	name := Folder(site, table)
	if err := a.Mkdir(name); err != nil {
		if info, wrong := a.Stat(name); wrong != nil || !info.Folder {
			return nil, nil, errors.Join(fmt.Errorf("the folder for the table could not be made: %w", err), a.close())
		}
	}
	if err := a.SyncFolder(); err != nil {
		return nil, nil, errors.Join(err, a.close())
	}
	return &Place{Disk: a.within(name), Name: a.name + "/" + name}, a.close, nil
}

// elsewhere refuses a folder that is lost with the journal, or before it: one on the journal's disk, and one in memory,
// as the folder of a stick that is not mounted may be.
func (t Target) elsewhere(journal string) error {
	if _, _, far := splitRemote(t.Name); far {
		return nil
	}
	memory := t.memory
	if memory == nil {
		memory = inMemory
	}
	kind, err := memory(t.Name)
	if err != nil {
		return err
	}
	same, err := sameDevice(t.Name, journal)
	switch {
	case err != nil:
		return err
	case same && !t.SameDisk:
		return fmt.Errorf("%s is on the disk that the journal is on, and would be lost with it: mount the stick "+
			"first, or say --same-disk if something else copies the folder away", t.Name)
	case !same && kind != "":
		return fmt.Errorf("%s is in memory (%s), and would be gone with the power: mount the stick first, or name a "+
			"folder on a disk", t.Name, kind)
	}
	return nil
}

// Find opens the place of a table for reading: the folder itself, or the only one in it. Close what is returned.
func (t Target) Find(ctx context.Context) (p *Place, closing func() error, err error) {
	a, err := t.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	name, err := a.table()
	if err != nil {
		return nil, nil, errors.Join(err, a.close())
	}
	if name == "" {
		return &Place{Disk: a.Disk, Name: a.name}, a.close, nil
	}
	return &Place{Disk: a.within(name), Name: a.name + "/" + name}, a.close, nil
}

// table is the folder's only table, "" if it is that of a table itself.
func (a *at) table() (string, error) {
	names, err := a.List()
	if err != nil {
		return "", err
	}
	var tables []string
	for _, name := range names {
		if _, ok := numberOf(name); ok {
			return "", nil
		}
		if info, err := a.Stat(name); err == nil && info.Folder && strings.HasPrefix(name, folderBegin) {
			tables = append(tables, name)
		}
	}
	switch len(tables) {
	case 0:
		return "", fmt.Errorf("%s: %w: it has no backup of a table", a.name, fs.ErrNotExist)
	case 1:
		return tables[0], nil
	}
	return "", fmt.Errorf("%s has backups of %d tables: name one of %s in it", a.name, len(tables),
		strings.Join(tables, ", "))
}
