package image

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sabot-table/sabot/internal/filelock"
)

// suite is the Debian on the card.
const suite = "bookworm"

// sources are where its packages come from. The firmware of a Pi is not free, so Debian has it in a part of its own.
const sources = `deb http://deb.debian.org/debian bookworm main non-free-firmware
deb http://deb.debian.org/debian bookworm-updates main non-free-firmware
deb http://deb.debian.org/debian-security bookworm-security main non-free-firmware
`

// keptFor is how long Debian's part is used before Debian is asked for a newer one.
const keptFor = 7 * 24 * time.Hour

// recipe are the files that Debian's part depends on.
var recipe = []string{"packages", "leave-out", "root/etc/initramfs-tools/modules", "root/etc/initramfs-tools/conf.d/sabot.conf"}

// firmware are the packages whose files are on the first partition, and not in the system.
var firmware = []string{"raspi-firmware", "u-boot-rpi"}

// system unpacks Debian's part, which is made once, and kept in the user's cache.
func (b *builder) system() error {
	cache, err := os.UserCacheDir()
	if err != nil {
		return fmt.Errorf("where to keep a gigabyte of Debian: %w; set XDG_CACHE_HOME", err)
	}
	folder := filepath.Join(cache, "sabot", "image")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	lock, err := os.Create(filepath.Join(folder, "lock"))
	if err != nil {
		return err
	}
	defer lock.Close() // which releases it
	if _, err := filelock.Wait(lock); err != nil {
		return err
	}
	packed, err := b.base(folder)
	if err != nil {
		return err
	}
	b.Told("unpacking " + packed)
	if err := os.Mkdir(b.root, 0o755); err != nil {
		return err
	}
	_, err = b.run("tar", "--extract", "--numeric-owner", "--xattrs", "--xattrs-include=*", "--file", packed, "--directory", b.root)
	return err
}

// base returns Debian's part as it is packed.
func (b *builder) base(folder string) (string, error) {
	sum := sha256.New()
	fmt.Fprint(sum, sources, firmware)
	for _, name := range recipe {
		text, err := os.ReadFile(b.in(name))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%s\x00%s\x00", name, text)
	}
	path := filepath.Join(folder, fmt.Sprintf("%s-%x.tar", suite, sum.Sum(nil)[:8]))
	if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) < keptFor {
		return path, nil
	}
	b.Told("making Debian's part of the card: it takes Debian's mirrors and a quarter of an hour, or more than twice that on a busy computer that is no " +
		Arch + ". It is kept for a week: what is broken off later goes on from there")
	unfinished := path + ".unfinished"
	if err := b.bootstrap(unfinished); err != nil {
		return "", err
	}
	now := time.Now() // mmdebstrap may have given it the source's time
	return path, errors.Join(os.Chtimes(unfinished, now, now), os.Rename(unfinished, path))
}

// bootstrap has mmdebstrap make it. The firmware's packages are unpacked beside the system, into /firmware.
func (b *builder) bootstrap(path string) error {
	packages, err := lines(b.in("packages"))
	if err != nil {
		return err
	}
	left, err := lines(b.in("leave-out"))
	if err != nil {
		return err
	}
	from := filepath.Join(b.work, "sources.list")
	if err := os.WriteFile(from, []byte(sources), 0o644); err != nil {
		return err
	}
	args := []string{
		"--format=tar", "--variant=minbase", "--arch=" + Arch,
		"--include=" + strings.Join(append(packages, "linux-image-"+Arch), ","),
		`--aptopt=APT::Install-Recommends "false"`, "--dpkgopt=force-confold", "--dpkgopt=force-unsafe-io",
		"--essential-hook=mkdir -p \"$1\"/etc/initramfs-tools/conf.d",
		"--essential-hook=copy-in " + b.in("root/etc/initramfs-tools/modules") + " /etc/initramfs-tools/",
		"--essential-hook=copy-in " + b.in("root/etc/initramfs-tools/conf.d/sabot.conf") + " /etc/initramfs-tools/conf.d/",
		`--customize-hook=cd "$1" && mkdir firmware && cd firmware && APT_CONFIG="$MMDEBSTRAP_APT_CONFIG" apt-get download ` + strings.Join(firmware, " ") +
			` && for p in *.deb; do dpkg-deb -x "$p" .; done && rm -- *.deb`,
	}
	for _, l := range left {
		if kept, is := strings.CutPrefix(l, "!"); is {
			args = append(args, "--dpkgopt=path-include="+kept)
		} else {
			args = append(args, "--dpkgopt=path-exclude="+l)
		}
	}
	_, err = b.watch(b.progress(), "mmdebstrap", append(args, suite, path, from)...)
	return err
}
