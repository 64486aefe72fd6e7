package disktest

import (
	"cmp"
	"io/fs"
	"math"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/sabot-table/sabot/table/journal/disk"
)

// Disk is a simulated folder. It may be used by several goroutines; if only one uses it,
// the same seed gives the same disk.
type Disk struct {
	mu    sync.Mutex
	dice  *rand.Rand
	clock *Clock

	files []file
	// live are the names that there are, durable those after a power cut that keeps none
	// of pending.
	live, durable names
	pending       []change
	// changed counts changes to names.
	changed int64

	// count is the number of the last operation.
	count        int
	plan         []Fault
	space        int64
	thin         bool
	readOnlyFrom int
	crashAt      int
	crashPart    Part
	watch        func(*Moment)

	lives int
	log   []line
}

// file is a file or a folder, whatever its names.
type file struct {
	content
	inode   uint64
	folder  bool
	written int64
	// handles counts the open handles of the file.
	handles int
}

var _ disk.Disk = (*Disk)(nil)

// New returns an empty folder. Random events are the same for the same seed.
func New(seed uint64) *Disk {
	return &Disk{
		dice:  newDice(seed),
		clock: NewClock(time.Unix(1_760_000_000, 0)),
		space: -1, lives: 1,
	}
}

func newDice(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x5361626f74)) }

// Clock is the clock that slow operations advance.
func (d *Disk) Clock() *Clock { return d.clock }

// deed is one operation.
type deed struct {
	op       Op
	name, to string
	// at and data are what an Append writes, size is what a read requests.
	at   int
	data []byte
	size int
	file int
	// whole does all of it.
	whole func() error
	// part does what remains of it when it fails as f says. Without part it is done or not
	// done.
	part func(f Fault)
}

// do does an operation, or the part that a fault leaves.
func (d *Disk) do(a deed) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.count++
	if d.watch != nil && a.op.Changes() {
		d.watch(&Moment{Number: d.count, Op: a.op, Name: a.name, disk: d, deed: &a})
	}
	f := d.verdict(a.op, a.name)
	err := f.Err
	switch {
	case err == nil || f.Part == Whole:
		if e := a.whole(); e != nil {
			err = e
		}
	case a.part != nil:
		a.part(f)
	case f.Part == Half && d.dice.IntN(2) == 0:
		_ = a.whole() // the fault's error is reported instead
	}
	d.note(&a, f, err)
	return wrapped(&a, err)
}

// wrapped makes an error a file system's. Errors of os and io stay as they are.
func wrapped(a *deed, err error) error {
	if _, number := err.(syscall.Errno); !number && err != ErrKilled {
		return err
	}
	return &fs.PathError{Op: a.op.String(), Path: a.name, Err: err}
}

// Create makes a new file for writing.
func (d *Disk) Create(name string) (disk.File, error) {
	var h *handle
	err := d.do(deed{op: Create, name: name, whole: func() error {
		if err := d.vacant(name); err != nil {
			return err
		}
		h = d.handle(name, d.add(name, file{}), true)
		return nil
	}})
	return opened(h, err)
}

// Open opens a file for reading.
func (d *Disk) Open(name string) (disk.File, error) {
	var h *handle
	err := d.do(deed{op: Open, name: name, whole: func() error {
		i, err := d.lookUp(name)
		if err == nil {
			h = d.handle(name, i, false)
		}
		return err
	}})
	return opened(h, err)
}

// opened prevents a nil *handle from becoming a non-nil File. A file that was made although
// Create failed has no handle.
func opened(h *handle, err error) (disk.File, error) {
	if err != nil {
		return nil, err
	}
	return h, nil
}

// add adds a file with a name.
func (d *Disk) add(name string, f file) int {
	f.inode, f.written = d.freeInode(), d.time()
	d.files = append(d.files, f)
	d.change(change{to: name, file: len(d.files) - 1})
	return len(d.files) - 1
}

// time is when the operation happens; no two happen at the same time.
func (d *Disk) time() int64 { return d.clock.Now().UnixNano() + int64(d.count) }

// freeInode is the lowest number that no file has that exists, or may exist again after a
// power cut.
func (d *Disk) freeInode() uint64 {
	number := uint64(12)
	for slices.ContainsFunc(d.files, func(f file) bool { return f.inode == number }) {
		if i := d.byInode(number); !d.kept(i) {
			d.files[i].inode = 0
			break
		}
		number++
	}
	return number
}

func (d *Disk) byInode(number uint64) int {
	return slices.IndexFunc(d.files, func(f file) bool { return f.inode == number })
}

func (d *Disk) kept(i int) bool {
	return d.files[i].handles > 0 || d.live.count(i) > 0 || d.durable.count(i) > 0 ||
		slices.ContainsFunc(d.pending, func(c change) bool { return c.file == i })
}

// change changes names, not durably.
func (d *Disk) change(c change) {
	c.apply(&d.live)
	d.pending = append(d.pending, c)
	d.changed++
}

// vacant is nil if a file can be made with a name.
func (d *Disk) vacant(name string) error {
	if err := d.inFolder(name); err != nil {
		return err
	}
	if d.live.find(name) >= 0 {
		return syscall.EEXIST
	}
	return nil
}

// inFolder is nil if the folder of a name exists.
func (d *Disk) inFolder(name string) error {
	folder := path.Dir(name)
	if folder == "." {
		return nil
	}
	i, err := d.lookUp(folder)
	if err == nil && !d.files[i].folder {
		err = syscall.ENOTDIR
	}
	return err
}

func (d *Disk) lookUp(name string) (int, error) {
	if err := d.inFolder(name); err != nil {
		return -1, err
	}
	if i := d.live.find(name); i >= 0 {
		return i, nil
	}
	return -1, syscall.ENOENT
}

// Stat describes the file with that name; the folder itself has the empty name.
func (d *Disk) Stat(name string) (disk.Info, error) {
	var info disk.Info
	err := d.do(deed{op: Stat, name: name, whole: func() error {
		if name == "" {
			info = disk.Info{Device: 1, Inode: 2, Links: 2, Written: d.changed, Folder: true}
			return nil
		}
		i, err := d.lookUp(name)
		if err == nil {
			info = d.info(i)
		}
		return err
	}})
	return info, err
}

func (d *Disk) info(i int) disk.Info {
	f := &d.files[i]
	links := d.live.count(i)
	if f.folder && links > 0 {
		links += 1 + len(slices.DeleteFunc(d.live.below(d.nameOf(i)), func(e entry) bool {
			return !d.files[e.file].folder
		}))
	}
	return disk.Info{
		Size: int64(len(f.cache)), Device: 1, Inode: f.inode, Links: uint64(links),
		Written: f.written, Folder: f.folder,
	}
}

func (d *Disk) nameOf(i int) string {
	for _, e := range d.live {
		if e.file == i {
			return e.name
		}
	}
	return ""
}

// List names the files and folders, sorted.
func (d *Disk) List() ([]string, error) {
	list := []string{}
	err := d.do(deed{op: List, whole: func() error {
		for _, e := range d.live {
			if !strings.Contains(e.name, "/") {
				list = append(list, e.name)
			}
		}
		return nil
	}})
	return list, err
}

// Names names the files in a folder of the folder, sorted.
func (d *Disk) Names(folder string) ([]string, error) {
	list := []string{}
	err := d.do(deed{op: List, name: folder, whole: func() error {
		if _, err := d.lookUp(folder); err != nil {
			return err
		}
		for _, e := range d.live.below(folder) {
			list = append(list, strings.TrimPrefix(e.name, folder+"/"))
		}
		return nil
	}})
	return list, err
}

// Mkdir makes a folder in the folder.
func (d *Disk) Mkdir(name string) error {
	return d.do(deed{op: Mkdir, name: name, whole: func() error {
		err := d.vacant(name)
		if err == nil {
			d.add(name, file{folder: true})
		}
		return err
	}})
}

// Rename gives a file another name, and replaces a file that had it.
func (d *Disk) Rename(from, to string) error {
	return d.do(deed{op: Rename, name: from, to: to, whole: func() error { return d.rename(from, to) }})
}

func (d *Disk) rename(from, to string) error {
	if err := cmp.Or(d.inFolder(from), d.inFolder(to)); err != nil {
		return err
	}
	i, err := d.lookUp(from)
	if err != nil {
		return err
	}
	old := d.live.find(to)
	switch {
	case old >= 0 && d.files[old].folder:
		return syscall.EEXIST
	case d.files[i].folder && strings.HasPrefix(to, from+"/"):
		return syscall.EINVAL
	case old >= 0 && d.files[i].folder:
		return syscall.ENOTDIR
	case old == i:
		return nil // two names of one file: both stay
	}
	d.change(change{from: from, to: to, file: i})
	return nil
}

// Remove removes a file, or an empty folder.
func (d *Disk) Remove(name string) error {
	return d.do(deed{op: Remove, name: name, whole: func() error {
		i, err := d.lookUp(name)
		if err != nil {
			return err
		}
		if d.files[i].folder && len(d.live.below(name)) > 0 {
			return syscall.ENOTEMPTY
		}
		d.change(change{from: name, file: i})
		return nil
	}})
}

// SyncFolder makes the names in the folder durable.
func (d *Disk) SyncFolder() error {
	return d.do(deed{op: SyncFolder, whole: func() error {
		d.pending = settle(&d.durable, d.pending, func(c change) bool { return c.inRoot() && !c.lost })
		return nil
	}, part: d.loseNames})
}

// loseNames is a SyncFolder that fails.
func (d *Disk) loseNames(f Fault) {
	for i := range d.pending {
		d.pending[i].lost = d.pending[i].lost || f.Lost
	}
}

// Changed returns a different value after names were added or removed.
func (d *Disk) Changed() (int64, error) {
	var value int64
	err := d.do(deed{op: Changed, whole: func() error {
		value = d.changed
		return nil
	}})
	return value, err
}

// Free is how many bytes can still be written according to the file system.
func (d *Disk) Free() (uint64, error) {
	var free uint64
	err := d.do(deed{op: Free, whole: func() error {
		free = uint64(d.room())
		return nil
	}})
	return free, err
}

// plenty is the room on a disk without a limit.
const plenty = math.MaxInt32

// room is how many bytes an Append can write.
func (d *Disk) room() int {
	if d.space < 0 || d.thin {
		return plenty
	}
	used := 0
	for i := range d.files {
		if d.files[i].handles > 0 || d.live.count(i) > 0 {
			used += len(d.files[i].cache)
		}
	}
	return max(0, int(d.space)-used)
}

// thinRoom reports whether the device has room for all of a file.
func (d *Disk) thinRoom(file int) bool {
	if d.space < 0 || !d.thin {
		return true
	}
	used := len(d.files[file].cache)
	for i := range d.files {
		if i != file && (d.files[i].handles > 0 || d.live.count(i) > 0) {
			used += len(d.files[i].device)
		}
	}
	return used <= int(d.space)
}
