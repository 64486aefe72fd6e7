package journal

import (
	"github.com/sabot-table/sabot/internal/testkit/disktest"
	"github.com/sabot-table/sabot/table/journal/disk"
)

// DiskCalls counts the operations of a disk that a counted one hands on, and the bytes that were read.
type DiskCalls struct {
	Of    map[disktest.Op]int
	Bytes int
}

// CountedDisk is a disk whose operations are counted, from one goroutine.
func CountedDisk(on disk.Disk) (disk.Disk, *DiskCalls) {
	calls := &DiskCalls{Of: map[disktest.Op]int{}}
	return counted{on, calls}, calls
}

// Since returns what was counted since the last time.
func (c *DiskCalls) Since() DiskCalls {
	counted := *c
	*c = DiskCalls{Of: map[disktest.Op]int{}}
	return counted
}

type counted struct {
	disk.Disk
	calls *DiskCalls
}

func (d counted) Open(name string) (disk.File, error) {
	d.calls.Of[disktest.Open]++
	f, err := d.Disk.Open(name)
	if err != nil {
		return nil, err
	}
	return countedFile{f, d.calls}, nil
}

func (d counted) Create(name string) (disk.File, error) {
	d.calls.Of[disktest.Create]++
	return d.Disk.Create(name)
}

func (d counted) Stat(name string) (disk.Info, error) {
	d.calls.Of[disktest.Stat]++
	return d.Disk.Stat(name)
}

func (d counted) List() ([]string, error) {
	d.calls.Of[disktest.List]++
	return d.Disk.List()
}

func (d counted) Changed() (int64, error) {
	d.calls.Of[disktest.Changed]++
	return d.Disk.Changed()
}

type countedFile struct {
	disk.File
	calls *DiskCalls
}

func (f countedFile) ReadAt(p []byte, at int64) (int, error) {
	n, err := f.File.ReadAt(p, at)
	f.calls.Of[disktest.ReadAt]++
	f.calls.Bytes += n
	return n, err
}

func (f countedFile) Stat() (disk.Info, error) {
	f.calls.Of[disktest.Stat]++
	return f.File.Stat()
}
