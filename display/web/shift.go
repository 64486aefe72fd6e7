package web

import (
	"strconv"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
	"github.com/sabot-table/sabot/table/authority"
)

// shiftModel are the sheets about the table itself: whether it is open, and its limits. They
// are nil while it is held, and on a screen that is not for touching. Relief is also nil where
// dealers are not proven.
type shiftModel struct {
	Table  *openingModel
	Limits *limitsModel
	Relief *reliefModel
}

// reliefModel asks a dealer to be proven.
type reliefModel struct {
	// Names are those who have a PIN, and Digits those of its pad, none where there is none.
	Names  []supervisorModel
	Digits []string
	// Badge says what to do with a badge, "" where none is used, and Locked until when none is
	// taken.
	Badge, Locked string
	// Out is the key by which who deals signs out, "" while nobody does.
	Out string
}

// openingModel says whether the table is open, who opened or closed it, and when.
type openingModel struct {
	Title, By, Dealer, At string
	// Keys are none in a round.
	Keys []keyModel
}

// limitsModel asks for other limits. Amounts are typed without decimals.
type limitsModel struct {
	Now string
	// Money is an amount as it is written: 1,234,567.00.
	Money string
	// Min, BoxMax and Unit are in minor units, and Major is the currency's own unit.
	Min, BoxMax, Unit, Major string
	// Below and Uneven say why amounts cannot be announced.
	Below, Uneven string
	// Key is nil in a round, and there are no Figures then.
	Key     *keyModel
	Figures []string
}

func (r renderer) shift(v display.View) shiftModel {
	if !r.hands || v.Currency == "" || v.Held != nil {
		return shiftModel{}
	}
	return shiftModel{Table: r.opening(v), Limits: r.announced(v), Relief: r.relief(v)}
}

func (r renderer) relief(v display.View) *reliefModel {
	d := v.Dealers
	if d == nil || !d.Proof.Required() {
		return nil
	}
	m := &reliefModel{Names: named(d.Names, d.Locked)}
	if d.Proof.UsesPIN() {
		m.Digits = digits
	}
	switch {
	case d.Proof.UsesPIN() && d.Proof.UsesBadge():
		m.Badge = r.say("dealer.or-badge")
	case d.Proof.UsesBadge():
		m.Badge = r.say("dealer.badge")
	}
	if !d.Badges.IsZero() {
		m.Locked = moment(d.Badges)
	}
	if v.Shift.Dealer != "" {
		m.Out = r.say("key.sign-out", "name", v.Shift.Dealer)
	}
	return m
}

// lockedUntil is when the lock-out of a name ends, "" for none.
func lockedUntil(locked []authority.Locked, name string) string {
	for _, l := range locked {
		if l.Name == name {
			return moment(l.Until)
		}
	}
	return ""
}

func (r renderer) opening(v display.View) *openingModel {
	m := &openingModel{Title: r.say("table.open"), At: v.Opening.At, Keys: r.keysOf(touch.Table(v))}
	by := "table.opened-by"
	if v.Opening.Closed {
		m.Title, by = r.say("table.closed"), "table.closed-by"
	}
	if v.Opening.By != "" {
		m.By = r.say(by, "by", v.Opening.By)
	}
	if v.Opening.Dealer != "" {
		m.Dealer = r.say("key.dealer", "name", v.Opening.Dealer)
	}
	return m
}

func (r renderer) announced(v display.View) *limitsModel {
	one := int64(1)
	for range v.Digits {
		one *= 10
	}
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	m := &limitsModel{
		Now:   r.language.Limits(v.Min, v.BoxMax, v.Digits, v.Currency),
		Money: r.example(v.Digits),
		Min:   number(v.Min), BoxMax: number(v.BoxMax), Unit: number(v.Unit), Major: number(one),
		Below: r.say("limits.below"), Uneven: r.say("limits.uneven", "unit",
			r.language.Price(v.Unit, v.Digits, v.Currency)),
	}
	if k, may := touch.Limits(v); may {
		key := r.key(k)
		m.Key, m.Figures = &key, digits
	}
	return m
}
