package pit

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/sabot-table/sabot/cmd/internal/config"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/hear"
	"github.com/sabot-table/sabot/pit/store"
)

// Pit hears the tables of a site, keeps their journals, and has the live model of the floor.
type Pit struct {
	Floor *floor.Floor
	Store *store.Store
	ear   *hear.Ear
	news  *news
	log   *slog.Logger
}

// Open opens the store and gets everything ready.
func Open(ctx context.Context, c Config, log *slog.Logger) (*Pit, error) {
	line, err := openLine(c, log)
	if err != nil {
		return nil, err
	}
	tables, err := c.tables()
	if err != nil {
		return nil, err
	}
	kept, err := OpenStore(ctx, c, log)
	if err != nil {
		return nil, err
	}
	f := floor.New(floor.Options{
		Tables: tables, Patience: time.Duration(c.Alerts.OfflineSeconds) * time.Second,
		Escalation: []floor.Escalation{{After: time.Duration(c.Alerts.EscalateMinutes) * time.Minute, Calls: floor.Role(c.Alerts.EscalateTo)}},
	})
	k := keeper{kept, &news{}}
	ear := hear.New(hear.Options{Reader: c.MQTT.Reader, Alerts: k, Log: log}, line, f, k)
	return &Pit{Floor: f, Store: kept, ear: ear, news: k.news, log: log}, nil
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

// OpenStore opens the store alone.
func OpenStore(ctx context.Context, c Config, log *slog.Logger) (*store.Store, error) {
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

// Run hears the tables until the context ends.
func (p *Pit) Run(ctx context.Context) error { return p.ear.Run(ctx) }

// Progress is how far each table's records are kept.
func (p *Pit) Progress() []hear.Progress { return p.ear.Progress() }

// Close closes the store, after Run.
func (p *Pit) Close() error { return p.Store.Close() }
