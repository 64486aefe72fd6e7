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
func journalKey(_ context.Context, set *flag.FlagSet, args []string, e env) error {
	known := set.Bool("public", false, "print the public half of the key in the file, and make no new one")
	path, err := one(set, args, "file", e)
	if err != nil {
		return err
	}
	public, err := publicHalf(path, *known, journal.NewKeyFile, journal.ReadKeyFile)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(e.out, journal.PublicLine(public))
	return err
}

// publicHalf is the public half of a key that is made, or, if known, read.
func publicHalf(path string, known bool, create func(string) (ed25519.PublicKey, error),
	read func(string) (ed25519.PrivateKey, error),
) (ed25519.PublicKey, error) {
	if !known {
		return create(path)
	}
	private, err := read(path)
	if err != nil {
		return nil, err
	}
	return private.Public().(ed25519.PublicKey), nil
}
