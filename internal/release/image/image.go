// Package image makes the card of a table's computer: Debian and Sabot's packages in two slots, of
// which one is in use and the other is for the next version, and a partition for what stays.
//
//	0       partition table (MBR, which every Pi's firmware reads), and at 1 MiB the sector of the slots
//	4 MiB   1  SABOT        what the firmware reads: U-Boot, its script, device trees
//	        2  slot a       the root, read-only
//	        3  slot b       the same, for the next version; empty on a new card
//	        4  sabot-data   what stays; grows to the end of the card at the first start
//
// deploy/image has what is on it, and says why.
package image

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Arch is the processor, by dpkg's name: that of a Raspberry Pi 3 and later.
const Arch = "arm64"

// Order says what is to be made.
type Order struct {
	// Source is the folder of the source; Out takes what is made.
	Source, Out string
	// Packages are Sabot's, for Arch.
	Packages []string
	// Keys is a file with the public keys of releases, by which the card trusts updates, or "".
	Keys string
	// Version is Debian's, and Date when the source was committed.
	Version string
	Date    time.Time
	// Only makes the slot alone.
	Only bool
	// Told hears of each step that takes long.
	Told func(string)
}

// Made are the files that were made.
type Made struct {
	// Card is written to a card; Slot is the update of a table that has one. Card is "" if only the slot was asked for.
	Card, Slot string
}

// Able says what is missing on this computer for Make. It needs root: the system's files belong to many users.
func Able() error {
	if os.Getuid() != 0 {
		return errors.New("a card is made as root, since its files belong to many users: sudo make image")
	}
	return tools()
}

// Make makes the card.
func (o Order) Make(ctx context.Context) (m Made, err error) {
	if err := errors.Join(Able(), os.MkdirAll(o.Out, 0o755)); err != nil {
		return m, err
	}
	work, err := os.MkdirTemp(o.Out, ".unfinished-")
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	b := builder{Order: o, ctx: ctx, work: work, root: filepath.Join(work, "root")}
	for _, step := range []func() error{b.system, b.settle, b.slot, b.pack, b.card} {
		if err := step(); err != nil {
			return m, err
		}
	}
	return b.made, nil
}

// builder is a card being made.
type builder struct {
	Order
	ctx context.Context
	// work is a folder for all that is not finished, root in it the system.
	work, root string
	made       Made
}

// in is a file of the recipe.
func (b *builder) in(name string) string { return filepath.Join(b.Source, "deploy", "image", name) }

// at is a file of the system.
func (b *builder) at(name string) string { return filepath.Join(b.root, name) }

// finish moves a finished file out of the work, under its name.
func (b *builder) finish(draft, format string) (string, error) {
	path := filepath.Join(b.Out, fmt.Sprintf(format, b.Version, Arch))
	return path, os.Rename(draft, path)
}

// exists says whether there is such a file; an error that leaves it open is none.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
