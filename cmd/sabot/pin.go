package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/table/authority"
)

// makePIN prints a supervisor's line for the configuration. It asks for the PIN twice at a
// terminal, and reads it once from anything else.
func makePIN(_ context.Context, args []string, e env) error {
	flags := flag.NewFlagSet("key pin", flag.ContinueOnError)
	digits := flags.Int("digits", authority.LeastDigits, "how many digits the PIN must have at least")
	name, err := one(flags, args, "supervisor's name", e)
	if err != nil {
		return err
	}
	if *digits < authority.LeastDigits || *digits > authority.MostDigits {
		return errUsage(fmt.Sprintf("--digits is %d to %d", authority.LeastDigits, authority.MostDigits))
	}
	if err := authority.CheckName(name); err != nil {
		return errUsage(fmt.Sprintf("%q cannot be written into the record: %v", name, err))
	}
	read := readPIN
	if terminal, ok := e.in.(*os.File); ok && term.IsTerminal(int(terminal.Fd())) {
		read = askPIN
	}
	pin, err := read(name, *digits, e)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.out, "    - {name: %q, pin: %q}\n", name, authority.NewPIN(pin))
	return err
}

// readPIN reads the PIN from standard input, which must be one line.
func readPIN(_ string, digits int, e env) (string, error) {
	pin, err := oneLine(e, "the PIN")
	if err != nil {
		return "", err
	}
	return pin, authority.CheckPIN(pin, digits)
}

// oneLine reads what standard input holds, which must be one line.
func oneLine(e env, what string) (string, error) {
	const most = 1 << 10
	text, err := io.ReadAll(io.LimitReader(e.in, most))
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", what, err)
	}
	line := strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")
	if line == "" || strings.ContainsAny(line, "\r\n") {
		return "", fmt.Errorf("standard input must hold %s on one line, and nothing else", what)
	}
	return line, nil
}

// askPIN asks for the PIN twice, without showing it.
func askPIN(name string, digits int, e env) (string, error) {
	var pin string
	err := hidden(e, func(ask func(string) (string, error)) (err error) {
		if pin, err = ask("PIN for " + name + ": "); err != nil {
			return err
		}
		if err := authority.CheckPIN(pin, digits); err != nil {
			return err
		}
		again, err := ask("Once more: ")
		switch {
		case err != nil:
			return err
		case again != pin:
			return errors.New("the two PINs differ: start again")
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	return pin, nil
}

// hidden lets ask for lines at the terminal that are not shown.
func hidden(e env, asks func(ask func(question string) (string, error)) error) (err error) {
	fd := int(e.in.(*os.File).Fd())
	before, err := term.MakeRaw(fd)
	if err != nil {
		return fmt.Errorf("hiding it on this terminal: %w; give it on standard input instead", err)
	}
	defer func() { err = errors.Join(err, term.Restore(fd, before)) }()
	asking := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{e.in, terminal.Raw(e.err)}, "")
	return asks(func(question string) (string, error) {
		line, err := asking.ReadPassword(question)
		if err != nil {
			return "", fmt.Errorf("no PIN was entered: %w", err)
		}
		return line, nil
	})
}
