package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/sim-hardware/bench"
	"github.com/sabot-table/sabot/sim-hardware/broker"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/practice"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// demoOptions are the settings of the demonstration.
type demoOptions struct {
	pace        time.Duration
	seed        uint64
	rounds      uint64
	house       string
	shoe        string
	web, broker string
	journal     string
	practice    string
	byHand      bool
	// floor is a floor of so many tables, which have dealt for so many nights.
	floor          bool
	tables, nights int
}

// The demonstration's supervisor is proven like a house's. The PIN is printed, so that
// anyone who watches may be the supervisor, too.
const demoSupervisor, demoPIN = "demo-supervisor", "258013"

// demo runs a table as in a house, every byte through every part, with a simulated shoe,
// dealer, players and broker.
func demo(ctx context.Context, o demoOptions, out, errOut io.Writer) (err error) {
	log := slog.New(slog.NewTextHandler(errOut, &slog.HandlerOptions{Level: slog.LevelWarn}))
	houses, name, err := profile.Built().Open(o.house, configfile.ProfileWordsAlone)
	if err != nil {
		return err
	}
	login := broker.NewLogin(brokerUser)
	mqtt, err := broker.ListenFor(login, o.broker, log)
	if err != nil {
		return fmt.Errorf("%w (--broker gives another address)", err)
	}
	defer func() { err = errors.Join(err, mqtt.Close()) }()
	path, discard, err := demoJournal(o.journal)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, discard()) }()
	key, err := demoKey(path)
	if err != nil {
		return err
	}
	pit, err := brokerFor(mqtt, login, path)
	if err != nil {
		return err
	}
	setup := rules.Setup{House: name}
	if o.pace < quick {
		setup.KeysApart = -1
	}
	t, err := openTable(tableOptions{
		name: "bj-1", houses: houses, setup: setup, shoe: shoesim.Options{Kind: shoesim.Kind(o.shoe), Seed: o.seed},
		byHand: o.byHand, web: o.web, broker: pit, journal: path, key: key,
		supervisors: supervisorsOf(demoSupervisor),
		practice:    practice.NewRoom(houses, practice.OpenResults(o.practice, log)),
		dealer:      func(t *simTable) *keysim.Dealer { return dealerFor(o, t.rules, t.daemon, out, log) }, log: log,
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	if err := t.daemon.SignIn(ctx, "demo-dealer"); err != nil {
		return err
	}
	welcome(out, t.rules.Title, t.daemon, mqtt.Addr(), login, t.shoe.Path()+", "+o.shoe, path, o.practice)
	return t.run(ctx)
}

// demoJournal returns where the journal is kept, and a function that discards it if it is temporary.
func demoJournal(path string) (string, func() error, error) {
	if path != "" {
		path, err := filepath.Abs(path)
		return path, func() error { return nil }, err
	}
	dir, err := os.MkdirTemp("", "sabot-demo-")
	if err != nil {
		return "", nil, fmt.Errorf("making a folder for the demonstration's journal: %w", err)
	}
	return filepath.Join(dir, "journal"), func() error { return os.RemoveAll(dir) }, nil
}

// demoKey returns the key file next to the demonstration's journal, and makes it if there
// is none.
func demoKey(path string) (string, error) {
	path += ".key"
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		return path, nil // what is wrong with it is reported when it is read
	}
	_, err := journal.NewKeyFile(path)
	return path, err
}

// practiceFile is where results are kept that no flag says a file for: with the user's own settings, "" where there is
// no such folder.
func practiceFile() string {
	folder, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "sabot", "practice.json")
}

func welcome(out io.Writer, house string, d *host.Daemon, mqtt string, login broker.Login, shoe, journal,
	results string,
) {
	host, port, _ := net.SplitHostPort(mqtt) // the broker's own address
	root := strings.TrimSuffix(d.URL(), "/")
	results = cmp.Or(results, "memory, until this program ends (--practice keeps them)")
	fmt.Fprintf(out, `Sabot %s: a table of %s, everything on it simulated

  page      %s
  guests    %s
  bench     %s
  practice  %s
            results in %s
  terminal  sabot watch %s
  broker    tcp://%s
            mosquitto_sub -h %s -p %s -u %s -P %s -v -t 'sabot/v1/demo/bj-1/#'
  shoe      %s
  journal   %s
  PIN       %s, of %s

One line per round; Ctrl-C ends.

`, terminal.Version(), house, d.URL(), root+"/guest", root+bench.Path, root+bench.PracticePath, results,
		d.URL(), mqtt, host, port, login.User, login.Password, shoe, journal, demoPIN, demoSupervisor)
}

// dealerFor returns the simulated dealer of the table.
func dealerFor(o demoOptions, house *rules.Rules, d *host.Daemon, out io.Writer, log *slog.Logger) *keysim.Dealer {
	return &keysim.Dealer{
		Display: d.Board, Rules: house, Pace: o.pace, Rounds: o.rounds, Seed: o.seed, Log: log,
		Press:   func(ctx context.Context, in vocab.Input) (vocab.Reason, error) { return press(ctx, d, in) },
		Prove:   func(context.Context) (string, error) { return demoSupervisor, nil }, // press has the PIN
		Decided: func(v display.View) { fmt.Fprintln(out, roundLine(v)) },
	}
}

// press presses a key for whoever is simulated. A person at the page may have put something right just before.
func press(ctx context.Context, d *host.Daemon, in vocab.Input) (vocab.Reason, error) {
	refused, err := putIn(ctx, d, in)
	var unproven *authority.Refusal
	if errors.As(err, &unproven) {
		return 0, keysim.ErrLookAgain
	}
	return refused, err
}

// putIn puts something in, with the PIN of the supervisor in whose name it is.
func putIn(ctx context.Context, d *host.Daemon, in vocab.Input) (vocab.Reason, error) {
	if supervised(&in) {
		var err error
		if ctx, err = prove(ctx, d, in.By); err != nil {
			return 0, err
		}
	}
	answer, err := d.Submit(ctx, in)
	return answer.Rejected, err
}

// supervised reports whether a simulated supervisor puts something in.
func supervised(in *vocab.Input) bool {
	switch in.Kind {
	case vocab.InResolve, vocab.InCorrect, vocab.InHold:
		return in.By != "" && in.Role != vocab.Dealer
	case vocab.InTable, vocab.InLimits, vocab.InAcknowledge, vocab.InAdjust, vocab.InCount, vocab.InDrop:
		return in.By != ""
	case vocab.InShoe:
		return in.By != "" && in.Shoe.Event == vocab.ShoeLoaded
	}
	return false
}

// prove gives a simulated supervisor's PIN with what is pressed next, as soon as it is accepted: a person at the
// page may have locked it out.
func prove(ctx context.Context, d *host.Daemon, supervisor string) (context.Context, error) {
	for {
		proven, err := d.Once(ctx, authority.Own, authority.Given{Name: supervisor, PIN: demoPIN})
		var refused *authority.Refusal
		if !errors.As(err, &refused) || refused.Wait == 0 {
			return proven, err
		}
		select {
		case <-time.After(refused.Wait):
		case <-ctx.Done():
			return ctx, ctx.Err()
		}
	}
}

// roundLine describes the result of a round in one line.
func roundLine(v display.View) string {
	hands, boxes := 0, 0
	for _, b := range v.Boxes {
		hands += len(b.Hands)
		boxes += min(len(b.Hands), 1)
	}
	bank := ""
	for _, c := range v.Bank.Cards {
		bank += " " + c.String()
	}
	return fmt.Sprintf("round %d: boxes %d, hands %d; bank%s = %d; %s", v.Round, boxes, hands, bank,
		v.Bank.Total, sums(v))
}

// sums gives the amounts of a round. Where boxes are only marked as played nobody knows
// them: payment is by odds.
func sums(v display.View) string {
	if v.Sums == nil {
		return "paid by odds"
	}
	amount := func(n int64) string { return display.English.Money(n, v.Digits) }
	return fmt.Sprintf("staked %s, returned %s, won %s %s", amount(v.Sums.Staked), amount(v.Sums.Returned),
		amount(v.Sums.Won), v.Currency)
}
