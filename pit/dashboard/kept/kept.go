// Package kept shows the pit's pages what the pit's store keeps: past rounds, and how the room is arranged.
package kept

import (
	"context"
	"errors"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/recall"
)

// Store is a store as the pages ask it.
type Store struct {
	Store *store.Store
	// Houses supply the limits that a table's set-up leaves to its house.
	Houses profile.Book
}

var (
	_ dashboard.Past  = Store{}
	_ dashboard.Rooms = Store{}
)

// Recall reads the rounds of a table's journal; nil if none of it is kept.
func (s Store) Recall(ctx context.Context, table topic.Table, journal string) (web.Recall, error) {
	records, err := s.Store.Records(ctx, table, journal)
	switch {
	case errors.Is(err, store.ErrUnknown):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return recall.New(records, s.Houses), nil
}

// Find finds rounds that have ended.
func (s Store) Find(ctx context.Context, q dashboard.Search) (found []dashboard.Round, err error) {
	present, _, _, err := s.Store.Position(ctx, q.Table)
	if err != nil {
		return nil, err
	}
	ask := store.RoundQuery{
		Tables: []topic.Table{q.Table}, Number: q.Number, From: q.From, To: q.To, Code: q.Code.String(), LeastStaked: q.Amount,
		Irregular: q.Wrong, Limit: q.Most, Skip: q.Skip,
	}
	if q.Dealer != "" {
		ask.Dealers = []string{q.Dealer}
	}
	rounds, err := s.Store.Rounds(ctx, ask)
	if err != nil {
		return nil, err
	}
	for i := range rounds {
		r := &rounds[i]
		one := dashboard.Round{
			Number: r.Number, Opened: r.Opened, Ended: r.Ended, Dealer: r.Dealer, Boxes: r.Boxes, Staked: r.Staked, Returned: r.Returned, Void: r.Void,
		}
		if r.Journal != present {
			one.Journal = r.Journal
		}
		for _, w := range r.Wagers {
			one.Unknown += w.Unknown
		}
		if r.Irregular > 0 {
			if one.Wrong, err = s.wrong(ctx, r); err != nil {
				return nil, err
			}
		}
		found = append(found, one)
	}
	return found, nil
}

// wrong is what went wrong in a round, in order. What went wrong between two rounds counts with the later one, as the
// store counts it, and is kept under the number of the earlier.
func (s Store) wrong(ctx context.Context, r *store.Round) (all []dashboard.Wrong, err error) {
	during, err := s.irregularities(ctx, r, r.Number, 0, r.Last)
	if err != nil || len(during) >= r.Irregular || r.Number == 1 {
		return during, err
	}
	earlier, err := s.Store.Rounds(ctx, store.RoundQuery{Tables: []topic.Table{r.Table}, Journal: r.Journal, Number: r.Number - 1, Limit: 1})
	if err != nil || len(earlier) == 0 {
		return during, err
	}
	before, err := s.irregularities(ctx, r, r.Number-1, earlier[0].Last, r.Last)
	return append(before, during...), err
}

// irregularities are those under a number, raised after one record and not after another.
func (s Store) irregularities(ctx context.Context, r *store.Round, number, after, last uint64) (all []dashboard.Wrong, err error) {
	list, err := s.Store.Irregularities(ctx, store.IrregularityQuery{Tables: []topic.Table{r.Table}, Journal: r.Journal, Round: number})
	for i := range list {
		if one := &list[len(list)-1-i]; one.Record > after && one.Record <= last {
			all = append(all, dashboard.Wrong{Code: one.Code, Raised: one.Raised, With: one.With, By: one.By, Righted: one.Righted})
		}
	}
	return all, err
}

// Room is how the room is arranged.
func (s Store) Room(ctx context.Context) (dashboard.Room, error) {
	spots, err := s.Store.Room(ctx)
	if err != nil {
		return nil, err
	}
	room := dashboard.Room{}
	for name, at := range spots {
		room[name] = dashboard.Spot(at)
	}
	return room, nil
}

// PutRoom keeps it.
func (s Store) PutRoom(ctx context.Context, room dashboard.Room) error {
	spots := map[string]store.Spot{}
	for name, at := range room {
		spots[name] = store.Spot(at)
	}
	return s.Store.PutRoom(ctx, spots)
}
