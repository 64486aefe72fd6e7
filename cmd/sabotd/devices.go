package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/sabot-table/sabot/device/inventory"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/devices"
	"github.com/sabot-table/sabot/internal/ops/doctor"
	"github.com/sabot-table/sabot/internal/ops/update"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/table/authority"
)

// toldRounds is how many of the last rounds a bundle has that is made at the page.
const toldRounds = 20

// devicesOf serves the page of devices and log.
func (t *tables) devicesOf(c config.Config, log *slog.Logger) func(*host.Daemon) []site.Row {
	return func(d *host.Daemon) []site.Row {
		return doctor.NewScreen(doctor.ScreenOptions{
			Boot: d.Boot(), Ring: &t.said, Log: log,
			Status: func(r *http.Request) authority.Status { return d.Status(web.PlaceOf(r.Context())) },
			Source: func() doctor.BundleSource { return t.source(d, &c) },
			States: d.States, Took: d.Took,
			Restart: func(ctx context.Context, g authority.Given) error {
				err := d.Restart(ctx, g)
				switch {
				case errors.Is(err, host.ErrRound):
					return doctor.ErrRound
				case err != nil:
					return err
				}
				select {
				case t.restart <- struct{}{}:
				default:
				}
				return nil
			},
		})
	}
}

// source is what the table examines of itself, and puts into a bundle.
func (t *tables) source(d *host.Daemon, c *config.Config) doctor.BundleSource {
	machine := inventory.System()
	return doctor.BundleSource{
		Ask: doctor.Ask{
			Config: t.path, User: machine.Current().Name, Machine: machine, Houses: t.houses, Inside: d.Inside,
			Version: terminal.Version(), Updates: update.Folder, Now: time.Now(),
		},
		Said:    t.said.Write,
		Rounds:  toldRounds,
		Devices: func(to io.Writer) error { return devices.WriteAll(to, machine, t.path, c) },
	}
}
