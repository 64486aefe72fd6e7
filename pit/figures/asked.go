package figures

import (
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// asked is what an address asks for.
type asked struct {
	// night is the last date, and nights how many there are.
	night  time.Time
	nights int
	query  Query
	// rules are the fingerprint of those whose odds are asked for.
	rules string
}

// spans are how many nights can be looked at together.
var spans = []int{1, 7, 30}

// asks reads an address. What it does not understand is as if it were not there, so that an old link still leads
// somewhere.
func (f *Figures) asks(r *http.Request) asked {
	v := r.URL.Query()
	a := asked{night: f.options.Day.Of(f.options.Now()), nights: 1, rules: v.Get("rules")}
	if night, err := time.ParseInLocation(time.DateOnly, v.Get("night"), f.options.Day.Zone); err == nil {
		a.night = night
	}
	if n, err := strconv.Atoi(v.Get("nights")); err == nil && n >= 1 && n <= 366 {
		a.nights = n
	}
	a.query = Query{
		From: f.options.Day.From(a.night.AddDate(0, 0, 1-a.nights)), To: f.options.Day.From(a.night.AddDate(0, 0, 1)),
		Site: v.Get("site"), Table: v.Get("table"), Dealer: v.Get("dealer"), House: v.Get("house"), Wager: v.Get("wager"), Code: v.Get("code"),
	}
	if hour, err := time.Parse(time.RFC3339, v.Get("hour")); err == nil {
		a.query.From, a.query.To = latest(hour, a.query.From), earliest(hour.Add(time.Hour), a.query.To)
	}
	return a
}

// An hour in which a gaming day begins is of two.
func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earliest(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// to is the address of a page for the same time, with what else is asked for; "" leaves out what is.
func (a asked) to(page string, with ...string) string {
	v := url.Values{"night": {a.night.Format(time.DateOnly)}}
	if a.nights != 1 {
		v.Set("nights", strconv.Itoa(a.nights))
	}
	q := a.query
	for _, one := range [][2]string{{"site", q.Site}, {"table", q.Table}, {"dealer", q.Dealer}, {"house", q.House}, {"wager", q.Wager}, {"code", q.Code}, {"rules", a.rules}} {
		if one[1] != "" {
			v.Set(one[0], one[1])
		}
	}
	for i := 0; i+1 < len(with); i += 2 {
		if v.Del(with[i]); with[i+1] != "" {
			v.Set(with[i], with[i+1])
		}
	}
	return Root + page + "?" + v.Encode()
}

// at is the same for other nights.
func (a asked) at(night time.Time, nights int) asked {
	a.night, a.nights = night, nights
	return a
}
