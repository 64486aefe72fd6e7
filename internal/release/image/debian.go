package image

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// debian is Debian's part of a card while it is made. This computer's own apt and dpkg fetch and unpack its packages:
// only what they set up by programs of their own is emulated on a computer that is no Arch.
type debian struct {
	builder
	// folder has the stages, and the root in it is that of the system.
	folder string
	// packages are those of the recipe, and left what dpkg is told to leave out of them.
	packages, left []string
}

// What the stages leave in their folder.
const (
	least    = "least.tar"
	asks     = "apt"
	debs     = "debs"
	firm     = "firmware"
	theRoot  = "root"
	packed   = "packed.tar"
	setsUp   = "usr/sbin/policy-rc.d"
	noStarts = "#!/bin/sh\nexit 101 # no service is started while the system is made\n"
)

// make makes packed.
func (d *debian) make() error {
	if err := d.read(); err != nil {
		return err
	}
	var files []string
	for _, name := range recipe[2:] {
		text, err := os.ReadFile(d.in(name))
		if err != nil {
			return err
		}
		files = append(files, name, string(text))
	}
	of := func(parts ...string) string { return strings.Join(parts, "\x00") }
	s := stages{folder: d.folder, told: d.Told, all: []stage{
		{
			name: "the least that a system has", of: of(sources, suite, Arch, of(d.left...)),
			leaves: []string{least}, make: d.makeLeast,
		},
		{
			name: "fetching the packages", of: of(of(d.packages...), of(firmware...)),
			leaves: []string{asks, debs, firm}, goesOn: true, make: d.fetch,
		},
		{name: "unpacking the packages", of: of(files...), leaves: []string{theRoot}, make: d.unpack},
		{name: "setting the packages up", goesOn: true, make: d.setUp},
		{name: "making the initramfs", goesOn: true, make: d.initramfs},
		{name: "packing Debian's part", leaves: []string{packed}, make: d.packUp},
	}}
	return s.run()
}

// read reads the recipe.
func (d *debian) read() (err error) {
	if d.packages, err = lines(d.in("packages")); err != nil {
		return err
	}
	d.packages = append(d.packages, "linux-image-"+Arch)
	left, err := lines(d.in("leave-out"))
	for _, l := range left {
		if kept, is := strings.CutPrefix(l, "!"); is {
			d.left = append(d.left, "path-include="+kept)
		} else {
			d.left = append(d.left, "path-exclude="+l)
		}
	}
	return errors.Join(err, os.MkdirAll(d.folder, 0o755))
}

func (d *debian) within(name string) string { return filepath.Join(d.folder, name) }

// makeLeast has mmdebstrap make a system that has apt, in a file, which is there once it is whole.
func (d *debian) makeLeast() error {
	from := filepath.Join(d.work, "sources.list")
	if err := os.WriteFile(from, []byte(sources), 0o644); err != nil {
		return err
	}
	args := []string{
		"--format=tar", "--variant=minbase", "--arch=" + Arch, `--aptopt=APT::Install-Recommends "false"`,
		"--dpkgopt=force-confold", "--dpkgopt=force-unsafe-io",
	}
	for _, l := range d.left {
		args = append(args, "--dpkgopt="+l)
	}
	_, err := d.watch(d.progress(), "mmdebstrap", append(args, suite, d.within(least), from)...)
	return err
}

// fetch has apt fetch the packages, for a system of which there is only what apt asks for. What it has fetched stays.
func (d *debian) fetch() error {
	for _, name := range []string{asks, debs + "/partial", firm} {
		if err := os.MkdirAll(d.within(name), 0o755); err != nil {
			return err
		}
	}
	if _, err := d.run("tar", "--extract", "--file", d.within(least), "--directory", d.within(asks),
		"./etc/apt", "./var/lib/apt", "./var/lib/dpkg", "./var/cache/apt"); err != nil {
		return err
	}
	apt := []string{
		"--chdir=" + d.within(firm), "apt-get", "--quiet", "--yes", "-o", "Dir=" + d.within(asks),
		"-o", "Dir::State::status=" + filepath.Join(d.within(asks), "var/lib/dpkg/status"),
		"-o", "Dir::Cache::archives=" + d.within(debs), "-o", "APT::Architecture=" + Arch, "-o",
		"APT::Architectures=" + Arch,
		"-o", "APT::Sandbox::User=root", "-o", "APT::Install-Recommends=false",
	}
	for _, args := range [][]string{
		{"update"},
		append([]string{"install", "--download-only"}, d.packages...),
		append([]string{"download"}, firmware...),
	} {
		if _, err := d.run("env", append(apt, args...)...); err != nil {
			return err
		}
	}
	return nil
}

// unpack has dpkg unpack the packages into a fresh root. What a package does before that, dpkg has the root's own
// programs do.
func (d *debian) unpack() error {
	if err := os.Mkdir(d.root, 0o755); err != nil {
		return err
	}
	if _, err := d.run("tar", append(slices.Clone(extracting), "--file", d.within(least), "--directory",
		d.root)...); err != nil {
		return err
	}
	for _, name := range recipe[2:] {
		to := d.at(strings.TrimPrefix(name, "root/"))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if _, err := d.run("cp", d.in(name), to); err != nil {
			return err
		}
	}
	if err := os.WriteFile(d.at(setsUp), []byte(noStarts), 0o755); err != nil {
		return err
	}
	args := []string{
		"--root=" + d.root, "--force-architecture", "--force-depends", "--force-unsafe-io", "--force-confold",
		"--auto-deconfigure", "--no-triggers",
	}
	for _, l := range d.left {
		args = append(args, "--"+l)
	}
	all, err := filepath.Glob(filepath.Join(d.within(debs), "*.deb"))
	if err != nil {
		return err
	}
	_, err = d.watch(d.progress(), "dpkg", append(append(args, "--unpack"), all...)...)
	return err
}

// setUp has the system's own dpkg set up what is not set up yet, but for the initramfs, which the kernel and others
// would make again and again.
func (d *debian) setUp() error {
	dpkg := []string{"/usr/bin/env", "INITRD=No", "/usr/bin/dpkg", "--force-confold", "--configure", "--pending"}
	if err := d.insideWatched(d.progress(), dpkg...); err != nil {
		return err
	}
	return os.RemoveAll(d.at(setsUp))
}

func (d *debian) initramfs() error {
	if err := d.inside("/usr/sbin/update-initramfs", "-c", "-k", "all"); err != nil {
		return err
	}
	if made, err := filepath.Glob(d.at("boot/initrd.img-*")); err != nil || len(made) == 0 {
		return errors.Join(err, errors.New("no initramfs was made: have Debian's packages changed?"))
	}
	return nil
}

// packUp packs the system, and beside it the files of the firmware's packages.
func (d *debian) packUp() error {
	files, err := filepath.Glob(filepath.Join(d.within(firm), "*.deb"))
	if err != nil {
		return err
	}
	for _, file := range files {
		if _, err := d.run("dpkg-deb", "--extract", file, d.at("firmware")); err != nil {
			return err
		}
	}
	_, err = d.run("tar", "--create", "--sort=name", "--numeric-owner", "--xattrs", "--xattrs-include=*",
		"--one-file-system",
		"--file", d.within(packed), "--directory", d.root, ".")
	return err
}
