// Sabot-demo is a whole table without hardware: shoe, dealer, players, panel and MQTT
// broker are simulated, everything between them is as in a house.
//
//	sabot-demo --house mendrisio --pace 200ms
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/sabot-table/sabot/cmd/internal/usage"
	"github.com/sabot-table/sabot/cmd/internal/version"
	"github.com/sabot-table/sabot/shoe/makes"
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

// flags are the flags of sabot-demo.
type flags struct {
	version bool
	options demoOptions
}

// page is what sabot-demo says of itself with -h.
var page = usage.Page{
	Line: "sabot-demo [--house HOUSE] [--shoe MAKE] [--by-hand]",
	What: "run a whole table without hardware: shoe, dealer, players, panel and MQTT broker are simulated, everything between them is as in a house",
	Arguments: []string{
		"HOUSE: one of sabot rules list, or the file of a house's own, which ends in .yaml",
		"MAKE: the make of shoe that is simulated",
	},
	Examples: []string{"sabot-demo --house mendrisio --pace 200ms", "sabot-demo --rounds 3 --pace 0s --web 127.0.0.1:0 --broker 127.0.0.1:0"},
}

// parse parses the flags, and writes with -h what the program does.
func parse(args []string, out io.Writer) (flags, error) {
	var f flags
	set := flag.NewFlagSet("sabot-demo", flag.ContinueOnError)
	usage.Quiet(set)
	set.BoolVar(&f.version, "version", false, "print the version and exit")
	set.DurationVar(&f.options.pace, "pace", 700*time.Millisecond, "the `time` between two movements of the dealer's hand; 0s is as fast as possible")
	set.Uint64Var(&f.options.seed, "seed", 1, "the `number` that decides cards and stakes")
	set.Uint64Var(&f.options.rounds, "rounds", 0, "the `number` of rounds to deal before it ends; 0 is without end")
	set.StringVar(&f.options.house, "house", "wiesbaden", "the `house` whose rules are played; a name that ends in .yaml is a house's own file")
	set.StringVar(&f.options.shoe, "shoe", makes.All[0].Name, "the `make` of shoe to simulate:  "+strings.Join(makes.Names(), ", "))
	set.StringVar(&f.options.web, "web", "127.0.0.1:8080", "the `address` of the page; port 0 takes any free port")
	set.StringVar(&f.options.broker, "broker", "127.0.0.1:1883", "the `address` of the MQTT broker; port 0 takes any free port")
	set.StringVar(&f.options.journal, "journal", "", "keep the journal in this `folder`, and the key that seals it next to it; by default both are deleted at the end")
	set.StringVar(&f.options.practice, "practice", practiceFile(), "keep the results of those who practise in this `file`; \"\" keeps them until the program ends")
	set.BoolVar(&f.options.byHand, "by-hand", false, "the simulated dealer does nothing: the person at the page /bench deals")
	if err := set.Parse(args); errors.Is(err, flag.ErrHelp) {
		return f, errors.Join(err, page.Write(out, set))
	} else if err != nil {
		return f, fmt.Errorf("%w; see sabot-demo -h", err)
	}
	_, unknown := makes.Named(f.options.shoe)
	switch {
	case set.NArg() > 0:
		return f, fmt.Errorf("%q is not a flag of sabot-demo; see sabot-demo -h", set.Arg(0))
	case unknown != nil:
		return f, fmt.Errorf("--shoe: %w", unknown)
	case f.options.pace < 0:
		return f, errors.New("--pace cannot be negative")
	}
	return f, nil
}

func run(ctx context.Context, args []string, out, errOut io.Writer) int {
	f, err := parse(args, out)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		fmt.Fprintln(errOut, "sabot-demo:", err)
		return exitUsage
	case f.version:
		fmt.Fprintln(out, "sabot-demo", version.String())
		return exitOK
	}
	if err := demo(ctx, f.options, out, errOut); err != nil {
		fmt.Fprintln(errOut, "sabot-demo:", err)
		return exitFailed
	}
	return exitOK
}
