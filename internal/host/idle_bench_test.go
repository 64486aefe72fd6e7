package host_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"periph.io/x/conn/v3/i2c"

	"github.com/sabot-table/sabot/device/gpio"
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/host/paneldriver"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/testkit/devicetest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/sim-hardware/broker"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/profile"
)

// wiredVariable has this program be a table with simulated keys and display, by the
// configuration that it names, until it is told to end.
const wiredVariable = "SABOT_WIRED_TABLE"

func TestMain(m *testing.M) {
	if path := os.Getenv(wiredVariable); path != "" {
		if err := runWired(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func runWired(path string) error {
	c, err := config.Load(path, profile.Built())
	if err != nil {
		return err
	}
	display := devicetest.NewDisplay(uint16(c.LCD.Address), 1)
	d, err := host.Open(c, profile.Built(), "test", slog.New(slog.NewTextHandler(os.Stderr, nil)),
		host.WithBus(func(string) (i2c.BusCloser, error) { return display, nil }),
		host.WithPanel(func(inputs, outputs []gpio.Line) (paneldriver.Board, error) {
			return keysim.NewBank(keysim.BankOptions{Contacts: len(inputs), Outputs: len(outputs)}), nil
		}))
	if err != nil {
		return err
	}
	defer d.Close()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	fmt.Printf("sabotd ready: table %s, page %s\n", c.Table, d.URL())
	return d.Run(ctx)
}

const wiredConfig = `
site: test
table: bj-1
house: wiesbaden
supervisors: {proof: none}
shoe: {port: %s}
journal: {path: %s}
mqtt: {broker: "tcp://%s"}
web: {listen: "127.0.0.1:0"}
lcd: {bus: /dev/i2c-1}
keys:
  card: K1
  rest: K2
  double: K3
  split: K4
  surrender: K5
  insurance: K6
  bets: K7
  paid: K8
  undo: K9
  supervisor: K10
  box_1: B1
  box_2: B2
  box_3: B3
  box_4: B4
  box_5: B5
  box_6: B6
  box_7: B7
long_press: {insurance: even_money}
signals: {green: L1, amber: L2, red: L3, buzzer: L4, lock: L5}
`

// idleFor is how long a table is looked at that does nothing.
const idleFor = 10 * time.Second

// BenchmarkIdle looks how much of a core, and how much memory, a table takes at which
// nothing happens, in a process of its own: with a shoe on a pseudo-terminal, all keys,
// sensors, lamps and a character display (simulated in the process), a broker and one
// screen. Once is enough: use -benchtime 1x.
func BenchmarkIdle(b *testing.B) {
	for range b.N {
		b.Run("open", func(b *testing.B) { idle(b, true) })
		b.Run("offline", func(b *testing.B) { idle(b, false) })
	}
}

func idle(b *testing.B, withShoe bool) {
	mqtt, err := broker.Listen("127.0.0.1:0", slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	defer mqtt.Close()
	shoe, err := shoesim.New(shoesim.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer shoe.Close()
	if !withShoe {
		if err := shoe.Unplug(); err != nil {
			b.Fatal(err)
		}
	}
	dir := b.TempDir()
	path := filepath.Join(dir, "sabot.yaml")
	text := fmt.Sprintf(wiredConfig, shoe.Path(), filepath.Join(dir, "journal"), mqtt.Addr())
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	b.Setenv(wiredVariable, path)
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	process := processes.Start(b, self)
	defer process.Stop()
	screen := processes.NewRemote(process.URL)
	go screen.Follow(b.Context())
	if _, err := screen.Await(b.Context(), func(v display.View) bool {
		return v.Seq > 0 && v.Shoe.Online == withShoe
	}); err != nil {
		b.Fatal(err)
	}
	time.Sleep(2 * time.Second) // what a start leaves to be done
	before, began := cpuTime(b, process.PID()), time.Now()
	time.Sleep(idleFor) // which is what is measured
	used, took := cpuTime(b, process.PID())-before, time.Since(began)
	b.ReportMetric(100*float64(used)/float64(took), "%-of-a-core")
	b.ReportMetric(resident(b, process.PID(), "VmRSS"), "resident-MiB")
	b.ReportMetric(0, "ns/op")
}

// cpuTime is how long a process has been at work, on all its threads.
func cpuTime(b *testing.B, pid int) time.Duration {
	b.Helper()
	const scheduled = 2 // CPUCLOCK_SCHED of the kernel: what the scheduler has counted
	var used unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|scheduled), &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Nano())
}
