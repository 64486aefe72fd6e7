package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/sabot-table/sabot/device/inventory"
	"github.com/sabot-table/sabot/internal/ops/devices"
	"github.com/sabot-table/sabot/internal/ops/doctor"
)

const (
	usualBundleRounds = 20
	mostBundleRounds  = 1000
	usualLogLines     = 20_000
)

// bundleTable writes one file with what others need to help with a table.
func bundleTable(ctx context.Context, set *flag.FlagSet, args []string, e env) error {
	var f examined
	f.define(set)
	most := set.Int("rounds", usualBundleRounds, "put so `many` of the last rounds in; 0 for none")
	log := set.String("log", "", "the `file` with the daemon's log; by default the journal of systemd")
	path, err := one(set, args, "path", e)
	if err != nil {
		return err
	}
	if *most < 0 || *most > mostBundleRounds {
		return errUsage(fmt.Sprintf("--rounds takes 0 to %d", mostBundleRounds))
	}
	ask, err := f.ask()
	if err != nil {
		return err
	}
	s := doctor.BundleSource{
		Ask: ask, Log: *log, Lines: usualLogLines, Devices: f.devices(ask.Machine),
		Variables: []string{keyVariable}, Rounds: *most,
	}
	where, parts, err := doctor.WriteBundle(ctx, s, path)
	if err != nil {
		return err
	}
	return tellBundled(e, where, parts)
}

// tellBundled says what is in a bundle, and last what is not.
func tellBundled(e env, where string, parts []doctor.BundlePart) error {
	for _, p := range parts {
		if p.Faulty {
			fmt.Fprintf(e.err, "%s is not whole, or not in it: %s\n", p.Name, p.Left)
		}
	}
	whole, faulty := doctor.WholeBundle(parts)
	if _, err := fmt.Fprintf(e.out,
		"%s: %d files, without passwords, PINs and keys; it has names of people, and what lay on the table\n", where,
		whole); err != nil {
		return err
	}
	if len(faulty) == 0 {
		return nil
	}
	if _, err := fmt.Fprintf(e.out, "NOT WHOLE, OR NOT IN IT: %s\n", strings.Join(faulty, ", ")); err != nil {
		return err
	}
	return errNotWell
}

// devices writes what is plugged in, and what is wrong with it.
func (f *examined) devices(s inventory.Source) func(io.Writer) error {
	return func(to io.Writer) error {
		if c, wrong := loadConfig(f.config); wrong == nil {
			return devices.WriteAll(to, s, f.config, &c)
		}
		return devices.WriteAll(to, s, "", nil)
	}
}
