package image

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// needed are the programs that make a card, each with Debian's package.
var needed = [][2]string{
	{"mmdebstrap", "mmdebstrap"},
	{"arch-test", "arch-test"}, // mmdebstrap asks for it
	{"unshare", "util-linux"},
	{"dpkg-deb", "dpkg"},
	{"apt-get", "apt"},
	{"zstd", "zstd"},
	{"mkfs.ext4", "e2fsprogs"},
	{"mkfs.vfat", "dosfstools"},
	{"mcopy", "mtools"},
	{"sfdisk", "fdisk"},
	{"mkimage", "u-boot-tools"},
	{"mkenvimage", "u-boot-tools"},
	{"fdtput", "device-tree-compiler"},
	{"tar", "tar"},
}

// binfmt is where the kernel lists processors that it has emulated.
const binfmt = "/proc/sys/fs/binfmt_misc/qemu-aarch64"

func tools() error {
	var missing, from []string
	for _, n := range needed {
		if _, err := find(n[0]); err != nil {
			missing, from = append(missing, n[0]), append(from, n[1])
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("%s: not found, and no card can be made without: apt-get install %s",
			strings.Join(missing, ", "), strings.Join(from, " "))
	}
	if text, err := exec.Command("dpkg", "--print-architecture").Output(); err == nil &&
		strings.TrimSpace(string(text)) == Arch {
		return nil
	}
	if !exists(binfmt) {
		return fmt.Errorf("this kernel does not run programs for %s, and there is no %s: apt-get install "+
			"qemu-user-static; after a start without systemd also "+
			"mount -t binfmt_misc none %s, and /usr/lib/systemd/systemd-binfmt or update-binfmts --enable", Arch,
			binfmt, filepath.Dir(binfmt))
	}
	return nil
}

// find also looks where the programs of administrators are.
func find(name string) (string, error) {
	for _, folder := range []string{"", "/usr/sbin/", "/sbin/"} {
		if path, err := exec.LookPath(folder + name); err == nil {
			return path, nil
		}
	}
	return "", exec.ErrNotFound
}

// run runs a program, whose failure says all that it printed. Its times are those of the source.
func (b *builder) run(name string, args ...string) (string, error) {
	return b.watch(nil, name, args...)
}

// watch is run with each line that the program prints or complains with, as it comes.
func (b *builder) watch(line func(string), name string, args ...string) (string, error) {
	path, err := find(name)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	cmd := exec.CommandContext(b.ctx, path, args...)
	epoch := fmt.Sprint(b.Date.Unix())
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive", "SOURCE_DATE_EPOCH="+epoch,
		"E2FSPROGS_FAKE_TIME="+epoch)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.MultiWriter(&out, &told{line: line}), io.MultiWriter(&said, &told{line: line})
	if err := cmd.Run(); err != nil {
		all := said.Bytes()
		return "", fmt.Errorf("%s %s: %w\n%s%s", filepath.Base(path), strings.Join(args, " "), err, out.Bytes(),
			all[max(0, len(all)-8000):])
	}
	return out.String(), nil
}

// told hands on whole lines.
type told struct {
	line func(string)
	rest []byte
}

func (t *told) Write(text []byte) (int, error) {
	if t.line == nil {
		return len(text), nil
	}
	t.rest = append(t.rest, text...)
	for {
		line, rest, whole := bytes.Cut(t.rest, []byte("\n"))
		if !whole {
			return len(text), nil
		}
		t.line(string(line))
		t.rest = rest
	}
}

// steps are how the lines begin in which mmdebstrap and dpkg tell what they do.
var steps = []string{"I: ", "Unpacking ", "Setting up "}

// progress tells of steps, with how long it has taken by then.
func (b *builder) progress() func(string) {
	began := time.Now()
	return func(line string) {
		for _, step := range steps {
			if strings.HasPrefix(line, step) {
				b.Told(fmt.Sprintf("  %3d min  %s", int(time.Since(began).Minutes()), strings.TrimPrefix(line, "I: ")))
			}
		}
	}
}

// inside runs a program of the system, as its root, without this machine's processes.
func (b *builder) inside(args ...string) error { return b.insideWatched(nil, args...) }

func (b *builder) insideWatched(line func(string), args ...string) error {
	_, err := b.watch(line, "unshare", append([]string{"--mount", "--pid", "--fork", "--kill-child", "--mount-proc=" +
		b.at("proc"), "chroot", b.root}, args...)...)
	return err
}

// lines reads a list of the recipe: one entry a line, and comments.
func lines(path string) (all []string, _ error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			all = append(all, line)
		}
	}
	return all, nil
}
