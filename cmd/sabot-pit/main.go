// Sabot-pit is the pit's server: it hears all tables of a site over MQTT, keeps their journals in a database,
// and shows the floor on its pages.
//
//	sabot-pit --config /etc/sabot/pit.yaml
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
	_ "time/tzdata" // a house in a container has its time zone, too

	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/systemd"
	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/pit"
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

// command is something that sabot-pit does.
type command struct {
	name string // "" for what it does without a word
	page terminal.Usage
	// flags defines the flags, and returns what the command does once they are read.
	flags func(*flag.FlagSet) func(ctx context.Context, args []string, out, errOut io.Writer) error
}

// wrongUse is an error of whoever typed the command.
type wrongUse struct{ error }

// unfit is a configuration that cannot be used.
type unfit struct{ error }

func (u unfit) Unwrap() error { return u.error }

var configFile = "FILE: the pit's configuration: sabot-pit check-config says what is wrong with one, " +
	"deploy/pit.example.yaml explains it"

// aTable is what --table takes, and tableName that as an argument.
const (
	aTable    = "the table's `name`; SITE/NAME for one of a house, at a hub"
	tableName = "NAME: the table whose journal it is; SITE/NAME for one of a house, at a hub"
)

var commands = []command{
	{
		page: terminal.Usage{
			Line: "sabot-pit --config FILE | sabot-pit COMMAND",
			What: "run the pit: hear all tables, keep their journals, and show the floor on its pages",
			Arguments: []string{
				configFile,
				"COMMAND: check-config, refill, compare, rebuild, export, witness, backup, restore, accept, " +
					"broker or person; sabot-pit COMMAND -h says more",
			},
			Examples: []string{
				"sabot-pit --config /etc/sabot/pit.yaml", "sabot-pit check-config /etc/sabot/pit.yaml",
				"sabot-pit --version",
			},
		},
		flags: serveFlags,
	},
	{
		name: "check-config",
		page: terminal.Usage{
			Line: "sabot-pit check-config [--user NAME] FILE",
			What: "list everything that is wrong with a configuration",
			Arguments: []string{"NAME: the user who runs sabot-pit; without it you are or, for root, whoever has " +
				"the folder of the database", "FILE: a configuration of the pit"},
			Examples: []string{"sabot-pit check-config /etc/sabot/pit.yaml"},
		},
		flags: checkFlags,
	},
	{
		name: "refill",
		page: terminal.Usage{
			Line: "sabot-pit refill --config FILE [--table NAME --journal FOLDER]",
			What: "fill in what the database lacks, from the tables or from the folder of a journal, while no " +
				"sabot-pit runs",
			Arguments: []string{
				configFile,
				tableName,
				"FOLDER: a journal, or a copy of one, such as one that a table has set aside",
			},
			Examples: []string{
				"sabot-pit refill --config /etc/sabot/pit.yaml",
				"sabot-pit refill --config /etc/sabot/pit.yaml --table bj-1 --journal /media/bj-1/journal",
			},
		},
		flags: refillFlags,
	},
	{
		name: "compare",
		page: terminal.Usage{
			Line: "sabot-pit compare --config FILE [--table NAME --journal FOLDER]",
			What: "compare a journal with what the database has of it, byte for byte; without one, all figures " +
				"with the records that the database has",
			Arguments: []string{
				configFile, tableName,
				"FOLDER: the journal, or a copy of it",
			},
			Examples: []string{"sabot-pit compare --config /etc/sabot/pit.yaml --table bj-1 --journal " +
				"/media/bj-1/journal", "sabot-pit compare --config /etc/sabot/pit.yaml"},
		},
		flags: compareFlags,
	},
	person,
	brokerUsers,
}

func run(ctx context.Context, args []string, out, errOut io.Writer) int {
	chosen := commands[0]
	for _, c := range slices.Concat(commands[1:], upkeep) {
		if len(args) > 0 && args[0] == c.name {
			chosen, args = c, args[1:]
		}
	}
	set := flag.NewFlagSet("sabot-pit", flag.ContinueOnError)
	terminal.Quiet(set)
	does := chosen.flags(set)
	err := set.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		if chosen.page.Write(out, set) != nil {
			return exitFailed
		}
		return exitOK
	}
	if err != nil {
		err = wrongUse{err}
	} else {
		err = does(ctx, set.Args(), out, errOut)
	}
	if err == nil {
		return exitOK
	}
	if wrong, is := errors.AsType[wrongUse](err); is {
		fmt.Fprintf(errOut, "sabot-pit: %v; see %s -h\n", wrong, strings.TrimSpace("sabot-pit "+chosen.name))
		return exitUsage
	}
	fmt.Fprintln(errOut, "sabot-pit:", err)
	if _, is := errors.AsType[unfit](err); is {
		return exitConfig
	}
	return exitFailed
}

func serveFlags(set *flag.FlagSet) func(context.Context, []string, io.Writer, io.Writer) error {
	path := set.String("config", "", "the configuration `file` of the pit")
	asked := set.Bool("version", false, "print the version and exit")
	return func(ctx context.Context, args []string, out, errOut io.Writer) error {
		if *asked {
			_, err := fmt.Fprintln(out, "sabot-pit", terminal.Version())
			return err
		}
		if len(args) > 0 {
			return wrongUse{fmt.Errorf("%q is not a command", args[0])}
		}
		c, log, err := load(*path, errOut)
		if err != nil {
			return err
		}
		manager := systemd.New(log)
		told := make(chan struct{}) // the process must not end before the service manager was
		untold := context.AfterFunc(ctx, func() {
			manager.Stopping()
			close(told)
		})
		err = pit.Serve(ctx, c, log, func(url string) {
			fmt.Fprintf(out, "sabot-pit ready: site %s, page %s\n", c.Site, url)
			manager.Ready("site " + c.Site + ", page " + url)
		})
		if !untold() {
			<-told
		}
		return err
	}
}

func checkFlags(set *flag.FlagSet) func(context.Context, []string, io.Writer, io.Writer) error {
	name := set.String("user", "", "the `name` of the user who runs sabot-pit")
	return func(_ context.Context, args []string, out, _ io.Writer) error {
		if len(args) != 1 {
			return wrongUse{errors.New("check-config takes one file")}
		}
		var by *securefile.User
		if *name != "" {
			user, err := securefile.Named(*name)
			if err != nil {
				return err
			}
			by = &user
		}
		c, err := pit.LoadFor(by, args[0])
		if err != nil {
			return fmt.Errorf("the configuration cannot be used:\n%w", err)
		}
		open, err := c.PutsRight(by)
		if err != nil {
			return err
		}
		if _, err = fmt.Fprintf(out, "%s is good: the pit of site %s\n", args[0], c.Site); err != nil {
			return err
		}
		for _, f := range open {
			if _, err := fmt.Fprintf(out, "sabot-pit puts right when it starts: %s\n", f.What); err != nil {
				return err
			}
		}
		return nil
	}
}

func refillFlags(set *flag.FlagSet) func(context.Context, []string, io.Writer, io.Writer) error {
	path := set.String("config", "", "the configuration `file` of the pit")
	table, journal := set.String("table", "", aTable),
		set.String("journal", "", "the `folder` of its journal")
	return func(ctx context.Context, args []string, out, errOut io.Writer) error {
		if len(args) > 0 || (*table == "") != (*journal == "") {
			return wrongUse{errors.New("refill takes --config, and --table and --journal together or not at all")}
		}
		c, log, err := load(*path, errOut)
		switch {
		case err != nil:
			return err
		case *table != "":
			return refillFrom(ctx, c, *table, *journal, log, out, terminal.NewBar(errOut, false))
		}
		return refill(ctx, c, log, out)
	}
}

func compareFlags(set *flag.FlagSet) func(context.Context, []string, io.Writer, io.Writer) error {
	path := set.String("config", "", "the configuration `file` of the pit")
	table, journal := set.String("table", "", aTable),
		set.String("journal", "", "the `folder` of its journal")
	return func(ctx context.Context, args []string, out, errOut io.Writer) error {
		if len(args) > 0 || (*table == "") != (*journal == "") {
			return wrongUse{errors.New("compare takes --config, and --table and --journal together or not at all")}
		}
		c, log, err := load(*path, errOut)
		if err != nil {
			return err
		}
		if *table == "" {
			return compareFigures(ctx, c, log, out, terminal.NewBar(errOut, false))
		}
		return compareJournal(ctx, c, *table, *journal, log, out, terminal.NewBar(errOut, false))
	}
}

// load reads the configuration, and makes the log that it wants.
func load(path string, errOut io.Writer) (pit.Config, *slog.Logger, error) {
	if path == "" {
		return pit.Config{}, nil,
			wrongUse{errors.New("give --config FILE; a floor without hardware is sabot-demo --floor")}
	}
	c, err := pit.Load(path)
	if err != nil {
		return c, nil, unfit{fmt.Errorf("the configuration cannot be used:\n%w", err)}
	}
	log := logger(c.Log, c.Store.TimeZone.Location, errOut)
	slog.SetDefault(log) // what libraries log has the same form
	return c, log, nil
}

// logger tells the time of a zone, the house's, whatever the machine's is.
func logger(c configfile.Log, zone *time.Location, w io.Writer) *slog.Logger {
	o := &slog.HandlerOptions{Level: c.Level.Level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Value.Kind() == slog.KindTime {
			a.Value = slog.TimeValue(a.Value.Time().In(zone))
		}
		return a
	}}
	if c.Format == "json" {
		return slog.New(slog.NewJSONHandler(terminal.JSONWriter(terminal.Raw(w)), o))
	}
	return slog.New(slog.NewTextHandler(terminal.NewWriter(terminal.Raw(w)), o))
}
