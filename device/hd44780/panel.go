package hd44780

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/sabot-table/sabot/device"
)

const (
	// checkEvery is how often to check whether a display with nothing new to show is still there.
	checkEvery = time.Second
	// refreshEvery is the number of checks after which everything is rewritten: a disturbance may stay visible for so
	// long.
	refreshEvery = 10
)

// Options say where a panel's display is. Open is required.
type Options struct {
	// Open opens the bus.
	Open    func() (i2c.BusCloser, error)
	Address uint16
	// Backlight is whether the light is on while lines are shown.
	Backlight bool
	// Farewell stays on the display when Run has ended.
	Farewell Lines
	// Changed is called with nil when the display shows its lines, and with the reason when it cannot. It must not
	// block; nil is nobody.
	Changed func(error)
	// Log gets what the operator should know; nil is slog.Default().
	Log *slog.Logger
}

// Panel keeps the newest lines on a display, through unplugging and disturbances. Show never waits for it.
type Panel struct {
	o Options

	mu      sync.Mutex
	lines   Lines
	changed chan struct{} // holds one token while the lines are new

	// Used only by Run's goroutine.
	ready  bool
	starts int
	losses int
}

// NewPanel returns a panel that shows nothing yet; Run starts it, once.
func NewPanel(o Options) *Panel {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Changed == nil {
		o.Changed = func(error) {}
	}
	return &Panel{o: o, changed: make(chan struct{}, 1)}
}

// Show replaces the lines. It may be called from any goroutine and never blocks; if lines come faster than the display
// can show them, only the newest are shown.
func (p *Panel) Show(lines Lines) {
	p.mu.Lock()
	p.lines = lines
	p.mu.Unlock()
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

func (p *Panel) newest() Lines {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lines
}

// Run keeps the display until ctx ends, leaves the farewell on it, and returns ctx's error. A missing display is logged
// once for each cause, and tried again.
func (p *Panel) Run(ctx context.Context) error {
	err := device.Keep(ctx, p.open, p.portChanged, p.use)
	p.leave()
	return err
}

// started is a display that answers, and its bus.
type started struct {
	*Chip
	i2c.BusCloser
}

func (p *Panel) open(context.Context) (started, error) {
	bus, err := p.o.Open()
	if err != nil {
		return started{}, err
	}
	chip, err := Start(bus, p.o.Address, p.o.Backlight)
	if err != nil {
		bus.Close()
		return started{}, err
	}
	return started{chip, bus}, nil
}

// portChanged is called by device.Keep.
func (p *Panel) portChanged(err error) {
	p.o.Changed(err)
	if err == nil {
		p.ready = true
		p.starts++
		p.o.Log.Info("the character display is ready", "starts", p.starts)
		return
	}
	if p.ready {
		p.ready = false
		p.losses++
	}
	p.o.Log.Warn("no character display: the table continues without it", "err", err, "losses", p.losses)
}

// use shows what is new until the display fails. It checks the display before each write: a write would hide a loss of
// power.
func (p *Panel) use(ctx context.Context, d started) error {
	check := time.NewTicker(checkEvery)
	defer check.Stop()
	for checks := 0; ctx.Err() == nil; {
		if err := d.Check(); err != nil {
			return err
		}
		if err := d.Write(p.newest()); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-p.changed:
		case <-check.C:
			if checks++; checks%refreshEvery == 0 {
				if err := d.Refresh(); err != nil {
					return err
				}
			}
		}
	}
	return ctx.Err()
}

// leave writes the farewell: lines that are no longer updated must not stay.
func (p *Panel) leave() {
	if !p.ready {
		return
	}
	d, err := p.open(context.Background())
	if err == nil {
		err = d.Write(p.o.Farewell)
		d.Close()
	}
	if err != nil {
		p.o.Log.Warn("the character display still shows its last lines, which are out of date", "err", err)
	}
}
