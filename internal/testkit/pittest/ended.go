package pittest

import (
	"context"
	"fmt"
	"time"

	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
)

// endings is how many alerts are over: more than a page has, and than a floor remembers.
const endings = 1200

// AlertHistory finds alerts that are over: one every ten minutes, at each table in turn.
func (p *Past) AlertHistory(_ context.Context, s store.AlertQuery) ([]floor.Alert, error) {
	if err := p.there(); err != nil {
		return nil, err
	}
	var found []floor.Alert
	codes := []string{"unread-card", "floor-called", "payout-mismatch", floor.BrokerLost}
	for i := range endings {
		a := ended(1+i%12, codes[i%len(codes)], "Frau Sommer", fmt.Sprintf("note %d", i),
			time.Duration(i+1)*10*time.Minute)
		if a.ID = fmt.Sprintf("h%d", i); a.Code == floor.BrokerLost {
			a.Table, a.Round = topic.Table{}, 0
		}
		switch {
		case s.OfPit && a.Table != (topic.Table{}), s.Table != (topic.Table{}) && a.Table != s.Table, s.Code != "" &&
			a.Code != s.Code,
			a.Raised.Before(s.From), !s.To.IsZero() && !a.Raised.Before(s.To):
		default:
			found = append(found, a)
		}
	}
	found = found[min(s.Skip, len(found)):]
	return found[:min(s.Limit, len(found))], nil
}
