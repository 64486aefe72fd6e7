package disktest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/table/journal/disk"
)

// player does the same with a disk as another player does with another disk, and says
// what came of it.
type player struct {
	disk.Disk
	open []disk.File
	said strings.Builder
}

// steps are what a player can do. Each number chooses a name, an open file or a length.
var steps = []func(p *player, a, b int){
	func(p *player, a, _ int) { p.opened(p.Create(name(a))) },
	func(p *player, a, _ int) { p.opened(p.Open(name(a))) },
	func(p *player, a, _ int) { p.say("mkdir %s: %s", name(a), kind(p.Mkdir(name(a)))) },
	func(p *player, a, b int) {
		p.say("rename %s %s: %s", name(a), name(b), kind(p.Rename(name(a), name(b))))
	},
	func(p *player, a, _ int) { p.say("remove %s: %s", name(a), kind(p.Remove(name(a)))) },
	func(p *player, _, _ int) { p.say("sync folder: %s", kind(p.SyncFolder())) },
	func(p *player, _, _ int) {
		names, err := p.List()
		p.say("list %q: %s", names, kind(err))
	},
	func(p *player, a, _ int) { p.info(p.Stat(name(a))) },
	func(p *player, a, b int) {
		p.file(a, func(f disk.File) {
			p.say("append: %s", kind(f.Append(bytes.Repeat([]byte{byte('a' + b)}, b*97))))
		})
	},
	func(p *player, a, _ int) { p.file(a, func(f disk.File) { p.say("sync: %s", kind(f.Sync())) }) },
	func(p *player, a, _ int) { p.file(a, func(f disk.File) { p.info(f.Stat()) }) },
	func(p *player, a, _ int) { p.file(a, func(f disk.File) { p.say("close: %s", kind(f.Close())) }) },
	func(p *player, a, b int) {
		p.file(a, func(f disk.File) {
			data := make([]byte, b*113)
			n, err := f.ReadAt(data, int64(a)*61)
			p.say("read %d %x: %s", n, data[:max(n, 0)], kind(err))
		})
	},
	func(p *player, _, _ int) {
		one, err := p.Changed()
		two, err2 := p.Changed()
		p.say("nothing changed: %t: %s %s", one == two, kind(err), kind(err2))
	},
}

// name is one of few names, so that they meet.
func name(n int) string {
	return []string{"one", "two", "one.new", "aside", "aside/one", "aside/two", "two/in a file"}[n%7]
}

func (p *player) say(format string, args ...any) { fmt.Fprintf(&p.said, format+"\n", args...) }

func (p *player) opened(f disk.File, err error) {
	p.say("open: %s", kind(err))
	if err == nil {
		p.open = append(p.open, f)
	}
}

// info tells what of a description must be the same on all disks, and which of the open
// files it is of.
func (p *player) info(i disk.Info, err error) {
	if i.Folder {
		i.Size = 0 // what a folder's is depends on the file system
	}
	p.say("stat: %d bytes, %d links, folder %t: %s", i.Size, i.Links, i.Folder, kind(err))
	for n, f := range p.open {
		if other, err := f.Stat(); err == nil {
			p.say("the same as %d: %t", n, other.Same(i))
		}
	}
}

func (p *player) file(n int, f func(disk.File)) {
	if len(p.open) > 0 {
		f(p.open[n%len(p.open)])
	}
}

// kind says what an error is, as far as a program looks at it.
func kind(err error) string {
	var number syscall.Errno
	switch {
	case err == nil:
		return "good"
	case err == io.EOF:
		return "the end"
	case errors.Is(err, fs.ErrClosed):
		return "closed"
	case errors.As(err, &number):
		return number.Error()
	default:
		return "another error"
	}
}

// TestAgree plays the same on the real disk and on the simulated one.
func TestAgree(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		real := &player{Disk: disk.Folder(t.TempDir())}
		simulated := &player{Disk: New(1)}
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			n := rapid.IntRange(0, len(steps)-1).Draw(rt, "step")
			a, b := rapid.IntRange(0, 20).Draw(rt, "a"), rapid.IntRange(0, 20).Draw(rt, "b")
			steps[n](real, a, b)
			steps[n](simulated, a, b)
			if real.said.String() != simulated.said.String() {
				rt.Fatalf("the real disk says\n%s\nthe simulated one\n%s\nafter\n%s", &real.said, &simulated.said,
					simulated.Disk.(*Disk).Log())
			}
		}
		for _, f := range real.open {
			_ = f.Close() // many are closed
		}
	})
}

// FuzzAgree plays what a fuzzer chooses.
func FuzzAgree(f *testing.F) {
	f.Add([]byte{0, 0, 0, 8, 0, 7, 12, 0, 3, 3, 0, 1, 4, 1, 0, 6, 0, 0})
	f.Add([]byte{2, 3, 0, 0, 4, 0, 3, 4, 0, 4, 3, 0, 6, 0, 0, 7, 3, 0})
	f.Fuzz(func(t *testing.T, plan []byte) {
		real := &player{Disk: disk.Folder(t.TempDir())}
		simulated := &player{Disk: New(1)}
		for step := range slices.Chunk(plan[:min(len(plan), 600)/3*3], 3) {
			f := steps[int(step[0])%len(steps)]
			f(real, int(step[1]), int(step[2]))
			f(simulated, int(step[1]), int(step[2]))
		}
		if real.said.String() != simulated.said.String() {
			t.Errorf("the real disk says\n%s\nthe simulated one\n%s", &real.said, &simulated.said)
		}
		for _, f := range real.open {
			_ = f.Close() // many are closed
		}
	})
}
