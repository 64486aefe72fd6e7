package board

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// apt is Debian's package tool with lists of its own, for both processors: it neither reads nor changes the machine's
// own packages and lists.
type apt struct {
	ctx context.Context
	dir string
}

// How old the lists may be, and how old when something must be fetched: a mirror drops a package when there is a newer
// one.
const (
	listsLast  = 7 * 24 * time.Hour
	freshLists = time.Hour
)

func (a apt) options() []string {
	options := []string{
		"Dir::State=" + a.dir, "Dir::State::Lists=" + filepath.Join(a.dir, "lists"), "Dir::Cache=" +
			filepath.Join(a.dir, "cache"),
		"Dir::Cache::pkgcache=pkgcache.bin", "Dir::Cache::srcpkgcache=srcpkgcache.bin",
		"APT::Architecture=amd64", "APT::Architectures::=amd64", "APT::Architectures::=arm64",
		"APT::Sandbox::User=root", "Acquire::Languages=none",
		"Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false",
		"Acquire::Retries=3",
	}
	var args []string
	for _, o := range options {
		args = append(args, "-o", o)
	}
	return args
}

func (a apt) run(dir, tool string, args ...string) (string, error) {
	out, err := run(a.ctx, dir, tool, append(a.options(), args...)...)
	return string(out), err
}

func (a apt) stamp() string { return filepath.Join(a.dir, "updated") }

// age is how long ago the lists were fetched.
func (a apt) age() time.Duration {
	info, err := os.Stat(a.stamp())
	if err != nil {
		return listsLast + 1
	}
	return time.Since(info.ModTime())
}

// update fetches the lists of the available packages.
func (a apt) update() error {
	for _, folder := range []string{"lists/partial", "cache/archives/partial"} {
		if err := os.MkdirAll(filepath.Join(a.dir, folder), 0o755); err != nil {
			return err
		}
	}
	if _, err := a.run("", "apt-get", "--error-on=any", "update"); err != nil {
		return fmt.Errorf("asking the Debian mirror which packages there are; is the network there, and the mirror "+
			"in /etc/apt/sources.list?: %w", err)
	}
	return writeFile(a.stamp(), "")
}

// packages are what a board is made from.
type packages struct {
	// release is the kernel's own name.
	release string
	files   []file
}

// file is a package: its name in the cache, the hash of its contents, and its path once it is fetched.
type file struct{ name, hash, path string }

// find finds the packages of a board, as they are today. The kernel's version is the one
// that Debian installs.
func (a apt) find(b Board) (set packages, err error) {
	kernel, err := a.depends("linux-image-"+b.Arch+":"+b.Arch, "linux-image-")
	if err != nil {
		return set, err
	}
	set.release = strings.TrimPrefix(kernel, "linux-image-")
	names := []string{kernel + ":" + b.Arch, "busybox-static:" + b.Arch}
	if slices.Contains(b.modules, simulator) {
		sources, err := a.findSources(set.release)
		if err != nil {
			return set, err
		}
		names = append(names, sources...)
	}
	listed, err := a.run("", "apt-get", append([]string{"download", "--print-uris"}, names...)...)
	if err != nil {
		return set, err
	}
	if set.files, err = parseFiles(listed); err == nil && len(set.files) != len(names) {
		err = fmt.Errorf("apt-get lists %d packages for %v", len(set.files), names)
	}
	return set, errors.Join(err, sameVersion(set.files))
}

// findSources finds what a module of this kernel is built from.
func (a apt) findSources(release string) ([]string, error) {
	headers := "linux-headers-" + release
	common, err := a.depends(headers, "linux-headers-")
	if err != nil {
		return nil, err
	}
	kbuild, err := a.depends(headers, "linux-kbuild-")
	if err != nil {
		return nil, err
	}
	return []string{headers, common, kbuild, "linux-source-" + strings.TrimPrefix(kbuild, "linux-kbuild-")}, nil
}

// depends returns the package with this prefix among those that another depends on.
func (a apt) depends(name, prefix string) (string, error) {
	listed, err := a.run("", "apt-cache", "depends", name)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(listed) {
		if on, found := strings.CutPrefix(strings.TrimSpace(line), "Depends: "); found &&
			strings.HasPrefix(on, prefix) {
			on, _, _ = strings.Cut(on, ":")
			return on, nil
		}
	}
	return "",
		fmt.Errorf("the package %s does not depend on any %s…: are the sources in /etc/apt those of the Debian that "+
			"internal/testkit/board/README.md names?", name, prefix)
}

// parseFiles reads apt-get's list of what it would fetch: address, name, size, hash.
func parseFiles(listed string) ([]file, error) {
	var files []file
	for line := range strings.Lines(listed) {
		words := strings.Fields(line)
		if len(words) != 4 || !strings.HasPrefix(words[0], "'") {
			return nil, fmt.Errorf("apt-get lists a package as %q, which is not understood", strings.TrimSpace(line))
		}
		files = append(files, file{name: words[1], hash: words[3]})
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files, nil
}

// sameVersion refuses a kernel and headers that do not belong together.
func sameVersion(files []file) error {
	version := ""
	for _, f := range files {
		words := strings.Split(f.name, "_")
		switch {
		case !strings.HasPrefix(f.name, "linux-") || len(words) != 3:
		case version == "":
			version = words[1]
		case version != words[1]:
			return fmt.Errorf("the Debian mirror has the kernel's parts in the versions %s and %s: it is being "+
				"updated, try again in an hour", version, words[1])
		}
	}
	return nil
}

// fetch gets packages that are not in the folder yet. apt-get checks their hashes.
func (a apt) fetch(set packages, folder, workdir string) error {
	var names []string
	for _, f := range set.missing(folder) {
		name, err := f.asked()
		if err != nil {
			return err
		}
		names = append(names, name)
	}
	if len(names) > 0 {
		if _, err := a.run(workdir, "apt-get", append([]string{"download"}, names...)...); err != nil {
			return fmt.Errorf("fetching packages from the Debian mirror: %w", err)
		}
	}
	for i := range set.files {
		f := &set.files[i]
		f.path = filepath.Join(folder, f.name)
		err := os.Rename(filepath.Join(workdir, f.name), f.path)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// missing are those that are not in a folder.
func (set packages) missing(folder string) (files []file) {
	for _, f := range set.files {
		if _, err := os.Stat(filepath.Join(folder, f.name)); err != nil {
			files = append(files, f)
		}
	}
	return files
}

// asked is how to request exactly this package from apt-get. In a file's name characters are escaped as in a URL.
func (f file) asked() (string, error) {
	name, err := url.PathUnescape(strings.TrimSuffix(f.name, ".deb"))
	words := strings.Split(name, "_")
	if err != nil || len(words) != 3 {
		return "", errors.Join(err, fmt.Errorf("the name of the package %s is not understood", f.name))
	}
	if words[2] == "all" {
		return words[0] + "=" + words[1], nil
	}
	return words[0] + ":" + words[2] + "=" + words[1], nil
}
