package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"golang.org/x/term"

	"github.com/sabot-table/sabot/table/authority"
)

// makeBadge prints what a dealer's badge adds to the configuration. At a terminal it waits for
// the reader to type the number, twice, and reads it once from anything else.
func makeBadge(_ context.Context, args []string, e env) error {
	flags := flag.NewFlagSet("key badge", flag.ContinueOnError)
	like := flags.String("like", "",
		"hash of another badge of the house: with its salt the table finds all of them at once")
	name, err := one(flags, args, "dealer's name or number", e)
	if err != nil {
		return err
	}
	if err := authority.CheckName(name); err != nil {
		return errUsage(fmt.Sprintf("%q cannot be written into the record: %v", name, err))
	}
	hashed := authority.NewHash
	if *like != "" {
		other, err := authority.ParseHash(*like)
		if err != nil {
			return errUsage(fmt.Sprintf("what follows --like %v", err))
		}
		hashed = other.Like
	}
	read := readBadge
	if terminal, ok := e.in.(*os.File); ok && term.IsTerminal(int(terminal.Fd())) {
		read = askBadge
	}
	number, err := read(name, e)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.out, "    - {name: %q, badge: %q}\n", name, hashed(number))
	return err
}

// readBadge reads the number from standard input, which must be one line.
func readBadge(_ string, e env) (string, error) {
	line, err := oneLine(e, "the badge's number")
	if err != nil {
		return "", err
	}
	return authority.Badged(line)
}

// askBadge has the badge read twice, without showing its number.
func askBadge(name string, e env) (string, error) {
	var number string
	err := hidden(e, func(ask func(string) (string, error)) error {
		first, err := ask("Hold the badge of " + name + " to the reader: ")
		if err != nil {
			return err
		}
		if number, err = authority.Badged(first); err != nil {
			return err
		}
		again, err := ask("Once more: ")
		if err != nil {
			return err
		}
		if again, err = authority.Badged(again); err != nil {
			return err
		}
		if again != number {
			return errors.New("the reader typed two different numbers: start again")
		}
		return nil
	})
	return number, err
}
