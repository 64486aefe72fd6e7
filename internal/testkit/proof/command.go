package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// command is a program with its arguments.
type command struct {
	name string
	args []string
	env  []string // besides the usual
}

// shell is a line for the shell.
func shell(line string) command {
	return command{name: "bash", args: []string{"-c", "set -euo pipefail; " + line}}
}

// run runs a command to its end; what it prints goes to out.
func (c command) run(ctx context.Context, out io.Writer) error { return c.runApart(ctx, out, out) }

// runApart runs a command whose results go to one place and whose remarks to another.
func (c command) runApart(ctx context.Context, out, remarks io.Writer) error {
	cmd := exec.CommandContext(ctx, c.name, c.args...)
	cmd.Env = append(os.Environ(), c.env...)
	cmd.Stdout, cmd.Stderr = out, remarks
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 30 * time.Second
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", c, err)
	}
	return nil
}

// output runs a command and returns its standard output. What it says on standard error is no part of that: with an
// empty module cache Go tells there what it downloads.
func (c command) output(ctx context.Context) (string, error) {
	var text, remarks strings.Builder
	err := c.runApart(ctx, &text, &remarks)
	if err != nil {
		err = fmt.Errorf("%w\n%s%s", err, text.String(), remarks.String())
	}
	return text.String(), err
}

func (c command) String() string { return strings.Join(append([]string{c.name}, c.args...), " ") }
