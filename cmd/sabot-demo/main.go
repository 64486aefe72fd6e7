// Sabot-demo is a whole table without hardware, or a floor of them: shoe, dealer, players,
// panel and MQTT broker are simulated, everything between them is as in a house.
//
//	sabot-demo --house mendrisio --pace 200ms
//	sabot-demo --floor --tables 12
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

	"github.com/sabot-table/sabot/internal/terminal"
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
	os.Exit(run(ctx, os.Args[1:], terminal.NewWriter(os.Stdout), terminal.NewWriter(os.Stderr)))
}

// flags are the flags of sabot-demo.
type flags struct {
	version bool
	options demoOptions
}

// page is what sabot-demo says of itself with -h.
var page = terminal.Usage{
	Line: "sabot-demo [--house HOUSE] [--shoe MAKE] [--by-hand], or sabot-demo --floor [--tables N]",
	What: "run a whole table without hardware, or a floor of tables: shoe, dealer, players, panel and MQTT broker " +
		"are simulated, everything between them is as in a house",
	Arguments: []string{
		"HOUSE: one of sabot rules list, or the file of a house's own, which ends in .yaml",
		"MAKE: the make of shoe that is simulated",
	},
	Examples: []string{
		"sabot-demo --house mendrisio --pace 200ms",
		"sabot-demo --rounds 3 --pace 0s --web 127.0.0.1:0 --broker 127.0.0.1:0", "sabot-demo --floor --tables 12",
	},
}

// parse parses the flags, and writes with -h what the program does.
func parse(args []string, out io.Writer) (flags, error) {
	var f flags
	set := flag.NewFlagSet("sabot-demo", flag.ContinueOnError)
	terminal.Quiet(set)
	set.BoolVar(&f.version, "version", false, "print the version and exit")
	set.DurationVar(&f.options.pace, "pace", 700*time.Millisecond,
		"the `time` between two movements of the dealer's hand; 0s is as fast as possible; with --floor 400ms if it "+
			"is not given")
	set.Uint64Var(&f.options.seed, "seed", 1, "the `number` that decides cards and stakes")
	set.Uint64Var(&f.options.rounds, "rounds", 0, "the `number` of rounds to deal before it ends; 0 is without end")
	set.StringVar(&f.options.house, "house", "wiesbaden",
		"the `house` whose rules are played; a name that ends in .yaml is a house's own file")
	set.StringVar(&f.options.shoe, "shoe", makes.All[0].Name, "the `make` of shoe to simulate:  "+
		strings.Join(makes.Names(), ", "))
	set.StringVar(&f.options.web, "web", "127.0.0.1:8080", "the `address` of the page; port 0 takes any free port")
	set.StringVar(&f.options.broker, "broker", "127.0.0.1:1883",
		"the `address` of the MQTT broker; port 0 takes any free port")
	set.StringVar(&f.options.journal, "journal", "",
		"keep the journal in this `folder`, and the key that seals it next to it; by default both are deleted at "+
			"the end")
	set.StringVar(&f.options.practice, "practice", practiceFile(),
		"keep the results of those who practise in this `file`; \"\" keeps them until the program ends")
	set.BoolVar(&f.options.byHand, "by-hand", false,
		"the simulated dealer does nothing: the person at the page /bench deals")
	set.BoolVar(&f.options.floor, "floor", false, "run a floor of tables, and the pit that hears them")
	set.IntVar(&f.options.tables, "tables", 12, "with --floor, the `number` of tables, over all houses")
	set.IntVar(&f.options.nights, "nights", 7,
		"with --floor, the `number` of earlier nights that are dealt at the start; 0 for none")
	if err := set.Parse(args); errors.Is(err, flag.ErrHelp) {
		return f, errors.Join(err, page.Write(out, set))
	} else if err != nil {
		return f, fmt.Errorf("%w; see sabot-demo -h", err)
	}
	given := map[string]bool{}
	set.Visit(func(one *flag.Flag) { given[one.Name] = true })
	if f.options.floor && !given["pace"] {
		f.options.pace = floorPace
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
	return f, f.fits(given)
}

// Of one table or of a floor alone.
var (
	ofTable = []string{"house", "shoe", "rounds", "by-hand"}
	ofFloor = []string{"tables", "nights"}
)

// floorPace is the pace of a floor for which none is given: livelier than a person deals, so that a few minutes show
// much.
const floorPace = 400 * time.Millisecond

// mostTables and mostNights bound what is dealt at the start.
const mostTables, mostNights = 60, 31

// fits refuses flags that mean nothing together.
func (f flags) fits(given map[string]bool) error {
	for _, name := range ofTable {
		if f.options.floor && given[name] {
			return fmt.Errorf("--%s is of one table, and not for --floor; see sabot-demo -h", name)
		}
	}
	for _, name := range ofFloor {
		if !f.options.floor && given[name] {
			return fmt.Errorf("--%s is for --floor; see sabot-demo -h", name)
		}
	}
	switch {
	case f.options.tables < 1 || f.options.tables > mostTables:
		return fmt.Errorf("--tables %d: give a number from 1 to %d", f.options.tables, mostTables)
	case f.options.nights < 0 || f.options.nights > mostNights:
		return fmt.Errorf("--nights %d: give a number from 0 to %d", f.options.nights, mostNights)
	}
	return nil
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
		fmt.Fprintln(out, "sabot-demo", terminal.Version())
		return exitOK
	}
	start := demo
	if f.options.floor {
		start = demoFloor
	}
	if err := start(ctx, f.options, out, errOut); err != nil {
		fmt.Fprintln(errOut, "sabot-demo:", err)
		return exitFailed
	}
	return exitOK
}
