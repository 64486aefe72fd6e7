package simtest

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
)

var (
	diskOps = map[string]disktest.Op{
		"append": disktest.Append, "sync": disktest.Sync, "create": disktest.Create,
		"rename": disktest.Rename, "sync-folder": disktest.SyncFolder, "any": disktest.None,
	}
	diskErrs  = map[string]error{"eio": syscall.EIO, "enospc": syscall.ENOSPC}
	diskParts = map[string]disktest.Part{"nothing": disktest.Nothing, "half": disktest.Half, "whole": disktest.Whole}
)

func diskFail(dice *rand.Rand) Args {
	return Args{
		"op=" + pick(dice, "append", "append", "sync", "sync", "sync", "create", "rename", "sync-folder", "any"),
		"err=" + pick(dice, "eio", "enospc"), "part=" + pick(dice, "nothing", "half", "whole"),
		fmt.Sprint("times=", 1+dice.IntN(4)), fmt.Sprint("skip=", dice.IntN(3)),
	}
}

// current is the life that the table lives now.
func (w *World) current() *life {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.life
}

func (w *World) diskFail(a Args) {
	w.current().disk.Plan(disktest.Fault{
		Op: diskOps[a.get("op")], Err: diskErrs[a.get("err")], Part: diskParts[a.get("part")], Times: a.number("times"),
		Skip: a.number("skip"),
	})
}

func diskFull(dice *rand.Rand) Args {
	a := Args{fmt.Sprint("room=", dice.IntN(3000)), span(dice)}
	if dice.IntN(2) == 0 {
		a = append(a, "thin")
	}
	return a
}

func (w *World) diskFull(a Args) {
	d := w.current().disk
	used := 0
	for _, name := range d.Hands().Names() {
		text, _ := d.Hands().Read(name) // a folder has no text
		used += len(text)
	}
	room := int64(used + a.number("room"))
	if a.has("thin") {
		d.SetThinSpace(room)
	} else {
		d.SetSpace(room)
	}
	w.later(a, func(d *disktest.Disk) { d.SetSpace(-1) })
}

func (w *World) diskReadOnly(a Args) {
	d := w.current().disk
	d.ReadOnlyFrom(d.Operations() + 1)
	w.later(a, (*disktest.Disk).Mend)
}

// later mends the disk that the table has then.
func (w *World) later(a Args, mend func(*disktest.Disk)) {
	time.AfterFunc(a.time("for"), func() { mend(w.current().disk) })
}

func (w *World) diskSlow(a Args) {
	l := w.current()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.takes = a.time("for")
}
