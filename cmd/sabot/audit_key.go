package main

import (
	"context"
	"flag"
	"fmt"

	"github.com/sabot-table/sabot/table/journal"
)

// auditKey hands out the audit keys of a table, once: they are removed as soon as they are printed, since whoever has
// one at the table could write its journal anew.
func auditKey(_ context.Context, set *flag.FlagSet, args []string, e env) error {
	path, err := one(set, args, "journal", e)
	if err != nil {
		return err
	}
	keys, err := journal.AuditKeys(path)
	if err != nil {
		return err
	}
	for _, key := range keys {
		if _, err := fmt.Fprintln(e.out, key.Line()); err != nil {
			return err
		}
	}
	if out, waits := e.out.(interface{ Flush() error }); waits {
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return journal.ForgetAuditKeys(path)
}
