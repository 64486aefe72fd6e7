//go:build ext4

package journal_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/journal"
)

// These tests use a real ext4 on a loop device, whose file lies in memory. They need root:
// `make disk-test` runs them.

// runs is how often each test cuts the power.
const runs = 20

const volumeSize = 32 << 20

// mostRefused is how often a dealer is refused at most: more often, and it is for good.
const mostRefused = 1000

// volume is an ext4 of its own.
type volume struct {
	t *testing.T
	// memory is where the volume's file lies, which can be full; device is the file as a
	// disk, and mount is where the volume is mounted.
	memory, image, device, mount string
}

func newVolume(t *testing.T) *volume {
	t.Helper()
	if os.Getuid() != 0 {
		t.Fatal("this test mounts file systems: run it as root")
	}
	for _, tool := range []string{"mkfs.ext4", "losetup", "mount", "umount", "fstrim"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("%v: install e2fsprogs, mount and util-linux", err)
		}
	}
	dir := t.TempDir()
	v := &volume{t: t, memory: filepath.Join(dir, "memory"), mount: filepath.Join(dir, "mount")}
	v.image = filepath.Join(v.memory, "image")
	for _, folder := range []string{v.memory, v.mount} {
		must(t, os.Mkdir(folder, 0o700))
	}
	v.run("mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", v.memory)
	t.Cleanup(func() { v.run("umount", v.memory) })
	must(t, os.WriteFile(v.image, make([]byte, volumeSize), 0o600))
	v.run("mkfs.ext4", "-q", "-b", "4096", "-m", "0", "-J", "size=4", "-E",
		"nodiscard,lazy_itable_init=0,lazy_journal_init=0", v.image)
	v.allocate()
	v.attach()
	v.plug()
	t.Cleanup(func() { v.run("umount", v.mount) })
	v.run("fstrim", v.mount) // what is free has no room in memory yet: the volume is thin
	return v
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (v *volume) run(name string, args ...string) string {
	v.t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		v.t.Fatalf("%s %s: %v: %s", name, strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// allocate gives all of the volume memory: mkfs leaves holes for what is zero, and the file
// system's own log must have room when the files have none.
func (v *volume) allocate() {
	v.t.Helper()
	f, err := os.OpenFile(v.image, os.O_RDWR, 0)
	must(v.t, err)
	must(v.t, unix.Fallocate(int(f.Fd()), 0, 0, volumeSize))
	must(v.t, f.Close())
}

// attach makes a disk of the file, which takes one page at a time: of a larger write for
// which there is room in part, the loop device says that all of it was written.
func (v *volume) attach() {
	v.t.Helper()
	v.device = v.run("losetup", "--find", "--show", v.image)
	v.t.Cleanup(func() { v.run("losetup", "--detach", v.device) })
	limit := filepath.Join("/sys/block", filepath.Base(v.device), "queue", "max_sectors_kb")
	must(v.t, os.WriteFile(limit, []byte("4"), 0o600))
}

func (v *volume) plug() { v.run("mount", v.device, v.mount) }

// cut cuts the power while the process deals, and says what was acknowledged before. What
// it says after that does not count: a sync that is under way while the file system is shut
// down succeeds, although nothing is written any more.
func (d *dealer) cut(v *volume) (acknowledged uint64) {
	d.t.Helper()
	acknowledged = d.acknowledged
	v.shutDown()
	d.kill()
	v.run("umount", v.mount)
	v.plug()
	return acknowledged
}

// shutDown is a power cut: from one moment on nothing is written.
func (v *volume) shutDown() {
	v.t.Helper()
	f, err := os.Open(v.mount)
	must(v.t, err)
	const shutDown, noFlush = 0x8004587d, 2 // EXT4_IOC_SHUTDOWN
	must(v.t, unix.IoctlSetPointerInt(int(f.Fd()), shutDown, noFlush))
	must(v.t, f.Close())
}

func (v *volume) path() string { return filepath.Join(v.mount, "journal") }

// fill takes all the memory that is left.
func (v *volume) fill() {
	v.t.Helper()
	f, err := os.Create(filepath.Join(v.memory, "ballast"))
	must(v.t, err)
	defer f.Close()
	for size := 1 << 20; size >= 4096; {
		if _, err := f.Write(make([]byte, size)); err != nil {
			size /= 2
		}
	}
}

func (v *volume) empty() {
	v.t.Helper()
	must(v.t, os.Remove(filepath.Join(v.memory, "ballast")))
}

const dealerVariable = "SABOT_JOURNAL_DEALER"

// TestExt4Dealer is no test but the process that deals, when it is started as one: it
// appends numbered cards to a journal, and prints what was acknowledged, and refused.
func TestExt4Dealer(t *testing.T) {
	path := os.Getenv(dealerVariable)
	if path == "" {
		return
	}
	j, err := journal.Open(path, journal.Options{Program: "dealer", PartMost: 64 << 10})
	must(t, err)
	for {
		seq, _ := j.Next()
		batch := numbered(seq)
		err := j.Append(batch)
		for ; err != nil; err = j.Append(batch) {
			fmt.Println("refused", err)
			// as a table does that tries again: the volume is full, and others have to make room
			time.Sleep(50 * time.Millisecond)
		}
		fmt.Println("acknowledged", seq+uint64(len(batch))-1)
	}
}

// numbered makes one to three cards, each with the number that its record must get.
func numbered(seq uint64) []journal.Entry {
	entries := make([]journal.Entry, 1+seq%3)
	for i := range entries {
		n := seq + uint64(i)
		entries[i] = journal.Entry{
			At: int64(n), Round: n/20 + 1, ShoeBoot: 1, ShoeSeq: uint32(n),
			Input: fmt.Appendf(nil, `{"in":"card","number":%d}`, n),
			Outputs: fmt.Appendf(nil, `{"out":"dealt","number":%d,"padding":"%s"}`+"\n",
				n, strings.Repeat("x", int(n%1500))),
		}
		if n%20 == 19 {
			entries[i].Carry = []byte(`{"round":"over"}`)
		}
	}
	return entries
}

// dealer is a process that deals.
type dealer struct {
	t                    *testing.T
	cmd                  *exec.Cmd
	out                  *bufio.Scanner
	acknowledged         uint64
	refused, acksCounted int
}

func deal(t *testing.T, path string) *dealer {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run", "^TestExt4Dealer$")
	cmd.Env = append(os.Environ(), dealerVariable+"="+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	d := &dealer{t: t, cmd: cmd, out: bufio.NewScanner(out)}
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			d.kill()
		}
	})
	return d
}

// until reads what the process says until it is so.
func (d *dealer) until(so func() bool) {
	d.t.Helper()
	for !so() {
		if !d.out.Scan() {
			d.t.Fatalf("the dealer has ended: %v", d.cmd.Wait())
		}
		d.hear(d.out.Text())
	}
}

func (d *dealer) hear(line string) {
	d.t.Helper()
	switch kind, rest, _ := strings.Cut(line, " "); kind {
	case "acknowledged":
		n, err := strconv.ParseUint(rest, 10, 64)
		must(d.t, err)
		d.acknowledged = n
		d.acksCounted++
	case "refused":
		if d.refused++; d.refused > mostRefused {
			d.t.Fatalf("the journal refuses for good: %s", rest)
		}
	case "beginning", "naming", "sync", "write": // an error of several lines
	default:
		d.t.Logf("the dealer says: %s", line)
	}
}

// more waits for so many acknowledgements.
func (d *dealer) more(count int) {
	d.t.Helper()
	count += d.acksCounted
	d.until(func() bool { return d.acksCounted >= count })
}

// kill ends the process at once, and hears what it had still said.
func (d *dealer) kill() {
	d.t.Helper()
	must(d.t, d.cmd.Process.Kill())
	for d.out.Scan() {
		d.hear(d.out.Text())
	}
	_ = d.cmd.Wait() // says that it was killed
}

// compare opens the journal: all that was acknowledged is there, once and in order, and
// nothing is said to be wrong. It gives how many records there are.
func (v *volume) compare(acknowledged uint64) uint64 {
	v.t.Helper()
	j, err := journal.Open(v.path(), journal.Options{Program: "test"})
	must(v.t, err)
	defer func() { must(v.t, j.Close()) }()
	if o := j.Opening(); o.New || o.Former != nil || o.Behind != "" {
		v.t.Errorf("the start tells of %+v", o)
	}
	must(v.t, j.Verify(v.t.Context(), nil))
	count := uint64(0)
	for rec, err := range j.Records(1) {
		must(v.t, err)
		count++
		if want := fmt.Sprintf(`{"in":"card","number":%d}`, count); string(rec.Input) != want || rec.Seq != count {
			v.t.Fatalf("record %d is %s, want %s", rec.Seq, rec.Input, want)
		}
	}
	if count < acknowledged {
		v.t.Errorf("%d of %d acknowledged records are lost", acknowledged-count, acknowledged)
	}
	return count
}

// TestExt4Full: the memory beneath a thin volume is full for a while, so that the file
// system learns of it only when it writes back what it has taken; then there is room
// again, dealing goes on, and the power is cut. Nothing that was acknowledged is lost.
func TestExt4Full(t *testing.T) {
	dice := rand.New(rand.NewPCG(tier.SeedOf(t), 0))
	for n := range runs {
		t.Run(fmt.Sprint(n+1), func(t *testing.T) {
			v := newVolume(t)
			d := deal(t, v.path())
			d.more(20 + dice.IntN(50))
			v.fill()
			// A journal that trusts a second sync goes on as if nothing was.
			most := d.acksCounted + 100
			d.until(func() bool { return d.refused >= 10 || d.acksCounted >= most })
			v.empty()
			d.more(1 + dice.IntN(20))
			acknowledged := d.cut(v)
			t.Logf("%d refused, %d acknowledged, %d found", d.refused, acknowledged, v.compare(acknowledged))
		})
	}
}

// TestExt4Cuts kills the process that deals, or cuts the power, again and again on one
// journal.
func TestExt4Cuts(t *testing.T) {
	v := newVolume(t)
	dice := rand.New(rand.NewPCG(tier.SeedOf(t), 0))
	for n := range 2 * runs {
		d := deal(t, v.path())
		d.more(1 + dice.IntN(100))
		if n%2 == 0 {
			v.compare(d.cut(v))
			continue
		}
		d.kill()
		v.compare(d.acknowledged)
	}
}
