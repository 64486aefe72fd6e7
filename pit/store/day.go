package store

import (
	"fmt"
	"time"
)

// Day says when a house's gaming day begins. Its zero value begins it at midnight UTC.
type Day struct {
	// Begins is the time of the clock at which it begins, since midnight.
	Begins time.Duration
	// Zone is where the house is; nil is UTC.
	Zone *time.Location
}

// Date is a gaming day, by the date on which it began: 20260329.
type Date int

// String writes the date as 2026-03-29.
func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d/10000, d/100%100, d%100) }

// ParseDate reads a date as String writes it.
func ParseDate(s string) (Date, error) {
	at, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return 0, fmt.Errorf("%q is not a date: write it as 2026-03-29", s)
	}
	return DateOf(at), nil
}

// Add returns the date so many days later.
func (d Date) Add(days int) Date { return DateOf(d.at(0, time.UTC).AddDate(0, 0, days)) }

// DateOf is the date that a clock shows, whatever its time.
func DateOf(at time.Time) Date {
	y, m, day := at.Date()
	return Date(y*10000 + int(m)*100 + day)
}

// Midnight is when the date begins in a zone.
func (d Date) Midnight(zone *time.Location) time.Time { return d.at(0, zone) }

// at is when a clock in the zone shows so much after midnight of the date.
func (d Date) at(clock time.Duration, zone *time.Location) time.Time {
	return time.Date(int(d/10000), time.Month(d/100%100), int(d%100), 0, 0, 0, int(clock), zone)
}

func (d Day) zone() *time.Location {
	if d.Zone == nil {
		return time.UTC
	}
	return d.Zone
}

// local is a time as it is kept, by the house's clock.
func (d Day) local(nanos int64) time.Time { return time.Unix(0, nanos).In(d.zone()) }

// Of is the gaming day to which a moment belongs.
func (d Day) Of(at time.Time) Date {
	date := DateOf(at.In(d.zone()))
	if at.Before(d.Start(date)) {
		return date.Add(-1)
	}
	return date
}

// Start is when a gaming day begins. Where the clock is put back over that time, it is the
// first time that the clock shows it; where it is put on over it, the moment of that.
func (d Day) Start(date Date) time.Time {
	zone := d.zone()
	wall := date.at(d.Begins, time.UTC)
	early, late := offset(wall.Add(-24*time.Hour), zone), offset(wall.Add(24*time.Hour), zone)
	for _, seconds := range [...]int{max(early, late), min(early, late)} {
		at := wall.Add(-time.Duration(seconds) * time.Second).In(zone)
		if offset(at, zone) == seconds {
			return at
		}
	}
	_, change := wall.Add(-time.Duration(late) * time.Second).In(zone).ZoneBounds()
	return change
}

func offset(at time.Time, zone *time.Location) int {
	_, seconds := at.In(zone).Zone()
	return seconds
}

// Hour is the beginning of the hour of the house's clock to which a moment belongs. An hour
// that the clock shows twice is two.
func (d Day) Hour(at time.Time) time.Time {
	local := at.In(d.zone())
	return local.Add(-time.Duration(local.Minute())*time.Minute - time.Duration(local.Second())*time.Second -
		time.Duration(local.Nanosecond()))
}
