package board

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

//go:embed init.sh
var initScript string

// writeInitramfs writes the file system with which a board starts: the init script, the modules and tools of its parts,
// and programs, which go into /bin.
func writeInitramfs(w io.Writer, parts string, programs map[string]string) error {
	listed, err := os.ReadFile(filepath.Join(parts, modulesList))
	if err != nil {
		return err
	}
	a := archive{w: w}
	for _, folder := range []string{"bin", "dev", "etc", "lib"} {
		a.add(folder, modeFolder, nil)
	}
	a.add("init", modeProgram, []byte(initScript))
	a.copy("bin/busybox", filepath.Join(parts, "busybox"))
	var modules strings.Builder
	for name := range strings.FieldsSeq(string(listed)) {
		a.copy("lib/"+name, filepath.Join(parts, name))
		fmt.Fprintln(&modules, "/lib/"+name)
	}
	a.add("etc/modules", modeFile, []byte(modules.String()))
	for name, path := range programs {
		a.copy("bin/"+name, path)
	}
	a.add("TRAILER!!!", 0, nil)
	return a.err
}

// The kernel's types of files.
const (
	modeFile    = 0o100644
	modeProgram = 0o100755
	modeFolder  = 0o040755
)

// archive writes cpio's format newc, which Linux unpacks at its start (the kernel's
// Documentation/driver-api/early-userspace/buffer-format.rst).
type archive struct {
	w   io.Writer
	n   int
	err error
}

// copy adds a program from this machine.
func (a *archive) copy(name, path string) {
	text, err := os.ReadFile(path)
	if a.err == nil {
		a.err = err
	}
	a.add(name, modeProgram, text)
}

// add adds a file.
func (a *archive) add(name string, mode int, text []byte) {
	if a.err != nil {
		return
	}
	a.n++
	var b bytes.Buffer
	b.WriteString("070701")
	for _, field := range []int{
		// number, mode, owner, group, links, time, size, devices, name, sum
		a.n, mode, 0, 0, 1, 0, len(text), 0, 0, 0, 0, len(name) + 1, 0,
	} {
		fmt.Fprintf(&b, "%08X", field)
	}
	b.WriteString(name + "\x00")
	pad(&b)
	b.Write(text)
	pad(&b)
	_, a.err = a.w.Write(b.Bytes())
}

// pad fills up to a multiple of four bytes.
func pad(b *bytes.Buffer) {
	for b.Len()%4 != 0 {
		b.WriteByte(0)
	}
}
