//go:build !linux

package main

import (
	"context"
	"errors"
)

// sim is missing here: the simulated shoe needs what only Linux has.
func sim(context.Context, []string, env) error {
	return errors.New("the simulated shoe needs Linux: run sabot sim there, and reach it by --port tcp://HOST:PORT")
}
