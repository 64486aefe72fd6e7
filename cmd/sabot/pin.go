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
func makePIN(_ context.Context, set *flag.FlagSet, args []string, e env) error {
	digits := set.Int("digits", authority.LeastDigits, "how many digits the PIN must have at least")
	name, err := one(set, args, "supervisor's name", e)
	if err != nil {
		return err
	}
	if *digits < authority.LeastDigits || *digits > authority.MostDigits {
		return errUsage(fmt.Sprintf("--digits is %d to %d", authority.LeastDigits, authority.MostDigits))
	}
	if err := authority.CheckName(name); err != nil {
		return errUsage(fmt.Sprintf("%q cannot be written into the record: %v", name, err))
	}
	pin, err := readSecret(e, "the PIN", "PIN for "+name+": ", "the two PINs differ: start again",
		func(text string) (string, error) { return text, authority.CheckPIN(text, *digits) })
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.out, "    - {name: %q, pin: %q}\n", name, authority.NewPIN(pin))
	return err
}

// readSecret reads what must not be shown: asked for twice at a terminal, and once, on one line, from anything else.
// valid says whether a text is one, and what it means.
func readSecret(e env, what, question, differ string, valid func(string) (string, error)) (is string, err error) {
	if terminal, ok := e.in.(*os.File); !ok || !term.IsTerminal(int(terminal.Fd())) {
		line, err := oneLine(e, what)
		if err != nil {
			return "", err
		}
		return valid(line)
	}
	err = hidden(e, func(ask func(string) (string, error)) error {
		text, err := ask(question)
		if err != nil {
			return err
		}
		if is, err = valid(text); err != nil {
			return err
		}
		if text, err = ask("Once more: "); err != nil {
			return err
		}
		if again, err := valid(text); err != nil || again != is {
			return errors.New(differ)
		}
		return nil
	})
	return is, err
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
