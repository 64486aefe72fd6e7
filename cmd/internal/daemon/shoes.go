package daemon

import (
	"fmt"
	"log/slog"

	"github.com/sabot-table/sabot/cmd/internal/config"
	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/angeleye"
	"github.com/sabot-table/sabot/shoe/beetek"
	"github.com/sabot-table/sabot/shoe/oneway"
	"github.com/sabot-table/sabot/shoe/sabot"
)

// tableShoe is the table's shoe, whatever its kind, with its counters for the pit.
type tableShoe struct {
	shoe.Shoe
	counters func() map[string]uint64
	exit     exit // nil for a shoe that is told nothing
}

// wanted is what a driver needs to know of its table.
type wanted struct {
	config.Shoe
	open   device.Opener
	stored shoe.Position // of the last event in the journal
	key    *wire.Secret  // that the shoe shares with the table, nil for none
	log    *slog.Logger
}

// drivers open the kinds of shoe that a configuration can name.
var drivers = map[string]func(wanted) tableShoe{
	config.Sabot:    openSabot,
	config.BeeTek:   openBeeTek,
	config.AngelEye: openAngelEye,
}

func openShoe(c config.Shoe, boot, seq uint32, log *slog.Logger) (tableShoe, error) {
	address, err := device.ParseAddress(c.Port)
	if err != nil {
		return tableShoe{}, err
	}
	settings := device.Settings{Baud: c.Speed()}
	if c.Driver == config.Sabot {
		settings.ReadTimeout = sabot.ReadTimeout
	}
	opener, err := device.NewOpener(address, settings)
	if err != nil {
		return tableShoe{}, err
	}
	open, known := drivers[c.Driver]
	if !known {
		return tableShoe{}, fmt.Errorf("no driver for shoes is called %q: see shoe.driver in the configuration", c.Driver)
	}
	key, err := c.Key()
	if err != nil {
		return tableShoe{}, err
	}
	return open(wanted{Shoe: c, open: opener, stored: shoe.Position{Boot: boot, Seq: seq}, key: key, log: log}), nil
}

func openSabot(w wanted) tableShoe {
	if w.key == nil {
		w.log.Info("the shoe's line is not secured: whoever can reach the cable can make cards until shoe.key_file is set")
	}
	d := sabot.New(sabot.Options{Open: w.open, Stored: w.stored, Key: w.key, Log: w.log})
	return tableShoe{d, sabotCounters(d), sabotExit{d, w.Commands}}
}

func sabotCounters(d *sabot.Driver) func() map[string]uint64 {
	return func() map[string]uint64 {
		s := d.Stats()
		return map[string]uint64{
			"ports": s.Ports, "sessions": s.Sessions, "frames": s.Frames, "bad_frames": s.BadFrames,
			"refused": s.Refused, "skipped": s.Skipped, "invalid": s.Invalid, "dropped_bytes": s.Dropped,
			"events": s.Events, "unread": s.Unread, "duplicates": s.Duplicates, "early": s.Early,
			"deferred": s.Deferred, "gaps": s.Gaps, "missing": s.Missing, "strays": s.Strays,
			"forged": s.Tampered[wire.Forged], "replayed": s.Tampered[wire.Replayed], "vanished": s.Tampered[wire.Vanished],
		}
	}
}

func openBeeTek(w wanted) tableShoe {
	d := beetek.New(w.open, w.log)
	return tableShoe{d, onewayCounters(d.Stats), nil}
}

func openAngelEye(w wanted) tableShoe {
	d := angeleye.New(angeleye.Options{Open: w.open, Commands: w.Commands, Log: w.log})
	if !w.Commands {
		return tableShoe{d, onewayCounters(d.Stats), nil}
	}
	return tableShoe{d, onewayCounters(d.Stats), angelEyeExit{d}}
}

// onewayCounters names the counts of shoes that keep no card as far as they are those of other shoes.
func onewayCounters(stats func() oneway.Stats) func() map[string]uint64 {
	return func() map[string]uint64 {
		s := stats()
		return map[string]uint64{
			"ports": s.Ports, "frames": s.Messages, "bad_frames": s.Damaged, "skipped": s.Unknown,
			"dropped_bytes": s.Dropped, "events": s.Events, "unread": s.Unread, "duplicates": s.Repeated,
			"overflow": s.Overflow, "gaps": s.Gaps,
		}
	}
}
