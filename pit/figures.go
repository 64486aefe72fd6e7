package pit

import (
	"context"
	"time"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/figures"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// figuresPages are the pages of figures, of what is kept for whoever looks. A shift's report is signed for all of the
// pit.
func (p *Pit) figuresPages(o PagesOptions, of kept, limited bool) ([]site.Row, error) {
	all := figures.Options{
		Source: of, Rules: rounds{p.Store, o.Houses}.rules, Day: p.Store.Day(), Language: o.Language,
		Past:  func(r *store.Round) string { return dashboard.RoundAt(r.Table, r.Journal, r.Number) },
		Worth: p.worth, Log: p.log, Shifts: p.shifts, Trays: of, Who: dashboard.Who,
		Sites: p.config.Sites != nil,
	}
	if !limited {
		all.Signatures = p.Store
	}
	if o.Audit != nil {
		all.Outcome = o.Audit.Outcome
	}
	f, err := figures.New(all)
	if err != nil {
		return nil, err
	}
	return f.Pages(), nil
}

// shiftsOf are the shifts of a configuration, as the pages know them.
func shiftsOf(c Store) (list []figures.Shift) {
	for _, one := range c.Shifts {
		list = append(list, figures.Shift{Name: one.Name, Begins: time.Duration(one.Begins)})
	}
	return list
}

// rules are the rules with a fingerprint, nil if they are not known.
func (r rounds) rules(ctx context.Context, fingerprint string) (*rules.Rules, error) {
	for _, house := range r.houses {
		if house.Fingerprint == fingerprint {
			return house.Rules, nil
		}
	}
	text, err := r.RulesText(ctx, fingerprint)
	if err != nil || text == nil {
		return nil, err
	}
	house, err := profile.FromText(text)
	if err != nil {
		return nil, nil // a newer version's: its odds are not known
	}
	return house.Rules, nil
}
