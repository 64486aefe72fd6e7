package main

import (
	"context"
	"crypto/ed25519"
	"flag"
	"fmt"

	"github.com/sabot-table/sabot/table/journal"
)

// journalKey makes the key with which a table seals its journal, and prints its
// public half, which the auditor keeps. The private half stays in the file.
func journalKey(_ context.Context, args []string, e env) error {
	set := flag.NewFlagSet("key journal", flag.ContinueOnError)
	known := set.Bool("public", false, "print the public half of the key in the file, and make no new one")
	path, err := one(set, args, "file", e)
	if err != nil {
		return err
	}
	public, err := publicKey(path, *known)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(e.out, journal.PublicLine(public))
	return err
}

func publicKey(path string, known bool) (ed25519.PublicKey, error) {
	if !known {
		return journal.NewKeyFile(path)
	}
	private, err := journal.ReadKeyFile(path)
	if err != nil {
		return nil, err
	}
	return private.Public().(ed25519.PublicKey), nil
}
