package main

import (
	"context"
	"flag"
	"fmt"

	"github.com/sabot-table/sabot/table/authority"
)

// makeBadge prints what a dealer's badge adds to the configuration. At a terminal it waits for
// the reader to type the number, twice, and reads it once from anything else.
func makeBadge(_ context.Context, set *flag.FlagSet, args []string, e env) error {
	like := set.String("like", "",
		"hash of another badge of the house: with its salt the table finds all of them at once")
	name, err := one(set, args, "dealer's name or number", e)
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
	number, err := readSecret(e, "the badge's number", "Hold the badge of "+name+" to the reader: ",
		"the reader typed two different numbers: start again", authority.Badged)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.out, "    - {name: %q, badge: %q}\n", name, hashed(number))
	return err
}
