package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"

	"github.com/sabot-table/sabot/cmd/internal/bundle"
	"github.com/sabot-table/sabot/cmd/internal/devices"
	"github.com/sabot-table/sabot/device/inventory"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/past"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/recall"
)

const (
	usualBundleRounds = 20
	mostBundleRounds  = 1000
	usualLogLines     = 20_000
)

// bundleTable writes one file with what others need to help with a table.
func bundleTable(ctx context.Context, args []string, e env) error {
	var f examined
	set := flag.NewFlagSet("bundle", flag.ContinueOnError)
	f.define(set)
	rounds := set.Int("rounds", usualBundleRounds, "put so `many` of the last rounds in; 0 for none")
	log := set.String("log", "", "the `file` with the daemon's log; by default the journal of systemd")
	path, err := one(set, args, "path", e)
	if err != nil {
		return err
	}
	if *rounds < 0 || *rounds > mostBundleRounds {
		return errUsage(fmt.Sprintf("bundle: --rounds takes 0 to %d", mostBundleRounds))
	}
	ask, err := f.ask()
	if err != nil {
		return err
	}
	s := bundle.Source{Ask: ask, Log: *log, Lines: usualLogLines, Devices: f.devices(ask.Machine), Variables: []string{keyVariable}}
	if *rounds > 0 {
		s.Rounds = func(to io.Writer, path string) error { return lastRounds(to, path, *rounds) }
	}
	where, parts, err := bundle.Write(ctx, s, path)
	if err != nil {
		return err
	}
	for _, p := range parts {
		if p.Left != "" {
			fmt.Fprintf(e.err, "%s is not whole, or not in it: %s\n", p.Name, p.Left)
		}
	}
	_, err = fmt.Fprintf(e.out, "%s: %d files, without passwords, PINs and keys; it has names of people, and what lay on the table\n", where, len(parts))
	return err
}

// devices writes what is plugged in, and what is wrong with it.
func (f *examined) devices(s inventory.Source) func(io.Writer) error {
	return func(to io.Writer) error {
		m, err := inventory.Read(s, s.Current(), false)
		if err != nil {
			return err
		}
		var uses inventory.Uses
		about := ""
		if c, wrong := loadConfig(f.config); wrong == nil {
			if uses, err = devices.UsesOf(c); err != nil {
				return err
			}
			about = f.config
		}
		return devices.Write(to, m, inventory.Check(s, m, uses), devices.Options{Config: about})
	}
}

// lastRounds tells the last rounds of a journal, the latest at the end.
func lastRounds(to io.Writer, path string, most int) error {
	j, err := journal.OpenReadOnly(path)
	if err != nil {
		return err
	}
	var rounds []past.Round
	for round, wrong := range recall.New(j, profile.Built()).Rounds() {
		if wrong != nil {
			err = wrong
			break
		}
		if rounds = append(rounds, round); len(rounds) == most {
			break
		}
	}
	out := bufio.NewWriter(to)
	if len(rounds) == 0 && err == nil {
		fmt.Fprintln(out, "no rounds")
	}
	for i, round := range slices.Backward(rounds) {
		asked{}.tell(round, out)
		if i > 0 {
			fmt.Fprintln(out)
		}
	}
	return errors.Join(err, out.Flush(), j.Close())
}
