// Sabotd is the daemon at the table: it reads the shoe, runs the rounds, shows the
// dealer what comes next, records everything, and tells the pit.
//
//	sabotd --config /etc/sabot/sabot.yaml    a table
//	sabotd --demo                            a whole table without hardware
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
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/sabot-table/sabot/cmd/internal/config"
	"github.com/sabot-table/sabot/cmd/internal/daemon"
	"github.com/sabot-table/sabot/cmd/internal/version"
	"github.com/sabot-table/sabot/table/profile"
)

// The exit statuses.
const (
	exitOK = iota
	exitFailed
	exitUsage
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// flags are what a person types.
type flags struct {
	config  string
	version bool
	demo    bool
	options demoOptions
}

func parse(args []string, errOut io.Writer) (flags, error) {
	var f flags
	set := flag.NewFlagSet("sabotd", flag.ContinueOnError)
	set.SetOutput(errOut)
	set.StringVar(&f.config, "config", "", "the configuration `file` of the table")
	set.BoolVar(&f.version, "version", false, "print the version and end")
	set.BoolVar(&f.demo, "demo", false, "run a whole table without hardware: simulated shoe, dealer and players, and an MQTT broker")
	set.DurationVar(&f.options.pace, "pace", 700*time.Millisecond, "demo: the `time` between two movements of the dealer's hand; 0s is as fast as it goes")
	set.Uint64Var(&f.options.seed, "seed", 1, "demo: the `number` that decides cards and stakes")
	set.Uint64Var(&f.options.rounds, "rounds", 0, "demo: the `number` of rounds to deal, then end; 0 deals on")
	set.StringVar(&f.options.house, "house", "wiesbaden", "demo: the `house` whose rules are played; a name that ends in .yaml is a house's own file")
	set.StringVar(&f.options.shoe, "shoe", config.Sabot, "demo: the `make` of shoe that is simulated: "+strings.Join(config.Drivers(), ", "))
	set.StringVar(&f.options.web, "web", "127.0.0.1:8080", "demo: the `address` of the page; port 0 takes any")
	set.StringVar(&f.options.broker, "broker", "127.0.0.1:1883", "demo: the `address` of the MQTT broker; port 0 takes any")
	set.StringVar(&f.options.journal, "journal", "", "demo: keep the journal in this `folder`, and the key that seals it beside it; without it, both are thrown away at the end")
	set.BoolVar(&f.options.byHand, "by-hand", false, "demo: the simulated dealer keeps his hands off: whoever has the page /bench deals")
	if err := set.Parse(args); err != nil {
		return f, err
	}
	switch {
	case set.NArg() > 0:
		return f, fmt.Errorf("%q is no flag of sabotd; see sabotd -h", set.Arg(0))
	case !f.version && f.demo == (f.config != ""):
		return f, errors.New("give either --config FILE or --demo; see sabotd -h")
	case !slices.Contains(config.Drivers(), f.options.shoe):
		return f, fmt.Errorf("--shoe %s: no shoe is called so; choose one of %s", f.options.shoe, strings.Join(config.Drivers(), ", "))
	case f.options.pace < 0:
		return f, errors.New("--pace cannot be less than 0s")
	}
	return f, nil
}

func run(ctx context.Context, args []string, out, errOut io.Writer) int {
	f, err := parse(args, errOut)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		fmt.Fprintln(errOut, "sabotd:", err)
		return exitUsage
	case f.version:
		fmt.Fprintln(out, "sabotd", version.String())
		return exitOK
	case f.demo:
		err = demo(ctx, f.options, out, errOut)
	default:
		err = serve(ctx, f.config, out, errOut)
	}
	if err != nil {
		fmt.Fprintln(errOut, "sabotd:", err)
		return exitFailed
	}
	return exitOK
}

// serve runs the table of a configuration.
func serve(ctx context.Context, path string, out, errOut io.Writer) error {
	hangup, enough := hangups()
	defer enough()
	houses := profile.Built()
	c, err := config.Load(path, houses)
	if err != nil {
		return fmt.Errorf("the configuration cannot be used:\n%w", err)
	}
	log := logger(c.Log, errOut)
	slog.SetDefault(log) // what libraries log by themselves comes in the same form
	d, err := daemon.Open(c, c.Houses(houses), version.String(), log)
	if err != nil {
		return err
	}
	running, end := context.WithCancel(ctx)
	defer end()
	go reloadOn(running, hangup, path, houses, d, log)
	fmt.Fprintf(out, "sabotd ready: table %s, boot %d, page %s\n", c.Table, d.Boot(), d.URL())
	return errors.Join(d.Run(ctx), d.Close())
}

func logger(c config.Log, w io.Writer) *slog.Logger {
	o := &slog.HandlerOptions{Level: c.Level.Level}
	if c.Format == "json" {
		return slog.New(slog.NewJSONHandler(w, o))
	}
	return slog.New(slog.NewTextHandler(w, o))
}
