package board

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// workshop is where a board's kernel is made.
type workshop struct {
	ctx context.Context
	// dir is a folder for all that the work leaves behind.
	dir string
	// system is where Debian's packages are unpacked; source has files of the kernel's
	// source; out takes what the board is started from.
	system, source, out string
	// release is the kernel's own name, such as 6.1.0-56-amd64.
	release string
}

// build makes a board of its packages, and returns the folder.
func (b Board) build(ctx context.Context, dir string, set packages) (string, error) {
	w := &workshop{
		ctx: ctx, dir: dir, system: filepath.Join(dir, "system"), source: filepath.Join(dir, "source"),
		out: filepath.Join(dir, "out"), release: set.release,
	}
	for _, folder := range []string{w.system, w.source, w.out} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return "", err
		}
	}
	for _, p := range set.files {
		if _, err := w.run("dpkg-deb", "-x", p.path, w.system); err != nil {
			return "", err
		}
	}
	if err := b.make(w); err != nil {
		return "", err
	}
	if err := os.Rename(filepath.Join(w.system, "bin/busybox"), filepath.Join(w.out, "busybox")); err != nil {
		return "", err
	}
	return w.out, w.takeModules(b.modules)
}

// sources takes files out of the kernel's source, which is packed in its package.
func (w *workshop) sources(files ...string) error {
	found, err := filepath.Glob(filepath.Join(w.system, "usr/src/linux-source-*.tar.xz"))
	if err != nil {
		return err
	}
	if len(found) != 1 {
		return fmt.Errorf("the package of the kernel's source has %d packed sources, not one: %q", len(found), found)
	}
	top := strings.TrimSuffix(filepath.Base(found[0]), ".tar.xz")
	args := []string{"-xf", found[0], "-C", w.source, "--strip-components=1", "--occurrence=1"}
	for _, file := range files {
		args = append(args, top+"/"+file)
	}
	_, err = w.run("tar", args...)
	return err
}

func (w *workshop) modulesDir() string { return filepath.Join(w.system, "lib/modules", w.release) }

// takeModules takes the modules and those that they need, and lists them in the order in
// which they are to be loaded.
func (w *workshop) takeModules(names []string) error {
	if _, err := w.run("depmod", "-b", w.system, w.release); err != nil {
		return err
	}
	var paths []string
	for _, name := range names {
		text, err := w.run("modprobe", "-d", w.system, "-S", w.release, "--show-depends", name)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(text)) {
			words := strings.Fields(line)
			// else it is a part of the kernel itself
			if len(words) > 1 && words[0] == "insmod" && !slices.Contains(paths, words[1]) {
				paths = append(paths, words[1])
			}
		}
	}
	var list strings.Builder
	for _, path := range paths {
		fmt.Fprintln(&list, filepath.Base(path))
		if err := os.Rename(path, filepath.Join(w.out, filepath.Base(path))); err != nil {
			return err
		}
	}
	return writeFile(filepath.Join(w.out, modulesList), list.String())
}

// modulesList is the name of the file that lists the modules.
const modulesList = "modules"

// run runs a program and returns what it printed. Its error has all that it said.
func (w *workshop) run(name string, args ...string) ([]byte, error) {
	return run(w.ctx, "", name, args...)
}

func run(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	path, err := findTool(name)
	if err != nil {
		return nil, err
	}
	var out, errOut bytes.Buffer
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errOut
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s%s", name, strings.Join(args, " "), err, tail(out.Bytes()),
			tail(errOut.Bytes()))
	}
	return out.Bytes(), nil
}

// tail is the end of what a program said.
func tail(text []byte) []byte { return text[max(0, len(text)-4000):] }

func writeFile(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}
