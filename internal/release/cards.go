package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/sabot-table/sabot/internal/release/image"
)

// onCard are the packages that a card has.
var onCard = []string{"sabot", "sabot-kiosk"}

// makeCard makes the packages that a card has, and the card of them.
func makeCard(ctx context.Context, set *flag.FlagSet, args []string, _ *os.File, out io.Writer) error {
	folder := set.String("out", "dist/image", "the `folder` for the card")
	version := set.String("version", "", "the version, as git describes one; without it that of the source")
	keys := set.String("keys", "",
		"a `file` with the public keys of releases, whose updates the card takes; without it there are none")
	slot := set.Bool("slot", false, "make only the slot, for the update of tables that have a card")
	if err := set.Parse(args); err != nil {
		return err
	}
	if err := image.Able(); err != nil {
		return err // before the packages, which take minutes
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	o := image.Order{Source: root, Keys: *keys, Only: *slot, Told: func(what string) { fmt.Fprintln(out, what) }}
	if o.Out, err = filepath.Abs(*folder); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "sabot-card-")
	if err != nil {
		return err
	}
	m := maker{root: root, out: work, archs: []string{image.Arch}}
	if m.edition, err = editionOf(root, *version, os.Getenv("SOURCE_DATE_EPOCH")); err == nil {
		o.Version, o.Date = m.edition.debian, m.edition.date
		err = makeCardOf(ctx, m, o, out)
	}
	return errors.Join(err, os.RemoveAll(work))
}

func makeCardOf(ctx context.Context, m maker, o image.Order, out io.Writer) error {
	if _, err := m.make(ctx); err != nil {
		return err
	}
	for _, name := range onCard {
		found, err := filepath.Glob(filepath.Join(m.out, name+"_*.deb"))
		if err != nil || len(found) != 1 {
			return errors.Join(err, fmt.Errorf("of the package %s there are %d, not one", name, len(found)))
		}
		o.Packages = append(o.Packages, found[0])
	}
	made, err := o.Make(ctx)
	if err != nil {
		return err
	}
	var files []string
	for _, file := range []string{made.Card, made.Slot} {
		if file != "" {
			files = append(files, filepath.Base(file))
			fmt.Fprintln(out, file)
		}
	}
	if err := writeSums(o.Out, files); err != nil {
		return err
	}
	fmt.Fprintln(out, filepath.Join(o.Out, sumsFile))
	return nil
}
