package image

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/sabot-table/sabot/internal/securefile"
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

// recipe are the files that Debian's part depends on: two lists, and what is in the system before its packages are
// unpacked.
var recipe = []string{
	"packages", "leave-out", "root/etc/initramfs-tools/modules",
	"root/etc/initramfs-tools/conf.d/sabot.conf",
}

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
	if _, err := securefile.WaitLock(lock); err != nil {
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
	_, err = b.run("tar", append(slices.Clone(extracting), "--file", packed, "--directory", b.root)...)
	return err
}

// extracting is how tar takes a system out of a file, with all that is true of its files.
var extracting = []string{"--extract", "--numeric-owner", "--xattrs", "--xattrs-include=*"}

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
	if fresh(path) {
		return path, nil
	}
	b.Told("making Debian's part of the card, from Debian's mirrors. It is kept for a week; what is broken off goes " +
		"on from there")
	d := debian{builder: *b, folder: filepath.Join(folder, "unfinished")}
	d.root = filepath.Join(d.folder, "root")
	if first := d.within("1." + whole); exists(first) && !fresh(first) {
		if err := os.RemoveAll(d.folder); err != nil {
			return "", err
		}
	}
	if err := d.make(); err != nil {
		return "", err
	}
	now := time.Now() // tar may have given it the source's time
	made := filepath.Join(d.folder, packed)
	return path, errors.Join(os.Chtimes(made, now, now), os.Rename(made, path), os.RemoveAll(d.folder))
}

// fresh says whether something is there that was begun within the time for which Debian's part is used.
func fresh(path string) bool {
	info, err := os.Stat(path)
	return err == nil && time.Since(info.ModTime()) < keptFor
}
