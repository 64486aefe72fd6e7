package pit

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/recall"
)

// kept is the store as the pages read it.
type kept struct {
	store  *store.Store
	houses profile.Book
}

var (
	_ dashboard.Past  = kept{}
	_ dashboard.Rooms = kept{}
	_ dashboard.Ended = kept{}
)

// Find finds past rounds, with what went wrong in them.
func (k kept) Find(ctx context.Context, s dashboard.Search) ([]dashboard.Round, error) {
	q := store.RoundQuery{
		Number: s.Number, From: s.From, To: s.To, LeastStaked: s.Amount, LeastReturned: s.Paid, Boxes: s.Boxes,
		Cards: s.Cards,
		Code:  s.Code.String(), Irregular: s.Wrong, Limit: s.Most, Skip: s.Skip,
	}
	if s.Table != (topic.Table{}) {
		q.Tables = []topic.Table{s.Table}
	}
	if s.Dealer != "" {
		q.Dealers = []string{s.Dealer}
	}
	found, err := k.store.Rounds(ctx, q)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	wrong, err := k.wrong(ctx, q.Tables, found)
	if err != nil {
		return nil, err
	}
	rounds := make([]dashboard.Round, len(found))
	for i, r := range found {
		rounds[i] = dashboard.Round{
			Table: r.Table, Number: r.Number, Journal: r.Journal, Opened: r.Opened, Ended: r.Ended, Dealer: r.Dealer,
			Boxes:  r.Boxes,
			Staked: r.Staked, Returned: r.Returned, Due: r.Due, Void: r.Void, Lays: r.Lays,
			Wrong: wrong[roundOf{r.Journal, r.Number}],
		}
		for _, w := range r.Wagers {
			rounds[i].Unknown += w.Unknown
		}
	}
	return rounds, nil
}

// UnlaidUntil is until when rounds are not found by box or card.
func (k kept) UnlaidUntil(ctx context.Context) (time.Time, error) { return k.store.UnlaidUntil(ctx) }

// roundOf names a round of a table.
type roundOf struct {
	journal string
	number  uint64
}

// wrong finds what went wrong in rounds of tables, the first of each round first.
func (k kept) wrong(ctx context.Context, tables []topic.Table, rounds []store.Round) (map[roundOf][]dashboard.Wrong,
	error,
) {
	numbers := map[string][]uint64{}
	for _, r := range rounds {
		if r.Irregular > 0 {
			numbers[r.Journal] = append(numbers[r.Journal], r.Number)
		}
	}
	of := map[roundOf][]dashboard.Wrong{}
	for journal, list := range numbers {
		found, err := k.store.Irregularities(ctx,
			store.IrregularityQuery{Tables: tables, Journal: journal, Rounds: list, Limit: math.MaxInt32})
		if err != nil {
			return nil, err
		}
		for _, one := range slices.Backward(found) { // they come latest first
			in := roundOf{one.Journal, one.Round}
			of[in] = append(of[in], dashboard.Wrong{
				Code: one.Code, Raised: one.Raised, With: one.With, By: one.By,
				Righted: one.Righted,
			})
		}
	}
	return of, nil
}

// Recall reads a journal that is kept, as the table itself would.
func (k kept) Recall(ctx context.Context, table topic.Table, journal string) (web.Recall, error) {
	j, err := k.store.Records(ctx, table, journal)
	switch {
	case errors.Is(err, store.ErrUnknown):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return recall.New(j, k.houses), nil
}

// Room is how the tiles are arranged.
func (k kept) Room(ctx context.Context) (dashboard.Room, error) {
	spots, err := k.store.Room(ctx)
	if err != nil {
		return nil, err
	}
	room := dashboard.Room{}
	for tile, at := range spots {
		room[tile] = dashboard.Spot(at)
	}
	return room, nil
}

// PutRoom keeps how the tiles are arranged.
func (k kept) PutRoom(ctx context.Context, room dashboard.Room) error {
	spots := map[string]store.Spot{}
	for tile, at := range room {
		spots[tile] = store.Spot(at)
	}
	return k.store.PutRoom(ctx, spots)
}
