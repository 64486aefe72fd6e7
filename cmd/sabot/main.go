// Sabot is the tool for bench and auditor: it replays transcripts, checks
// configurations, reads journals, watches tables, and simulates a shoe.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/sabot-table/sabot/internal/terminal"
)

// The exit statuses.
const (
	exitOK = iota
	// exitFailed: the input is wrong, or could not be read.
	exitFailed
	exitUsage
)

// errUsage is a command line that makes no sense; its text is printed.
type errUsage string

func (e errUsage) Error() string { return string(e) }

// env holds a command's standard streams.
type env struct {
	in io.Reader
	// out and err show visibly what would steer a terminal; terminal.Raw is what is beneath.
	out, err io.Writer
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], env{os.Stdin, os.Stdout, os.Stderr}))
}

func run(ctx context.Context, args []string, e env) (status int) {
	out, errOut := terminal.NewWriter(e.out), terminal.NewWriter(e.err)
	defer func() {
		if err := errors.Join(out.Flush(), errOut.Flush()); err != nil && status == exitOK {
			status = exitFailed
		}
	}()
	e.out, e.err = out, errOut
	err := dispatch(ctx, args, e)
	var usage errUsage
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return exitOK
	case err == errNotWell:
		return exitFailed
	case errors.As(err, &usage):
		fmt.Fprintln(e.err, "sabot:", err)
		return exitUsage
	default:
		fmt.Fprintln(e.err, "sabot:", err)
		return exitFailed
	}
}

func dispatch(ctx context.Context, args []string, e env) error {
	if len(args) == 0 {
		help(e.err)
		return errUsage("which command?")
	}
	for _, arg := range args { // a file may be called anything, and its name comes back in what is printed
		if shown := terminal.Visible(arg); shown != arg {
			return errUsage(shown + " has hidden characters: give it another name, or the file on standard input as -")
		}
	}
	switch {
	case args[0] == "help" && len(args) > 1:
		return dispatch(ctx, append(slices.Clone(args[1:]), "-h"), e)
	case asksForHelp(args[0]):
		help(e.out)
		return nil
	}
	if c, rest, found := find(args); found {
		return c.started(ctx, rest, e)
	}
	if c, moved := byOldName(args[0]); moved {
		fmt.Fprintf(e.err, "sabot %s is sabot %s\n", c.was, c.name)
		return c.started(ctx, args[1:], e)
	}
	if group := inGroup(args[0]); len(group) > 0 {
		return listGroup(group, args, e)
	}
	help(e.err)
	return errUsage(fmt.Sprintf("%q is not a command", args[0]))
}

func asksForHelp(arg string) bool { return arg == "help" || arg == "-h" || arg == "--help" }

// find finds the command that a line begins with, and what follows it. Two words come before one: sabot devices is a
// command, and sabot devices watch another.
func find(args []string) (_ command, rest []string, found bool) {
	all := commands()
	for words := min(2, len(args)); words > 0; words-- {
		name := strings.Join(args[:words], " ")
		if at := slices.IndexFunc(all, func(c command) bool { return c.name == name }); at >= 0 {
			return all[at], args[words:], true
		}
	}
	return command{}, nil, false
}

// started runs a command. A line that makes no sense says whose it is, and who explains it.
func (c command) started(ctx context.Context, args []string, e env) error {
	if err := c.needs.met(runtime.GOOS, e.err); err != nil && !slices.ContainsFunc(args, asksForHelp) {
		return fmt.Errorf("%s %w", c.name, err)
	}
	err := c.run(ctx, flag.NewFlagSet(c.name, flag.ContinueOnError), args, e)
	if wrong, is := errors.AsType[errUsage](err); is {
		return errUsage(fmt.Sprintf("%s: %s; see sabot %s -h", c.name, wrong, c.name))
	}
	return err
}

// byOldName finds a command by a name that it had. Most never had another.
func byOldName(name string) (_ command, moved bool) {
	all := commands()
	at := slices.IndexFunc(all, func(c command) bool { return c.was != "" && c.was == name })
	if at < 0 {
		return command{}, false
	}
	return all[at], true
}

// inGroup returns the commands whose first word is a name, such as journal.
func inGroup(name string) []command {
	return slices.DeleteFunc(commands(), func(c command) bool { return !strings.HasPrefix(c.name, name+" ") })
}

// listGroup answers a line that names a group and no command of it.
func listGroup(group []command, args []string, e env) error {
	switch {
	case len(args) == 1:
		list(e.err, group)
		return errUsage(args[0] + ": which command?")
	case asksForHelp(args[1]):
		list(e.out, group)
		return nil
	}
	list(e.err, group)
	return errUsage(fmt.Sprintf("%s: %q is not a command", args[0], args[1]))
}

// parse parses a command's flags, and says with -h what the command does. Its error is
// flag.ErrHelp or an errUsage.
func parse(set *flag.FlagSet, args []string, e env) error {
	terminal.Quiet(set)
	switch err := set.Parse(args); {
	case err == nil:
		return nil
	case errors.Is(err, flag.ErrHelp):
		return explain(set, e)
	default:
		return errUsage(err.Error())
	}
}

// none parses the flags of a command that takes no other argument.
func none(set *flag.FlagSet, args []string, e env) error {
	if err := parse(set, args, e); err != nil {
		return err
	}
	if set.NArg() > 0 {
		return errUsage(fmt.Sprintf("%q is too much", set.Arg(0)))
	}
	return nil
}

// one parses the flags and returns the single argument that a command takes.
func one(set *flag.FlagSet, args []string, what string, e env) (string, error) {
	if err := parse(set, args, e); err != nil {
		return "", err
	}
	if set.NArg() != 1 {
		return "", errUsage("it takes one " + what)
	}
	return set.Arg(0), nil
}

// several adds a flag that may be given several times.
func several(set *flag.FlagSet, list *[]string, name, usage string) {
	set.Func(name, usage, func(text string) error {
		*list = append(*list, text)
		return nil
	})
}

// jsonTo has lines of JSON written to standard output: with what is hidden in their texts as
// JSON's own escapes or, if raw, byte for byte.
func jsonTo(e env, raw bool, print func(io.Writer) error) error {
	if raw {
		return print(terminal.Raw(e.out))
	}
	out := terminal.JSONWriter(terminal.Raw(e.out))
	return errors.Join(print(out), out.Flush())
}

// rawFlag adds the flag for those who want exact bytes.
func rawFlag(set *flag.FlagSet) *bool {
	return set.Bool("raw", false,
		"print texts byte for byte, even what steers a terminal; without it that is written as JSON's escapes, "+
			"which mean the same")
}

func printVersion(_ context.Context, set *flag.FlagSet, args []string, e env) error {
	if err := none(set, args, e); err != nil {
		return err
	}
	_, err := fmt.Fprintln(e.out, "sabot", terminal.Version())
	return err
}

// open opens a file, or standard input for "-".
func open(path string, e env) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(e.in), nil
	}
	return os.Open(path)
}
