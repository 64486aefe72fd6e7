package pit

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/pit/command"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/figures"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/tray"
)

// kept is what pages read of the store.
type kept interface {
	dashboard.Past
	dashboard.Ended
	dashboard.Trays
	figures.Source
	figures.Trays
}

// errElsewhere is what a page says of a table of another site, if it ever asks for one: it is not known there.
var errElsewhere = errors.New("this table is not one of the sites that the person may see")

// storeWithin is the store for somebody who is limited to sites. Each method is written out: what has none here is not
// seen.
type storeWithin struct {
	all   rounds
	sites people.Sites
}

func (s storeWithin) may(t topic.Table) bool { return s.sites.Has(t.Site()) }

// Tables are those of the sites.
func (s storeWithin) Tables(ctx context.Context) ([]topic.Table, error) {
	all, err := s.all.Tables(ctx)
	return slices.DeleteFunc(all, func(t topic.Table) bool { return !s.may(t) }), err
}

// narrow has only tables of the sites be asked for; false for none.
func (s storeWithin) narrow(ctx context.Context, tables *[]topic.Table) (some bool, err error) {
	if len(*tables) == 0 {
		*tables, err = s.Tables(ctx)
	} else {
		*tables = slices.DeleteFunc(slices.Clone(*tables), func(t topic.Table) bool { return !s.may(t) })
	}
	return len(*tables) > 0, err
}

// Sums are those of tables of the sites.
func (s storeWithin) Sums(ctx context.Context, q store.Query) ([]store.Sum, error) {
	if some, err := s.narrow(ctx, &q.Tables); err != nil || !some {
		return nil, err
	}
	return s.all.Sums(ctx, q)
}

// Rounds are those of tables of the sites, and CountRounds counts them.
func (s storeWithin) Rounds(ctx context.Context, q store.RoundQuery) ([]store.Round, error) {
	if some, err := s.narrow(ctx, &q.Tables); err != nil || !some {
		return nil, err
	}
	return s.all.Rounds(ctx, q)
}

// CountRounds counts them.
func (s storeWithin) CountRounds(ctx context.Context, q store.RoundQuery) (int64, error) {
	if some, err := s.narrow(ctx, &q.Tables); err != nil || !some {
		return 0, err
	}
	return s.all.CountRounds(ctx, q)
}

// Recall reads a journal of a table of the sites.
func (s storeWithin) Recall(ctx context.Context, table topic.Table, journal string) (web.Recall, error) {
	if !s.may(table) {
		return nil, nil
	}
	return s.all.Recall(ctx, table, journal)
}

// UnlaidUntil is the same for all: it says how new the database is.
func (s storeWithin) UnlaidUntil(ctx context.Context) (time.Time, error) {
	return s.all.UnlaidUntil(ctx)
}

// AlertHistory has the alerts of tables of the sites, and those of the pit itself.
func (s storeWithin) AlertHistory(ctx context.Context, q store.AlertQuery) ([]floor.Alert, error) {
	q.Sites = s.sites.List()
	return s.all.AlertHistory(ctx, q)
}

// Trays are those of tables of the sites.
func (s storeWithin) Trays(ctx context.Context) (map[topic.Table]*tray.Now, error) {
	all, err := s.all.Trays(ctx)
	maps.DeleteFunc(all, func(t topic.Table, _ *tray.Now) bool { return !s.may(t) })
	return all, err
}

// TrayDay has what belongs to the days of tables of the sites.
func (s storeWithin) TrayDay(ctx context.Context, day store.Date) (map[topic.Table]*tray.Records, error) {
	all, err := s.all.TrayDay(ctx, day)
	maps.DeleteFunc(all, func(t topic.Table, _ *tray.Records) bool { return !s.may(t) })
	return all, err
}

// CountDrop keeps what was in a drop box of a table of the sites.
func (s storeWithin) CountDrop(ctx context.Context, table topic.Table, day store.Date, o tray.Opened) error {
	if !s.may(table) {
		return errElsewhere
	}
	return s.all.CountDrop(ctx, table, day, o)
}

// floorWithin is the floor for somebody who is limited to sites.
type floorWithin struct {
	all   attended
	sites people.Sites
}

func (f floorWithin) may(t topic.Table) bool { return f.sites.Has(t.Site()) }

// Tiles are those of the sites.
func (f floorWithin) Tiles() []floor.Tile {
	return slices.DeleteFunc(f.all.Tiles(), func(t floor.Tile) bool { return !f.may(t.Table) })
}

// View is that of a table of the sites.
func (f floorWithin) View(t topic.Table) (v display.View, ok bool) {
	if f.may(t) {
		v, ok = f.all.View(t)
	}
	return v, ok
}

// Health is that of a table of the sites.
func (f floorWithin) Health(t topic.Table) (h topic.Health, ok bool) {
	if f.may(t) {
		h, ok = f.all.Health(t)
	}
	return h, ok
}

// Totals are those of a table of the sites.
func (f floorWithin) Totals(t topic.Table) (totals topic.Totals, ok bool) {
	if f.may(t) {
		totals, ok = f.all.Totals(t)
	}
	return totals, ok
}

// Alerts are those of tables of the sites, and of the pit itself.
func (f floorWithin) Alerts() []floor.Alert { return f.seen(f.all.Alerts()) }

// History are those that are over.
func (f floorWithin) History() []floor.Alert { return f.seen(f.all.History()) }

func (f floorWithin) seen(all []floor.Alert) []floor.Alert {
	return slices.DeleteFunc(all, func(a floor.Alert) bool { return a.Table != (topic.Table{}) && !f.may(a.Table) })
}

// own says whether an alert is of a table of the sites: that of the pit itself is for those who look after all.
func (f floorWithin) own(id string) bool {
	return slices.ContainsFunc(append(f.all.Alerts(), f.all.History()...), func(a floor.Alert) bool {
		return a.ID == id && a.Table != (topic.Table{}) && f.may(a.Table)
	})
}

// Acknowledge notes who has seen an alert of a table of the sites.
func (f floorWithin) Acknowledge(id, by, note string) error {
	if !f.own(id) {
		return errElsewhere
	}
	return f.all.Acknowledge(id, by, note)
}

// Coming notes who is on the way.
func (f floorWithin) Coming(id, by string) error {
	if !f.own(id) {
		return errElsewhere
	}
	return f.all.Coming(id, by)
}

// Changed is closed with the next change anywhere.
func (f floorWithin) Changed() <-chan struct{} { return f.all.Changed() }

// deskWithin sends commands to tables of the sites.
type deskWithin struct {
	all   dashboard.Commands
	sites people.Sites
}

// Takes says whether a table of the sites takes commands.
func (d deskWithin) Takes(t topic.Table, person string) bool {
	return d.sites.Has(t.Site()) && d.all.Takes(t, person)
}

// Send sends a command to a table of the sites.
func (d deskWithin) Send(ctx context.Context, t topic.Table, c command.Command) (command.Result, error) {
	if !d.sites.Has(t.Site()) {
		return command.Result{}, errElsewhere
	}
	return d.all.Send(ctx, t, c)
}
