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
	"slices"
	"syscall"

	"github.com/sabot-table/sabot/cmd/internal/usage"
	"github.com/sabot-table/sabot/cmd/internal/version"
	"github.com/sabot-table/sabot/cmd/internal/visible"
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
	// out and err show visibly what would steer a terminal; visible.Raw is what is beneath.
	out, err io.Writer
}

// command is one of sabot's commands.
type command struct {
	name, args, what string
	run              func(ctx context.Context, args []string, e env) error
}

func commands() []command {
	return []command{
		{"replay", "[--house NAME|FILE] FILE|JOURNAL|-", "put a transcript, a journal or a part of one through the engine and print what follows", replay},
		{"check-words", "[--print LANGUAGE] [FILE…]", "list everything that is wrong with language files, and what is not translated; without a file, in Sabot's own", checkWords},
		{"check-config", "[--user NAME] FILE", "list everything that is wrong with a configuration", checkConfig},
		{"config", "history, diff, restore", "list the changes of a configuration, show what one changed, take one back", configs},
		{"pin", "NAME", "make a supervisor's or dealer's line for the configuration; asks for the PIN", makePIN},
		{"badge", "[--like HASH] NAME", "make a dealer's line for the configuration; reads the badge", makeBadge},
		{"screen-key", "[--own] [--url URL] NAME ROLE", "make a key for a screen on the network, and its line for the configuration", screenKey},
		{"certificate", "[--days N] FOLDER NAME…", "make a self-signed certificate for a bench's page", makeCertificate},
		{"rules", "list, show HOUSE, check FILE", "list the houses; show one in plain words; check a house's own file", houseRules},
		{"odds", "[--house HOUSE|FILE] [--set KEY=VALUE] | --compare A B", "work out what the rules are worth: the edge of every wager, and the best play", workOutOdds},
		{"transcript", "JOURNAL", "print a journal's inputs as a transcript", printTranscript},
		{"events", "JOURNAL", "print a journal's outputs, one a line", printEvents},
		{"export", "--to FORMAT JOURNAL PATH", "write a journal's records, events and rounds as tables: SQLite, CSV or Parquet", exportTables},
		{"irregularities", "JOURNAL", "count a journal's irregularities by dealer, shift and kind", printIrregularities},
		{"audit", "[--key FILE] [--audit-key FILE] JOURNAL", "check everything in a journal from its first input on", auditJournal},
		{"verify", "JOURNAL", "check a journal's numbers and its chain of hashes", verify},
		{"journal-key", "[--public] FILE", "make the key that seals a journal, or print the public half of one", journalKey},
		{"audit-key", "JOURNAL", "print the key with which an auditor checks every line of a journal, and forget it at the table", auditKey},
		{"command-key", "[--public] [--person NAME] NAME FILE", "make a key with which the pit signs commands to tables, and its line for the configuration", commandKey},
		{"shoe-key", "FILE", "make a new key for a shoe and this table", shoeKey},
		{"recall", "[--box N] JOURNAL [ROUND]", "show what happened in past rounds, from the record", recallRounds},
		{"state", "JOURNAL [RECORD]", "print in one line where the table stood after a record, for a bug report", printState},
		{"republish", "--config FILE --from N [--to M]", "send events of a table's journal to the pit again", republish},
		{"backup", "[--config FILE] [--recipients FILE] TARGET", "copy a table's journal, configuration and keys to a folder, a stick or another machine, while it deals", backupTable},
		{"restore", "[--identity FILE] [--key FILE] BACKUP", "put a table back from a backup on a new card, or check that it could be", restoreTable},
		{"update", "[--previous FILE] FILE", "install a newer signed package, between two rounds; it is taken back if the table is not ready with it", updateTable},
		{"watch", "[--language NAME] [--ca FILE] [--key FILE] [URL]", "show a running table in this terminal", watch},
		{"doctor", "[--config FILE] [--json]", "say what is right and what is wrong with a table, its computer and its configuration, and what to do", examine},
		{"bundle", "[--config FILE] [--rounds N] PATH", "put logs, configuration, versions and the last rounds of a table, without secrets, into one file for those who help", bundleTable},
		{"devices", "[--config FILE], watch", "list ports, pins and buses, and what is wrong with them; watch them at work", bench},
		{"sim", "[--driver MAKE] [--port …]", "simulate a shoe for the bench, with keys to draw from it", sim},
		{"version", "", "print the version", func(_ context.Context, args []string, e env) error {
			if err := none(flag.NewFlagSet("version", flag.ContinueOnError), args, "it takes nothing", e); err != nil {
				return err
			}
			_, err := fmt.Fprintln(e.out, "sabot", version.String())
			return err
		}},
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], env{os.Stdin, os.Stdout, os.Stderr}))
}

func run(ctx context.Context, args []string, e env) (status int) {
	out, errOut := visible.New(e.out), visible.New(e.err)
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
		if shown := visible.Text(arg); shown != arg {
			return errUsage(shown + " has hidden characters: give it another name, or the file on standard input as -")
		}
	}
	switch {
	case args[0] == "help" && len(args) > 1:
		return dispatch(ctx, append(slices.Clone(args[1:]), "-h"), e)
	case args[0] == "help" || args[0] == "-h" || args[0] == "--help":
		help(e.out)
		return nil
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return c.run(ctx, args[1:], e)
		}
	}
	help(e.err)
	return errUsage(fmt.Sprintf("%q is not a command", args[0]))
}

// parse parses a command's flags, and says with -h what the command does. Its error is
// flag.ErrHelp or an errUsage.
func parse(set *flag.FlagSet, args []string, e env) error {
	usage.Quiet(set)
	switch err := set.Parse(args); {
	case err == nil:
		return nil
	case errors.Is(err, flag.ErrHelp):
		return explain(set.Name(), set, e)
	default:
		return errUsage(set.Name() + ": " + err.Error() + "; see sabot " + set.Name() + " -h")
	}
}

// none parses the flags of a command that takes no other argument.
func none(set *flag.FlagSet, args []string, usage string, e env) error {
	if err := parse(set, args, e); err != nil {
		return err
	}
	if set.NArg() > 0 {
		return errUsage(fmt.Sprintf("%s: %q is too much; %s", set.Name(), set.Arg(0), usage))
	}
	return nil
}

// one parses the flags and returns the single argument that a command takes.
func one(set *flag.FlagSet, args []string, what string, e env) (string, error) {
	if err := parse(set, args, e); err != nil {
		return "", err
	}
	if set.NArg() != 1 {
		return "", errUsage(fmt.Sprintf("%s takes one %s", set.Name(), what))
	}
	return set.Arg(0), nil
}

// jsonTo has lines of JSON written to standard output: with what is hidden in their texts as
// JSON's own escapes or, if raw, byte for byte.
func jsonTo(e env, raw bool, print func(io.Writer) error) error {
	if raw {
		return print(visible.Raw(e.out))
	}
	out := visible.JSON(visible.Raw(e.out))
	return errors.Join(print(out), out.Flush())
}

// rawFlag adds the flag for those who want exact bytes.
func rawFlag(set *flag.FlagSet) *bool {
	return set.Bool("raw", false, "print texts byte for byte, even what steers a terminal; without it that is written as JSON's escapes, which mean the same")
}

// open opens a file, or standard input for "-".
func open(path string, e env) (io.ReadCloser, error) {
	if path == "-" {
		return io.NopCloser(e.in), nil
	}
	return os.Open(path)
}
