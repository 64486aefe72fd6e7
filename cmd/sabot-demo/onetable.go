//go:build onetable

package main

import (
	"context"
	"errors"
	"io"
)

// demoFloor is not in what make run builds: the pit brings databases and sign-in, which cost five times what a table
// costs to download and to compile.
func demoFloor(context.Context, demoOptions, io.Writer, io.Writer) error {
	return errors.New("this sabot-demo was built for one table (tag onetable): make run-floor builds and runs a floor")
}
