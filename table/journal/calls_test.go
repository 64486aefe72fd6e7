package disktest

import "github.com/sabot-table/sabot/table/journal/disk"

// Calls counts the operations of a disk that a Counted one hands on, and the bytes that were read.
type Calls struct {
	Of    map[Op]int
	Bytes int
}

// Counted is a disk whose operations are counted, from one goroutine.
func Counted(on disk.Disk) (disk.Disk, *Calls) {
	calls := &Calls{Of: map[Op]int{}}
	return counted{on, calls}, calls
}

// Since returns what was counted since the last time.
func (c *Calls) Since() Calls {
	counted := *c
	*c = Calls{Of: map[Op]int{}}
	return counted
}

type counted struct {
	disk.Disk
	calls *Calls
}

func (d counted) Open(name string) (disk.File, error) {
	d.calls.Of[Open]++
	f, err := d.Disk.Open(name)
	if err != nil {
		return nil, err
	}
	return countedFile{f, d.calls}, nil
}

func (d counted) Create(name string) (disk.File, error) {
	d.calls.Of[Create]++
	return d.Disk.Create(name)
}

func (d counted) Stat(name string) (disk.Info, error) {
	d.calls.Of[Stat]++
	return d.Disk.Stat(name)
}

func (d counted) List() ([]string, error) {
	d.calls.Of[List]++
	return d.Disk.List()
}

func (d counted) Changed() (int64, error) {
	d.calls.Of[Changed]++
	return d.Disk.Changed()
}

type countedFile struct {
	disk.File
	calls *Calls
}

func (f countedFile) ReadAt(p []byte, at int64) (int, error) {
	n, err := f.File.ReadAt(p, at)
	f.calls.Of[ReadAt]++
	f.calls.Bytes += n
	return n, err
}

func (f countedFile) Stat() (disk.Info, error) {
	f.calls.Of[Stat]++
	return f.File.Stat()
}
