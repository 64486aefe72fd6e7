package simtest

import (
	"io"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
	"github.com/sabot-table/sabot/table/journal/disk"
)

// lifeDisk is the simulated disk as one life of the table sees it.
type lifeDisk struct {
	*disktest.Disk
	life *life
}

var _ disk.Disk = lifeDisk{}

// change is called before each operation that changes the disk.
func (d lifeDisk) change() { d.life.world.tick(Write) }

func (d lifeDisk) Create(name string) (disk.File, error) {
	d.change()
	f, err := d.Disk.Create(name)
	return d.file(f, err)
}

func (d lifeDisk) Open(name string) (disk.File, error) {
	f, err := d.Disk.Open(name)
	return d.file(f, err)
}

func (d lifeDisk) file(f disk.File, err error) (disk.File, error) {
	if err != nil {
		return nil, err
	}
	return lifeFile{f, d}, nil
}

func (d lifeDisk) Mkdir(name string) error {
	d.change()
	return d.Disk.Mkdir(name)
}

func (d lifeDisk) Rename(from, to string) error {
	d.change()
	return d.Disk.Rename(from, to)
}

func (d lifeDisk) Remove(name string) error {
	d.change()
	return d.Disk.Remove(name)
}

func (d lifeDisk) SyncFolder() error {
	d.change()
	return d.Disk.SyncFolder()
}

// lifeFile is an open file on it.
type lifeFile struct {
	disk.File
	on lifeDisk
}

var _ io.ReaderAt = lifeFile{}

func (f lifeFile) Append(p []byte) error {
	f.on.change()
	f.on.life.slow()
	return f.File.Append(p)
}

func (f lifeFile) Sync() error {
	f.on.change()
	f.on.life.slow()
	return f.File.Sync()
}
