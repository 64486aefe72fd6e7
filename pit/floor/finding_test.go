package floor_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/display"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
)

var now = time.Date(2026, 3, 29, 20, 0, 0, 0, time.UTC)

func table(name string) topic.Table {
	t, err := topic.NewTable("wiesbaden", name)
	if err != nil {
		panic(err)
	}
	return t
}

// healthy is a table with which nothing is wrong.
func healthy(name string) floor.FleetTable {
	free, of, celsius, until := uint64(20<<30), uint64(32<<30), uint64(52), now.AddDate(1, 0, 0)
	return floor.FleetTable{Table: table(name), Health: &topic.Health{
		Site: "wiesbaden", Table: name, Version: "1.2.0", Time: now, Opening: &topic.Opening{Open: true},
		Shoe: topic.Shoe{
			Up: true, Counters: map[string]uint64{"frames": 100_000, "bad_frames": 20},
			Queued: new(uint64), Confidence: &topic.Confidence{Cards: 100, Mean: 98, Low: 1},
		},
		Computer:    &topic.Computer{DiskFree: &free, DiskSize: &of, Celsius: &celsius, Certificate: &until},
		MemoryBytes: 40 << 20, Goroutines: 30,
	}}
}

// found is a list in one line.
func found(tables ...floor.FleetTable) string {
	var all []string
	for _, f := range floor.Findings(tables, now, display.English) {
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", f.Urgency, f.Table.Name(), f.Code, f.Value)))
	}
	return strings.Join(all, "; ")
}

func ptr[T any](v T) *T { return &v }

func TestFindings(t *testing.T) {
	for name, c := range map[string]struct {
		change func(t *floor.FleetTable)
		want   string
	}{
		"nothing":            {func(*floor.FleetTable) {}, ""},
		"an open table away": {func(t *floor.FleetTable) { t.Offline = true }, "now bj-1 offline"},
		"a closed table away": {
			func(t *floor.FleetTable) { t.Offline, t.Health.Opening.Open = true, false },
			"note bj-1 offline",
		},
		"never heard":           {func(t *floor.FleetTable) { t.Health = nil }, "note bj-1 silent"},
		"never heard, and away": {func(t *floor.FleetTable) { t.Health, t.Offline = nil, true }, "note bj-1 offline"},
		"storage failing": {func(t *floor.FleetTable) {
			t.Health.Journal.Trouble = &topic.Trouble{Code: topic.TroubleFailing, Since: now}
			t.Health.LastError = &topic.Fault{Time: now, Text: "disk full"}
		}, "now bj-1 storage-failing"},
		"storage slow": {func(t *floor.FleetTable) {
			t.Health.Journal.Trouble = &topic.Trouble{Code: topic.TroubleSlow, Since: now}
		}, "now bj-1 storage-slow"},
		"a full disk": {
			func(t *floor.FleetTable) { *t.Health.Computer.DiskFree = 100 << 20 },
			"now bj-1 disk-full 100 MiB, 0\u202f%",
		},
		"a small part is free": {func(t *floor.FleetTable) {
			*t.Health.Computer.DiskFree,
				*t.Health.Computer.DiskSize = 1<<30, 64<<30
		}, "now bj-1 disk-full 1.0 GiB, 1\u202f%"},
		"a disk that fills": {
			func(t *floor.FleetTable) { *t.Health.Computer.DiskFree = 3 << 30 },
			"soon bj-1 disk-full 3.0 GiB, 9\u202f%",
		},
		"a small disk": {func(t *floor.FleetTable) {
			*t.Health.Computer.DiskFree, *t.Health.Computer.DiskSize = 1<<30,
				4<<30
		}, "soon bj-1 disk-full 1.0 GiB, 25\u202f%"},
		"a large disk": {func(t *floor.FleetTable) {
			*t.Health.Computer.DiskFree, *t.Health.Computer.DiskSize = 50<<30, 1000<<30
		}, ""},
		"a disk not known": {func(t *floor.FleetTable) { t.Health.Computer.DiskSize = nil }, ""},
		"no computer":      {func(t *floor.FleetTable) { t.Health.Computer = nil }, ""},
		"a certificate": {func(t *floor.FleetTable) {
			t.Health.Computer.Certificate = ptr(now.AddDate(0, 0,
				30))
		}, "soon bj-1 certificate"},
		"a certificate at once": {func(t *floor.FleetTable) {
			t.Health.Computer.Certificate = ptr(now.AddDate(0, 0,
				7))
		}, "now bj-1 certificate"},
		"an old certificate": {func(t *floor.FleetTable) {
			t.Health.Computer.Certificate = ptr(now.AddDate(0,
				0, -1))
		}, "now bj-1 certificate"},
		"a month and a day": {func(t *floor.FleetTable) {
			t.Health.Computer.Certificate = ptr(now.AddDate(0,
				0, 31))
		}, ""},
		"warm": {func(t *floor.FleetTable) { t.Health.Computer.Celsius = ptr(uint64(69)) }, ""},
		"hot": {
			func(t *floor.FleetTable) { t.Health.Computer.Celsius = ptr(uint64(70)) },
			"soon bj-1 hot 70 °C",
		},
		"too hot": {
			func(t *floor.FleetTable) { t.Health.Computer.Celsius = ptr(uint64(80)) },
			"now bj-1 hot 80 °C",
		},
		"no shoe": {func(t *floor.FleetTable) { t.Health.Shoe.Up = false }, "now bj-1 shoe-down"},
		"no shoe, closed": {
			func(t *floor.FleetTable) { t.Health.Shoe.Up, t.Health.Opening = false, nil },
			"note bj-1 shoe-down",
		},
		"the shoe was away": {
			func(t *floor.FleetTable) { t.Health.Shoe.LastDown = &topic.Fault{Time: now.Add(-time.Hour)} },
			"note bj-1 shoe-was-down",
		},
		"long ago": {
			func(t *floor.FleetTable) { t.Health.Shoe.LastDown = &topic.Fault{Time: now.Add(-61 * time.Minute)} },
			"",
		},
		"forged frames": {
			func(t *floor.FleetTable) { t.Health.Shoe.Counters["forged"] = 2 },
			"now bj-1 tampered 2",
		},
		"a dirty sensor": {
			func(t *floor.FleetTable) { t.Health.Shoe.Confidence.Mean = 89 },
			"soon bj-1 sensor 89\u202f%",
		},
		"many unsure": {
			func(t *floor.FleetTable) { t.Health.Shoe.Confidence.Low = 4 },
			"soon bj-1 sensor 98\u202f%",
		},
		"few cards": {func(t *floor.FleetTable) {
			*t.Health.Shoe.Confidence = topic.Confidence{
				Cards: 19,
				Mean:  50, Low: 9,
			}
		}, ""},
		"a queue": {
			func(t *floor.FleetTable) { t.Health.Shoe.Queued = ptr(uint64(9)) },
			"soon bj-1 shoe-queue 9",
		},
		"a bad line": {
			func(t *floor.FleetTable) { t.Health.Shoe.Counters["bad_frames"] = 600 },
			"soon bj-1 bad-frames 600 / 100,600",
		},
		"a new line": {func(t *floor.FleetTable) {
			t.Health.Shoe.Counters = map[string]uint64{
				"frames":     3,
				"bad_frames": 9,
			}
		}, ""},
		"denied": {func(t *floor.FleetTable) { t.Health.Denied = []string{"x"} }, "soon bj-1 denied"},
		"a backlog": {
			func(t *floor.FleetTable) { t.Health.Journal.Unacknowledged = 501 },
			"soon bj-1 backlog 501",
		},
		"memory": {
			func(t *floor.FleetTable) { t.Health.MemoryBytes = 300 << 20 },
			"soon bj-1 memory 300 MiB",
		},
		"activities": {func(t *floor.FleetTable) { t.Health.Goroutines = 2001 }, "soon bj-1 memory 40 MiB"},
		"an error": {
			func(t *floor.FleetTable) { t.Health.LastError = &topic.Fault{Time: now, Text: "x"} },
			"note bj-1 last-error",
		},
		"what it tells itself": {func(t *floor.FleetTable) {
			t.Health.Reasons = []string{
				"undervoltage", "hot",
				"backup-late",
			}
		}, "soon bj-1 backup-late; soon bj-1 undervoltage"},
		"a record in doubt": {
			func(t *floor.FleetTable) { t.Health.Reasons = []string{"held", "record-doubted"} },
			"now bj-1 record-doubted",
		},
		"of a newer table": {func(t *floor.FleetTable) { t.Health.Reasons = []string{"memory"} }, "soon bj-1 memory"},
		"told, and away": {
			func(t *floor.FleetTable) { t.Health.Reasons, t.Offline = []string{"card-worn"}, true },
			"now bj-1 offline",
		},
		"away with much wrong": {func(t *floor.FleetTable) {
			t.Offline, t.Health.Shoe.Up, t.Health.Journal.Unacknowledged = true, false, 9999
			t.Health.Computer.Celsius = ptr(uint64(99))
		}, "now bj-1 offline"},
	} {
		one := healthy("bj-1")
		c.change(&one)
		if got := found(one); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

func TestTheOrderOfFindings(t *testing.T) {
	one, two, three := healthy("bj-1"), healthy("bj-2"), healthy("bj-3")
	one.Health.LastError = &topic.Fault{Time: now}
	two.Health.Computer.Celsius = ptr(uint64(75))
	two.Health.Version = "1.1.0"
	three.Health.Shoe.Up = false
	one.Health.Computer.Certificate = ptr(now)
	const want = "now bj-1 certificate; now bj-3 shoe-down; soon bj-2 hot 75 °C; note bj-2 version 1.1.0 ≠ 1.2.0; " +
		"note bj-1 last-error"
	if got := found(one, two, three); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	two.Health.Version = one.Health.Version
	one.Health.Version = "2"
	if got := found(one, two); strings.Contains(got, "version") {
		t.Errorf("of two that differ one is told: %s", got)
	}
}

// TestFindingsOfAnyTables: whatever tables tell, each finding has what it needs, and the most urgent come first.
func TestFindingsOfAnyTables(t *testing.T) {
	codes := map[floor.FindingCode]bool{}
	for _, c := range floor.FindingCodes() {
		codes[c] = true
	}
	rapid.Check(t, func(rt *rapid.T) {
		var tables []floor.FleetTable
		for i := range rapid.IntRange(0, 5).Draw(rt, "tables") {
			one := healthy(fmt.Sprint("bj-", i))
			one.Offline = rapid.Bool().Draw(rt, "offline")
			number := rapid.Uint64()
			one.Health.Computer.DiskFree, one.Health.Computer.DiskSize = ptr(number.Draw(rt, "free")),
				ptr(number.Draw(rt, "of"))
			one.Health.Computer.Celsius, one.Health.Shoe.Queued = ptr(number.Draw(rt, "celsius")),
				ptr(number.Draw(rt, "queued"))
			one.Health.Shoe.Confidence.Low = number.Draw(rt, "low")
			one.Health.Shoe.Counters = map[string]uint64{
				"frames":     number.Draw(rt, "frames"),
				"bad_frames": number.Draw(rt, "bad"),
			}
			one.Health.MemoryBytes = number.Draw(rt, "memory")
			one.Health.Reasons = rapid.SliceOf(rapid.SampledFrom([]string{
				"hot", "card-worn",
				"record-doubted",
			})).Draw(rt, "reasons")
			tables = append(tables, one)
		}
		last := floor.UrgentNow
		for _, f := range floor.Findings(tables, now, display.English) {
			if f.Urgency > last || f.Urgency < floor.NotUrgent || !codes[f.Code] && !f.Told ||
				f.Table == (topic.Table{}) {
				rt.Fatalf("%+v comes after %s", f, last)
			}
			last = f.Urgency
		}
	})
}
