package pit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/sabot-table/sabot/cmd/internal/config"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/hear"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/webhook"
)

// Pit hears the tables of a site, keeps their journals, and has the live model of the floor.
type Pit struct {
	Floor *floor.Floor
	Store *store.Store
	ear   *hear.Ear
	pages *pages           // nil without pages
	hook  *webhook.Options // nil for no webhook
}

// Open opens the store and gets everything ready.
func Open(ctx context.Context, c Config, log *slog.Logger) (*Pit, error) {
	p, err := openQuietly(ctx, c, log)
	if err != nil {
		return nil, err
	}
	if p.hook, err = openWebhook(c, p.Floor, log); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	if p.pages, err = openPages(c, p.Floor, p.Store, log); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// openQuietly opens a pit without pages.
func openQuietly(ctx context.Context, c Config, log *slog.Logger) (*Pit, error) {
	line, err := openLine(c, log)
	if err != nil {
		return nil, err
	}
	tables, err := c.tables()
	if err != nil {
		return nil, err
	}
	kept, err := openStore(ctx, c, log)
	if err != nil {
		return nil, err
	}
	f := floor.New(floor.Options{
		Tables: tables, Patience: time.Duration(c.Alerts.OfflineSeconds) * time.Second,
		Escalation: []floor.Escalation{{After: time.Duration(c.Alerts.EscalateMinutes) * time.Minute, Calls: floor.Role(c.Alerts.EscalateTo)}},
	})
	ear := hear.New(hear.Options{Reader: c.MQTT.Reader, Log: log}, line, f, keeper{kept})
	return &Pit{Floor: f, Store: kept, ear: ear}, nil
}

func openLine(c Config, log *slog.Logger) (hear.Line, error) {
	password, err := config.MQTT{PasswordFile: c.MQTT.PasswordFile}.Password()
	if err != nil {
		return nil, err
	}
	b := c.broker()
	b.Password, b.Log = password, log
	return hear.NewMQTT(b)
}

func openStore(ctx context.Context, c Config, log *slog.Logger) (*store.Store, error) {
	source, err := c.source()
	if err != nil {
		return nil, err
	}
	kept, err := store.Open(ctx, store.Options{Source: source, Day: c.day(), Log: log})
	if err != nil {
		return nil, fmt.Errorf("%w: see that the database is there, and that the user that runs sabot-pit may write it", err)
	}
	return kept, nil
}

// Run hears the tables, and serves the pages, until the context ends.
func (p *Pit) Run(ctx context.Context) error {
	if p.pages == nil {
		return p.ear.Run(ctx)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if p.hook != nil {
		go webhook.Run(ctx, *p.hook)
	}
	served := make(chan error, 1)
	go func() {
		defer stop()
		served <- p.pages.serve(ctx)
	}()
	err := p.ear.Run(ctx)
	stop()
	return errors.Join(err, <-served)
}

// URL is the address of the pages on this machine.
func (p *Pit) URL() string { return p.pages.url() }

// Progress is how far each table's records are kept.
func (p *Pit) Progress() []hear.Progress { return p.ear.Progress() }

// Close closes the store, after Run.
func (p *Pit) Close() error { return p.Store.Close() }
