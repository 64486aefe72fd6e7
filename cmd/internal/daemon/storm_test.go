package daemon_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/cmd/internal/config"
	"github.com/sabot-table/sabot/cmd/internal/daemon"
	"github.com/sabot-table/sabot/sim-hardware/storm"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/tabletest"
)

var (
	stormSeed   = flag.Uint64("storm.seed", 1, "the seed of the first storm")
	stormCount  = flag.Int("storm.count", 1, "how many storms are played")
	stormScript = flag.String("storm.script", "", "a file with the script of the only storm")
	stormLog    = flag.Bool("storm.log", false, "write what happens in the storm")
	stormNone   = flag.Bool("storm.none", false, "no faults")
)

// stormTable is the real daemon as a table of the storm.
type stormTable struct {
	*daemon.Daemon
	*daemon.Board
}

func (t stormTable) Close() error { return t.Daemon.Close() }

// startStorm starts the daemon in a simulated world.
func startStorm(s storm.Surroundings) (storm.Table, error) {
	c := config.Default()
	if !s.Apart {
		c.KeysApart = -1 // the simulated dealer calls faster than a person could
	}
	c.BoxMax = config.Amount(s.BoxMax)
	c.Site, c.Table, c.House = storm.Site, storm.Name, s.House
	c.Shoe.Driver, c.Shoe.Port = s.Make, "/dev/simulated"
	c.Journal.Path, c.Web.Listen, c.MQTT.Broker = s.Folder+"/journal", "127.0.0.1:0", "tcp://simulated"
	c.Supervisors.Proof = authority.None
	if s.Key != nil {
		c.Shoe.KeyFile = s.Folder + "/shoe.key"
		if err := os.WriteFile(c.Shoe.KeyFile, fmt.Appendf(nil, "%x\n", s.Key[:]), 0o600); err != nil {
			return nil, err
		}
	}
	d, err := daemon.Open(c, profile.Built(), "storm", s.Log, daemon.WithOutside(daemon.Outside{
		Disk: s.Disk, Shoe: s.Shoe, Broker: s.Broker, Page: newNobody(), Now: s.Now,
	}))
	if err != nil {
		return nil, err
	}
	return stormTable{d, d.Board}, nil
}

// nobody is a listener to which nobody connects.
type nobody struct{ closed chan struct{} }

func newNobody() *nobody { return &nobody{make(chan struct{})} }

func (n *nobody) Accept() (net.Conn, error) {
	<-n.closed
	return nil, net.ErrClosed
}

func (n *nobody) Close() error {
	select {
	case <-n.closed:
		return net.ErrClosed
	default:
		close(n.closed)
		return nil
	}
}

func (n *nobody) Addr() net.Addr { return &net.TCPAddr{} }

func TestStorm(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	if *stormLog {
		log = slog.New(slog.NewTextHandler(os.Stdout, nil))
	}
	_ = io.Discard
	began, rounds := time.Now(), 0
	for i := range *stormCount {
		s := storm.Plan(*stormSeed+uint64(i), []string{"sabot"})
		if *stormNone {
			s.Faults = nil
		}
		if *stormScript != "" {
			f, err := os.Open(*stormScript)
			if err != nil {
				t.Fatal(err)
			}
			if s, err = storm.Parse(f); err != nil {
				t.Fatal(err)
			}
		}
		folder := tabletest.FastDir(t)
		var result storm.Result
		synctest.Test(t, func(t *testing.T) {
			result = storm.Run(context.Background(), s, startStorm, folder, log)
		})
		rounds += result.Rounds
		if len(result.Findings) > 0 {
			t.Errorf("%s%v\n%+v", s, result.Findings, result)
		}
	}
	t.Logf("%d rounds in %v: %.0f a minute", rounds, time.Since(began), float64(rounds)/time.Since(began).Minutes())
}

var _ = money.Max
