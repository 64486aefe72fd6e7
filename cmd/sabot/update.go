package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/user"
	"time"

	"github.com/sabot-table/sabot/internal/ops/update"
	"github.com/sabot-table/sabot/internal/terminal"
)

const (
	// updateRequests is the table's user's.
	updateRequests = "/var/lib/sabot/update"
	// updateKeys is beside /etc/sabot, and not in it: the table's user may write there.
	updateKeys = "/etc/sabot-release.pub"

	updatePatience = 2 * time.Minute
	updateSteady   = 5 * time.Second
)

// updateFlags are the flags of sabot update.
type updateFlags struct {
	config, keys, previous string
	folder, requests       string
	run, status, noWait    bool
}

// updateTable asks root's part to install a package, and waits for what came of it.
func updateTable(ctx context.Context, set *flag.FlagSet, args []string, e env) error {
	var f updateFlags
	set.StringVar(&f.config, "config", usualConfig, "the table's configuration `file`")
	set.StringVar(&f.keys, "keys", updateKeys,
		"the `file` with the public keys of releases, which root alone may write to")
	set.StringVar(&f.previous, "previous", "",
		"the `file` with the package that is installed now, and its signature, if it is not kept yet")
	set.StringVar(&f.folder, "folder", update.Folder, "the `folder` of root's part")
	set.StringVar(&f.requests, "requests", updateRequests, "the `folder` for packages that are to be installed")
	set.BoolVar(&f.noWait, "no-wait", false, "do not wait for what comes of it")
	set.BoolVar(&f.status, "status", false, "say what came of the last update, and install nothing")
	set.BoolVar(&f.run, "run", false, "do what is asked for, as root; sabot-update.service does")
	if err := parse(set, args, e); err != nil {
		return err
	}
	switch {
	case (f.run || f.status) && set.NArg() > 0, !f.run && !f.status && set.NArg() != 1:
		return errUsage("it takes one package, or --status, or --run")
	case f.run:
		return f.system(e).Run(ctx)
	case f.status:
		st, err := update.Look(f.folder)
		if err != nil {
			return err
		}
		return tellUpdate(e, &st)
	}
	return f.ask(ctx, set.Arg(0), e)
}

// system is the machine as root's part sees it.
func (f *updateFlags) system(e env) *update.System {
	return &update.System{
		Folder: f.folder, Requests: f.requests, KeyFile: f.keys, Patience: updatePatience, Pause: time.Second,
		Now: time.Now, Slots: update.SlotsHere(),
		Table: &update.Live{Path: f.config, Unit: "sabotd.service", Steady: updateSteady},
		Log:   slog.New(slog.NewTextHandler(terminal.NewWriter(terminal.Raw(e.err)), nil)),
	}
}

// ask judges the package, so that most of what is wrong is told at once, and hands it over.
func (f *updateFlags) ask(ctx context.Context, file string, e env) error {
	keys, err := update.Keys(f.keys)
	if err != nil {
		return err
	}
	p, err := (&update.System{Slots: update.SlotsHere()}).Judge(ctx, file, keys)
	if err != nil {
		return fmt.Errorf("nothing was installed: %w", err)
	}
	desk := update.Desk{Folder: f.folder, Requests: f.requests}
	id, err := desk.Ask(ctx, file, f.previous, asker())
	if err != nil {
		return fmt.Errorf("nothing was installed: %w", err)
	}
	fmt.Fprintf(e.out,
		"version %s is signed by the releases' key and is handed over: it is installed when no round is open\n",
		p.Version)
	if f.noWait {
		return nil
	}
	st, err := desk.Follow(ctx, id, func(st *update.State) { fmt.Fprintln(e.out, st.Doing()) })
	if err != nil {
		return err
	}
	return tellUpdate(e, &st)
}

// asker is who asks, by name.
func asker() string {
	name := cmp.Or(os.Getenv("SUDO_USER"), os.Getenv("LOGNAME"))
	if me, err := user.Current(); err == nil {
		name = cmp.Or(name, me.Username)
	}
	return name
}

func tellUpdate(e env, st *update.State) error {
	if err := st.Err(); err != nil {
		return err
	}
	switch {
	case st.Step == "":
		fmt.Fprintln(e.out, "no update was ever asked for here")
	case st.To == "":
		fmt.Fprintf(e.out, "an update is under way: %s\n", st.Doing())
	case st.UnderWay():
		fmt.Fprintf(e.out, "the update from %s to %s is under way: %s\n", st.From, st.To, st.Doing())
	default:
		fmt.Fprintf(e.out, "version %s is installed in place of %s, and the table is ready\n", st.To, st.From)
	}
	return nil
}
