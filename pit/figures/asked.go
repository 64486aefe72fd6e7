package figures

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
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
	// shift is which of the night's shifts is asked for, from 1; 0 is all of it; shifts are all of them.
	shift  int
	shifts []shift
	// sort is by what the list of money is sorted, "" by name.
	sort string
	// slipAsked is the number of the slip that is asked for, "" for all.
	slipAsked string
}

// spans are how many nights can be looked at together.
var spans = []int{1, 7, 30}

// asks reads an address. What it does not understand is as if it were not there, so that an old link still leads
// somewhere.
func (f *Figures) asks(r *http.Request) asked {
	v := r.URL.Query()
	night, nights := f.options.dateOf(f.options.Now()), 1
	if one, err := time.ParseInLocation(time.DateOnly, v.Get("night"), f.options.Day.Zone); err == nil {
		night = one
	}
	if n, err := strconv.Atoi(v.Get("nights")); err == nil && n >= 1 && n <= 366 {
		nights = n
	}
	shift, _ := strconv.Atoi(v.Get("shift")) // what is no number is no shift
	a := f.asked(night, nights, shift)
	a.rules, a.sort, a.slipAsked = v.Get("rules"), v.Get("sort"), v.Get("slip")
	q := &a.query
	q.Site, q.Table, q.Dealer, q.House, q.Wager, q.Code = v.Get("site"), v.Get("table"), v.Get("dealer"),
		v.Get("house"), v.Get("wager"), v.Get("code")
	if site, table, is := strings.Cut(q.Table, "/"); is { // as the page's form has it where there are several sites
		q.Site, q.Table = site, table
	}
	if hour, err := time.Parse(time.RFC3339, v.Get("hour")); err == nil {
		// An hour in which a gaming day begins is of two.
		a.query.From = slices.MaxFunc([]time.Time{a.query.From, hour}, time.Time.Compare)
		a.query.To = slices.MinFunc([]time.Time{a.query.To, hour.Add(time.Hour)}, time.Time.Compare)
	}
	return a
}

// asked are nights, or one of the shifts of a single night.
func (f *Figures) asked(night time.Time, nights, shift int) asked {
	a := asked{night: night, nights: nights}
	a.query.From, a.query.To = f.options.from(a.first()), f.options.from(night.AddDate(0, 0, 1))
	if nights != 1 {
		return a
	}
	a.shifts = f.nightShifts(night)
	if shift >= 1 && shift <= len(a.shifts) {
		a.shift = shift
		a.query.From, a.query.To = a.shifts[shift-1].from, a.shifts[shift-1].until
	}
	return a
}

// first is the first night's date.
func (a asked) first() time.Time { return a.night.AddDate(0, 0, 1-a.nights) }

// shiftName is that of the shift, "" for all of the night.
func (a asked) shiftName() string {
	if a.shift == 0 {
		return ""
	}
	return a.shifts[a.shift-1].name
}

// to is the address of a page for the same time, with what else is asked for; "" leaves out what is.
func (a asked) to(page string, with ...string) string {
	v := url.Values{"night": {a.night.Format(time.DateOnly)}}
	if a.nights != 1 {
		v.Set("nights", strconv.Itoa(a.nights))
	} else if a.shift != 0 {
		v.Set("shift", strconv.Itoa(a.shift))
	}
	q := a.query
	for _, one := range [][2]string{
		{"site", q.Site},
		{"table", q.Table},
		{"dealer", q.Dealer},
		{"house", q.House},
		{"wager", q.Wager},
		{"code", q.Code},
		{"rules", a.rules},
		{"sort", a.sort},
	} {
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
	if nights != 1 {
		a.shift = 0
	}
	return a
}
