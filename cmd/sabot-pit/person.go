package main

import (
	"context"
	"errors"
	"flag"
	"io"

	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/pit"
)

// person looks after the people who may enter.
var person = command{
	name: "person",
	page: terminal.Usage{
		Line: "sabot-pit person --config FILE DOES [NAME [ROLE | SITES]]",
		What: "look after the people who may see the pit's pages, also while sabot-pit runs",
		Arguments: []string{
			configFile,
			"DOES: add, role, sites, reset, let-in, remove, restore, list or log; docs/pit-people.md says more",
			"NAME: the person's name, 1 to 32 characters",
			"ROLE: viewer, cashier, supervisor, technician or manager",
		},
		Examples: []string{
			"sabot-pit person --config /etc/sabot/pit.yaml add anna manager",
			"sabot-pit person --config /etc/sabot/pit.yaml list",
		},
	},
	flags: personFlags,
}

func personFlags(set *flag.FlagSet) func(context.Context, []string, io.Writer, io.Writer) error {
	path := set.String("config", "", "the configuration `file` of the pit")
	return func(ctx context.Context, args []string, out, errOut io.Writer) error {
		if err := checkPerson(args); err != nil {
			return wrongUse{err}
		}
		c, log, err := load(*path, errOut)
		if err != nil {
			return err
		}
		kept, err := pit.OpenStore(ctx, c, log)
		if err != nil {
			return err
		}
		return errors.Join(lookAfter(ctx, args, kept, c.Store.TimeZone.Location, out), kept.Close())
	}
}
