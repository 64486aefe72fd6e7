//go:build !linux

package main

import (
	"context"
	"errors"
	"flag"
)

// sim is missing here: the simulated shoe needs what only Linux has.
func sim(_ context.Context, set *flag.FlagSet, args []string, e env) error {
	if err := parse(set, args, e); errors.Is(err, flag.ErrHelp) {
		return err
	}
	return errors.New("the simulated shoe needs Linux: run sabot shoe sim there, and reach it by --port " +
		"tcp://HOST:PORT")
}
