package table

import (
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Limits are what may be staked on a box, in minor units.
type Limits struct {
	Min    int64 `json:"min"`
	BoxMax int64 `json:"box_max"`
}

// Announced are the limits of a table whose limits were changed since it was set up.
type Announced struct {
	Limits
	// Configured are those that the configuration put in last, by the set-up or later.
	Configured Limits `json:"configured"`
}

func limitsOf(r *rules.Rules) Limits { return Limits{r.Table.Min, r.Table.BoxMax} }

// Configured returns the limits that the configuration put in last: those in force, unless a
// supervisor has announced others since.
func (t *Table) Configured() Limits {
	if t.configured == (Limits{}) && t.rules != nil {
		return limitsOf(t.rules)
	}
	return t.configured
}

// changeLimits announces other limits. The last round goes off the table: it was staked by
// those before.
func (t *Table) changeLimits(in *vocab.Input) vocab.Reason {
	if reason := t.betweenRounds(); reason != 0 {
		return reason
	}
	if in.Limits == (vocab.LimitsChange{}) {
		return vocab.BadLimits
	}
	changed, wrong := t.rules.WithLimits(in.Limits.Min, in.Limits.BoxMax)
	if len(wrong) > 0 {
		return vocab.BadLimits
	}
	if t.configured = t.Configured(); in.By == "" {
		t.configured = limitsOf(changed)
	}
	t.rules = changed
	t.round.clear()
	t.history.begin(&t.kept)
	now := limitsOf(changed)
	t.emit(vocab.LimitsChanged).Trouble = &vocab.Trouble{
		By: in.By, Limits: vocab.LimitsChange{Min: now.Min, BoxMax: now.BoxMax},
	}
	return 0
}

// announced is what a table carries of its limits, nil where they are the set-up's.
func (t *Table) announced() *Announced {
	if t.configured == (Limits{}) {
		return nil
	}
	return &Announced{Limits: limitsOf(t.rules), Configured: t.configured}
}

// announce puts announced limits in force again.
func (t *Table) announce(a *Announced) {
	if a == nil {
		return
	}
	if r, wrong := t.rules.WithLimits(a.Min, a.BoxMax); len(wrong) == 0 {
		t.rules = r
	}
	t.configured = a.Configured
}
