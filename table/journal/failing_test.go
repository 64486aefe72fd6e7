package journal

import (
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/sabot-table/sabot/table/journal/disk"
)

// failing is a real folder in which one sync fails on request.
type failing struct {
	disk.Disk
	fail atomic.Bool
}

func folderDisk(t testing.TB, path string) disk.Disk {
	t.Helper()
	must(t, makeFolder(path))
	return disk.Folder(path)
}

func (d *failing) Create(name string) (disk.File, error) {
	f, err := d.Disk.Create(name)
	if err != nil {
		return nil, err
	}
	return &failingFile{f, d}, nil
}

type failingFile struct {
	disk.File
	disk *failing
}

func (f *failingFile) Sync() error {
	if f.disk.fail.CompareAndSwap(true, false) {
		return syscall.EIO
	}
	return f.File.Sync()
}
