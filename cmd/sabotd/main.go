// Sabotd is the daemon at the table: it reads the shoe, runs the rounds, shows the
// dealer what comes next, records everything, and tells the pit.
//
//	sabotd --config /etc/sabot/sabot.yaml
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"

	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/systemd"
	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/table/profile"
)

// The exit statuses.
const (
	exitOK = iota
	exitFailed
	exitUsage
	// exitConfig is EX_CONFIG of sysexits.h, as service managers know it.
	exitConfig = 78
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], terminal.NewWriter(os.Stdout), terminal.NewWriter(os.Stderr)))
}

// flags are the flags of sabotd.
type flags struct {
	config  string
	version bool
}

// about is what sabotd says of itself with -h.
var about = terminal.Usage{
	Line: "sabotd --config FILE",
	What: "run a table: read the shoe, deal the rounds, show the dealer what comes next, record everything and tell " +
		"the pit",
	Arguments: []string{
		"FILE: the table's configuration: sabot config check says what is wrong with one, deploy/sabot.example.yaml " +
			"explains it",
	},
	Examples: []string{"sabotd --config /etc/sabot/sabot.yaml", "sabotd --version"},
}

// parse parses the flags, and writes with -h what the program does.
func parse(args []string, out io.Writer) (flags, error) {
	var f flags
	set := flag.NewFlagSet("sabotd", flag.ContinueOnError)
	terminal.Quiet(set)
	set.StringVar(&f.config, "config", "", "the configuration `file` of the table")
	set.BoolVar(&f.version, "version", false, "print the version and exit")
	if slices.Contains(args, "--demo") || slices.Contains(args, "-demo") {
		return f,
			errors.New("a table without hardware is a separate program: start sabot-demo, with the same flags " +
				"except --demo")
	}
	if err := set.Parse(args); errors.Is(err, flag.ErrHelp) {
		return f, errors.Join(err, about.Write(out, set))
	} else if err != nil {
		return f, fmt.Errorf("%w; see sabotd -h", err)
	}
	switch {
	case set.NArg() > 0:
		return f, fmt.Errorf("%q is not a flag of sabotd; see sabotd -h", set.Arg(0))
	case !f.version && f.config == "":
		return f, errors.New("give --config FILE, see sabotd -h; a table without hardware is sabot-demo")
	}
	return f, nil
}

// run does what the command line asks, and returns the exit status. The options are of tests.
func run(ctx context.Context, args []string, out, errOut io.Writer, options ...host.Option) int {
	f, err := parse(args, out)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		fmt.Fprintln(errOut, "sabotd:", err)
		return exitUsage
	case f.version:
		fmt.Fprintln(out, "sabotd", terminal.Version())
		return exitOK
	}
	if err := serve(ctx, f.config, out, errOut, options...); err != nil {
		fmt.Fprintln(errOut, "sabotd:", err)
		return statusOf(err)
	}
	return exitOK
}

// unfit is a configuration that cannot be used.
type unfit struct{ error }

func (u unfit) Unwrap() error { return u.error }

// statusOf is the exit status of a daemon that has failed.
func statusOf(err error) int {
	if _, is := errors.AsType[unfit](err); is {
		return exitConfig
	}
	return exitFailed
}

// gcPercent makes Go collect garbage twice as often as usual. A table keeps some 2 MiB, so
// the cost is too small to measure, and it saves a quarter of the heap.
const gcPercent = 50

// serve runs the table of a configuration, and again each time that its settings were changed at its own screen.
// Without a configuration it asks for one there.
func serve(ctx context.Context, path string, out, errOut io.Writer, options ...host.Option) error {
	hangup, enough := hangups()
	defer enough()
	t := &tables{
		path: path, houses: profile.Built(), hangup: hangup, restart: make(chan struct{}, 1), out: out,
		errOut: errOut, options: options,
	}
	t.service = systemd.New(t.logger(config.Default().Log))
	debug.SetGCPercent(gcPercent)
	for {
		again, err := t.run(ctx)
		if !again || ctx.Err() != nil {
			return err
		}
	}
}

// logger logs to standard error, and keeps the end of it for the page of devices.
func (t *tables) logger(c configfile.Log) *slog.Logger {
	o := &slog.HandlerOptions{Level: c.Level.Level}
	if c.Format == "json" {
		return slog.New(t.said.Keep(slog.NewJSONHandler(terminal.JSONWriter(terminal.Raw(t.errOut)), o)))
	}
	return slog.New(t.said.Keep(slog.NewTextHandler(terminal.NewWriter(terminal.Raw(t.errOut)), o)))
}
