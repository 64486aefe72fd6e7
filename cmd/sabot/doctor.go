package main

import (
	"context"
	"encoding/json"
	"flag"
	"io"
	"path/filepath"
	"time"

	"github.com/sabot-table/sabot/device/inventory"
	"github.com/sabot-table/sabot/internal/ops/doctor"
	"github.com/sabot-table/sabot/internal/ops/update"
	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/table/profile"
)

// examined are the flags of commands that examine a table.
type examined struct{ config, user, url, key, ca, root string }

func (f *examined) define(set *flag.FlagSet) {
	set.StringVar(&f.config, "config", usualConfig, "the table's configuration `file`")
	set.StringVar(&f.user, "user", "", "the `name` of the user who runs sabotd; default: sabot, if there is one")
	set.StringVar(&f.url, "url", "", "the `address` of the table's page; default: that of the configuration")
	set.StringVar(&f.key, "key", "",
		"the `file` with a screen's key of role view, for a page on a network; by default the variable "+keyVariable)
	set.StringVar(&f.ca, "ca", "",
		"the PEM `file` with the certificate that vouches for the page's; by default the one that the "+
			"configuration names")
	set.StringVar(&f.root, "root", "/",
		"the `folder` in which the system's files are; the configuration and its paths are taken as they are")
}

// ask is what is to be examined.
func (f *examined) ask() (a doctor.Ask, err error) {
	a = doctor.Ask{
		Config: f.config, User: f.user, URL: f.url, Machine: inventory.System(), Houses: profile.Built(),
		Version: terminal.Version(), Updates: filepath.Join(f.root, update.Folder), Now: time.Now(),
	}
	a.Machine.Root = f.root
	var page doctor.OverHTTP
	if page.Key, err = keyFrom(f.key); err != nil { // it is sent only over TLS
		return a, err
	}
	if f.ca != "" {
		o, err := entering("", f.ca, "")
		if err != nil {
			return a, err
		}
		page.TLS = o.TLS
	}
	a.Outside = page.Get
	return a, nil
}

// examine prints what is wrong with a table, and what to do.
func examine(ctx context.Context, set *flag.FlagSet, args []string, e env) error {
	var f examined
	f.define(set)
	asJSON := set.Bool("json", false, "print JSON, on one line")
	if err := none(set, args, e); err != nil {
		return err
	}
	ask, err := f.ask()
	if err != nil {
		return err
	}
	page := doctor.Examine(ctx, ask)
	if *asJSON {
		err = jsonTo(e, false, func(w io.Writer) error { return json.NewEncoder(w).Encode(page) })
	} else {
		err = page.Write(e.out)
	}
	if err == nil && !page.Well() {
		err = errNotWell
	}
	return err
}
