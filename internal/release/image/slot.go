package image

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

const mib = 1 << 20

// slotSize is the room for a slot on the card.
const slotSize = 2048 * mib

// The identities of file systems, which are the same on every card.
const (
	slotID = "5ab07ca4-0000-4000-8000-00000000000a"
	dataID = "5ab07ca4-0000-4000-8000-00000000000d"
	fatID  = "5ab07ca4"
)

// slotImage is the file system of a slot, in the work.
const slotImage = "slot.ext4"

// slot makes the file system of a slot. It has no journal of its own, since nothing is ever written to it.
func (b *builder) slot() error {
	b.Told("making the slot")
	size, err := sizeOf(b.root)
	if err != nil {
		return err
	}
	size = (size*110/100 + 64*mib) / mib * mib
	if size > slotSize {
		return fmt.Errorf("the system needs %d MiB, and a slot has %d: add to deploy/image/leave-out what no "+
			"table needs", size/mib, slotSize/mib)
	}
	return b.ext4(filepath.Join(b.work, slotImage), b.root, "sabot-slot", slotID, size, "-O", "^has_journal", "-m", "0",
		"-N", "90000")
}

// ext4 makes a file system with a folder's files.
func (b *builder) ext4(path, folder, label, id string, size int64, more ...string) error {
	if err := truncate(path, size); err != nil {
		return err
	}
	args := []string{"-q", "-F", "-d", folder, "-L", label, "-U", id, "-E", "hash_seed=" + id +
		",lazy_itable_init=0,root_owner=0:0"}
	_, err := b.run("mkfs.ext4", append(append(args, more...), path)...)
	return err
}

func truncate(path string, size int64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := f.Truncate(size); err != nil {
		return err
	}
	return f.Close()
}

// sizeOf is what files take in blocks of 4 KiB, each with what describes it. Some are there under many names.
func sizeOf(folder string) (size int64, err error) {
	seen := map[uint64]bool{}
	err = filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if is, ok := info.Sys().(*syscall.Stat_t); ok {
			if seen[is.Ino] {
				return nil
			}
			seen[is.Ino] = true
		}
		size += 512
		if info.Mode().IsRegular() {
			size += (info.Size() + 4095) / 4096 * 4096
		} else {
			size += 4096
		}
		return nil
	})
	return size, err
}

// SlotPackage is the name of the package with a slot.
const SlotPackage = "sabot-slot"

// control describes the package. dpkg never installs it: sabot update writes what is in it to the other slot.
const control = `Package: ` + SlotPackage + `
Version: %s
Architecture: ` + Arch + `
Maintainer: Sabot <sabot-table@users.noreply.github.com>
Section: misc
Priority: optional
Homepage: https://github.com/sabot-table/sabot
Description: whole system of a table's card, with Sabot
 For a computer that was started from the card of Sabot: sabot update writes it
 to the slot that is not in use.
`

// pack packs the slot, in Debian's form: that says for whom and which version it is, and dpkg-deb reads it everywhere.
func (b *builder) pack() error {
	b.Told("packing the slot")
	folder := filepath.Join(b.work, "package")
	if err := os.MkdirAll(filepath.Join(folder, "DEBIAN"), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "DEBIAN", "control"), fmt.Appendf(nil, control, b.Version),
		0o644); err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(b.work, slotImage), filepath.Join(folder, slotImage)); err != nil {
		return err
	}
	draft := filepath.Join(b.work, "slot.deb")
	if _, err := b.run("dpkg-deb", "--root-owner-group", "-Zzstd", "-z10", "--build", folder, draft); err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(folder, slotImage), filepath.Join(b.work, slotImage)); err != nil {
		return err
	}
	path, err := b.finish(draft, SlotPackage+"_%s_%s.deb")
	b.made.Slot = path
	return err
}
