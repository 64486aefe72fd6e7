package store_test

import (
	"testing"
	"time"
	_ "time/tzdata" // the test is of these zones on every machine

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/testkit/system"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/pit/store"
)

// TestDay: a gaming day begins by the house's clock, also in the nights when that is changed.
func TestDay(t *testing.T) {
	for _, c := range []struct{ zone, begins, at, day, hour string }{
		{"Europe/Berlin", "6h", "2026-03-28T04:59:59Z", "2026-03-27", "2026-03-28T04:00:00Z"},
		{"Europe/Berlin", "6h", "2026-03-28T05:00:00Z", "2026-03-28", "2026-03-28T05:00:00Z"},
		// The clock is put on at 2 a.m. on the 29th: 6 a.m. is 4 o'clock UTC.
		{"Europe/Berlin", "6h", "2026-03-29T03:59:59Z", "2026-03-28", "2026-03-29T03:00:00Z"},
		{"Europe/Berlin", "6h", "2026-03-29T04:00:00Z", "2026-03-29", "2026-03-29T04:00:00Z"},
		// It is put back at 3 a.m. on October 25th.
		{"Europe/Berlin", "6h", "2026-10-25T04:59:59Z", "2026-10-24", "2026-10-25T04:00:00Z"},
		{"Europe/Berlin", "6h", "2026-10-25T05:00:00Z", "2026-10-25", "2026-10-25T05:00:00Z"},
		// 2.30 a.m. does not exist in March: the day begins when the clock is put on.
		{"Europe/Berlin", "2h30m", "2026-03-29T00:59:59Z", "2026-03-28", "2026-03-29T00:00:00Z"},
		{"Europe/Berlin", "2h30m", "2026-03-29T01:00:00Z", "2026-03-29", "2026-03-29T01:00:00Z"},
		// It exists twice in October: the day begins with the first, and does not begin again.
		{"Europe/Berlin", "2h30m", "2026-10-25T00:29:59Z", "2026-10-24", "2026-10-25T00:00:00Z"},
		{"Europe/Berlin", "2h30m", "2026-10-25T00:30:00Z", "2026-10-25", "2026-10-25T00:00:00Z"},
		{"Europe/Berlin", "2h30m", "2026-10-25T01:15:00Z", "2026-10-25", "2026-10-25T01:00:00Z"},
		// Clocks that are not a whole number of hours away.
		{"Asia/Kolkata", "5h", "2026-01-01T23:29:00Z", "2026-01-01", "2026-01-01T22:30:00Z"},
		{"Asia/Kolkata", "5h", "2026-01-01T23:30:00Z", "2026-01-02", "2026-01-01T23:30:00Z"},
		// At 2 a.m. the clock is put back by half an hour.
		{"Australia/Lord_Howe", "2h", "2026-04-04T15:00:00Z", "2026-04-04", "2026-04-04T14:30:00Z"},
		{"Australia/Lord_Howe", "2h", "2026-04-04T15:30:00Z", "2026-04-05", "2026-04-04T15:30:00Z"},
		{"UTC", "0s", "2026-01-01T00:00:00Z", "2026-01-01", "2026-01-01T00:00:00Z"},
	} {
		begins, err := time.ParseDuration(c.begins)
		if err != nil {
			t.Fatal(err)
		}
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		day := store.Day{Begins: begins, Zone: system.Zone(t, c.zone)}
		if got := day.Of(at).String(); got != c.day {
			t.Errorf("%s in %s, which begins its days at %s, is on %s, want %s", c.at, c.zone, c.begins, got, c.day)
		}
		if got := day.Hour(at).UTC().Format(time.RFC3339); got != c.hour {
			t.Errorf("%s in %s is in the hour %s, want %s", c.at, c.zone, got, c.hour)
		}
	}
}

// TestDaysFollow: days never go back, each begins once, and with its Start.
func TestDaysFollow(t *testing.T) {
	zones := []string{
		"Europe/Berlin", "Europe/Zurich", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata",
		"Pacific/Apia",
	}
	rapid.Check(t, func(t *rapid.T) {
		where, err := time.LoadLocation(rapid.SampledFrom(zones).Draw(t, "zone"))
		if err != nil {
			t.Fatal(err)
		}
		day := store.Day{
			Begins: time.Duration(rapid.IntRange(0, 95).Draw(t, "quarters")) * 15 * time.Minute,
			Zone:   where,
		}
		at := time.Unix(rapid.Int64Range(1_767_225_600, 1_830_297_600).Draw(t, "at"), 0) // two years from 2026
		on := day.Of(at)
		if start, end := day.Start(on), day.Start(on.Add(1)); at.Before(start) || !at.Before(end) {
			t.Fatalf("%s is on %s, which is from %s to %s", at.In(where), on, start, end)
		}
		if start := day.Start(on); day.Of(start) != on || day.Of(start.Add(-1)) != on.Add(-1) {
			t.Fatalf("%s does not begin with %s", on, start)
		}
	})
}
