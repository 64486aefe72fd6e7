package nights_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/sim-hardware/mishap"
	"github.com/sabot-table/sabot/sim-hardware/nights"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// planOf is a plan of so many tables and nights.
func planOf(t testing.TB, tables, count int) nights.Plan {
	t.Helper()
	book := profile.Built()
	floor, err := nights.Floor(book, tables)
	if err != nil {
		t.Fatal(err)
	}
	return nights.Plan{
		Seed: 1, Hours: 1, Houses: book, Tables: floor, Staff: nights.UsualStaff(tables), Nights: count,
		First: time.Date(2026, 3, 27, 0, 0, 0, 0, time.UTC),
	}
}

// write deals a table's nights into a journal, and opens it.
func write(t testing.TB, p nights.Plan, at int) (nights.Dealt, *journal.Reader) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "journal")
	dealt, err := p.Write(t.Context(), at, path, nights.Writing{
		Program: "nights", DayBegins: 6 * time.Hour,
		Published: "mqtt",
	})
	if err != nil {
		t.Fatal(err)
	}
	j, err := journal.OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	return dealt, j
}

// step is a record, read.
type step struct {
	at   time.Time
	in   vocab.Input
	outs string
}

// steps yields what a journal has.
func steps(t testing.TB, j *journal.Reader) (list []step) {
	t.Helper()
	parser := transcript.NewParser(profile.Built())
	for r, err := range j.Records(1) {
		if err != nil {
			t.Fatal(err)
		}
		in, err := parser.Parse(r.Input, r.Seq)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, step{time.Unix(0, r.At).UTC(), in, string(r.Outputs)})
	}
	return list
}

// raises is what mishaps lead to in the record that do not raise their own irregularity, or not it alone.
var raises = map[string]string{
	"overdraw": `"out":"irregular","code":"`, "two-keys": `"code":"contradictory-keys"`,
	"bank-early": `"out":"corrected"`,
	"taken-back": `"out":"undone"`, "floor-call": `"out":"floor","event":"called"`,
}

// leads is what a mishap leads to in the record.
func leads(m mishap.Mishap) string {
	return cmp.Or(raises[m.Name], `"out":"irregular","code":"`+m.Code.String()+`"`)
}

// TestNights deals three nights of a careless floor. Each table's record is sound; all that can go wrong has, is on
// record, and was put right by somebody of the house.
func TestNights(t *testing.T) {
	p := planOf(t, 7, 3)
	p.Hours, p.OneIn = 1.2, 2
	made, deals := map[string]int{}, map[string]map[time.Time]int{} // by dealer and half hour: the table
	for at := range p.Tables {
		dealt, j := write(t, p, at)
		name := p.Tables[at].Name
		report, err := audit.Run(t.Context(), j, audit.Options{Book: p.Houses})
		if err != nil || !report.Well() || report.Rounds != uint64(dealt.Rounds) ||
			report.Records != uint64(dealt.Records) {
			t.Errorf("%s: dealt %+v; the audit says %+v, %v", name, dealt, report, err)
			for _, f := range report.Faults {
				t.Errorf("%s: %+v", name, *f)
			}
		}
		if least := 3 * 20; dealt.Rounds < least {
			t.Errorf("%s: only %d rounds in 3 nights", name, dealt.Rounds)
		}
		all := steps(t, j)
		var outs strings.Builder
		for _, s := range all {
			outs.WriteString(s.outs)
		}
		text := outs.String()
		house := mishap.House{Rules: p.Houses[p.Tables[at].Setup.House].Rules, Keeps: p.Tables[at].Maker == "sabot"}
		for _, m := range mishap.Errs(house) {
			n := dealt.Mishaps[m.Name]
			made[m.Name] += n
			if got := strings.Count(text, leads(m)); got < n {
				t.Errorf("%s: %s was made %d times, and is on record %d times", name, m.Name, n, got)
			}
		}
		rightful(t, p, name, all)
		shifts(t, at, all, deals)
	}
	for what, n := range made {
		if n == 0 {
			t.Errorf("%s never went wrong", what)
		}
	}
	t.Log(made)
}

// rightful checks that nothing was put right, opened or closed but by one of the house, and that in the end nothing is
// left to be put right.
func rightful(t *testing.T, p nights.Plan, name string, all []step) {
	t.Helper()
	for _, s := range all {
		switch s.in.Kind {
		case vocab.InResolve, vocab.InCorrect, vocab.InAcknowledge, vocab.InTable:
			who := p.Staff.Supervisors
			if s.in.Role == vocab.Dealer {
				who = p.Staff.Dealers
			}
			first := s.in.Kind == vocab.InTable && s.in.By == ""
			if !first && !slices.Contains(who, s.in.By) {
				t.Errorf("%s, %s: %s by %q", name, s.at, s.in.Kind, s.in.By)
			}
			if strings.Contains(s.outs, "rejected") {
				t.Errorf("%s, %s: %s %s was refused: %s", name, s.at, s.in.Kind, s.in.With, s.outs)
			}
		}
	}
	last := all[len(all)-1]
	if last.in.Kind != vocab.InDealer || last.in.By != "" {
		t.Errorf("%s ends with %+v", name, last)
	}
	if at := last.at.Sub(p.First) % (24 * time.Hour); at > 6*time.Hour && at < 19*time.Hour {
		t.Errorf("%s: the last night ended at %s", name, last.at)
	}
}

// shifts checks that nobody deals at two tables within one half hour.
func shifts(t *testing.T, at int, all []step, deals map[string]map[time.Time]int) {
	t.Helper()
	dealer := ""
	for _, s := range all {
		if s.in.Kind == vocab.InDealer {
			dealer = s.in.By
			if deals[dealer] == nil {
				deals[dealer] = map[time.Time]int{}
			}
			continue
		}
		half := s.at.Truncate(30 * time.Minute)
		if s.in.Kind != vocab.InOpen || s.at.Sub(half) < time.Minute { // a round that was about to be opened is
			continue
		}
		if other, busy := deals[dealer][half]; busy && other != at || dealer == "" {
			t.Errorf("%q deals at table %d and at table %d from %s on", dealer, other, at, half)
		}
		deals[dealer][half] = at
	}
}

// TestSamePlanSameNights: everything depends only on the plan.
func TestSamePlanSameNights(t *testing.T) {
	told := func(seed uint64) uint64 {
		p := planOf(t, 2, 1)
		p.Seed = seed
		_, j := write(t, p, 1)
		sum := fnv.New64a()
		for r, err := range j.Records(1) {
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(sum, "%d %s %s", r.At, r.Input, r.Outputs)
		}
		return sum.Sum64()
	}
	first := told(1)
	if first != told(1) {
		t.Error("the same plan has dealt other nights")
	}
	if first == told(2) {
		t.Error("another seed has dealt the same nights")
	}
}

// TestContinues: a table takes its journal up where the nights have left it: closed, with nothing to be put right, and
// nothing that the pit has not heard of.
func TestContinues(t *testing.T) {
	p := planOf(t, 3, 2)
	for at, table := range p.Tables {
		dealt, reader := write(t, p, at)
		path := reader.Path()
		if err := reader.Close(); err != nil {
			t.Fatal(err)
		}
		j, err := journal.Open(path, journal.Options{DayBegins: 6 * time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		if o := j.Opening(); o != (journal.Opening{}) {
			t.Errorf("%s: opened as %+v", table.Name, o)
		}
		_, next := j.Next()
		if sent, err := j.Cursor("mqtt"); err != nil || sent != next-1 {
			t.Errorf("%s: %d of %d events are sent: %v", table.Name, sent, next-1, err)
		}
		set, err := p.Houses.Set(table.Setup)
		if err != nil {
			t.Fatal(err)
		}
		r, err := runner.Restore(j, p.Houses, set)
		if err != nil || r.Differs != nil {
			t.Fatal(err, r.Differs)
		}
		_, held := r.Table.Held()
		dealer, _ := r.Table.Dealer()
		if !r.Table.Opening().Closed || r.Table.Phase() != vocab.Idle || dealer != "" ||
			r.Table.Round() != uint64(dealt.Rounds) {
			t.Errorf("%s: closed %t, phase %s, held %t, dealer %q, round %d of %d", table.Name,
				r.Table.Opening().Closed, r.Table.Phase(), held, dealer, r.Table.Round(), dealt.Rounds)
		}
		if *r.Setup != table.Setup {
			t.Errorf("%s: set up as %+v", table.Name, *r.Setup)
		}
		for a := range r.Table.Alerts {
			if a.Standing > 0 {
				t.Errorf("%s: %s stands", table.Name, a.Code)
			}
		}
		keeps := table.Maker == "sabot"
		if known := len(j.Positions()) == 1 && j.Positions()[0] == journal.Position(dealt.Shoe); known != keeps {
			t.Errorf("%s: the shoe is at %v, dealt %v", table.Name, j.Positions(), dealt.Shoe)
		}
	}
}

// TestEachNight: a gaming day has a part of the journal of its own, as at a table.
func TestEachNight(t *testing.T) {
	_, j := write(t, planOf(t, 1, 3), 0)
	days := map[string]bool{}
	for r, err := range j.Records(1) {
		if err != nil {
			t.Fatal(err)
		}
		days[time.Unix(0, r.At).UTC().Add(-6*time.Hour).Format(time.DateOnly)] = true
	}
	if got := slices.Sorted(maps.Keys(days)); !slices.Equal(got, []string{"2026-03-27", "2026-03-28", "2026-03-29"}) {
		t.Errorf("the gaming days are %v", got)
	}
}

// TestLastNights: the last night is the one before the gaming day under way, also where clocks are changed.
func TestLastNights(t *testing.T) {
	berlin := system.Zone(t, "Europe/Berlin")
	for now, want := range map[string]string{
		"2026-11-22 18:00": "2026-11-15", "2026-11-22 05:59": "2026-11-14", "2026-11-22 06:00": "2026-11-15",
		"2026-03-30 12:00": "2026-03-23", "2026-01-03 01:00": "2025-12-26",
	} {
		at, err := time.ParseInLocation("2006-01-02 15:04", now, berlin)
		if err != nil {
			t.Fatal(err)
		}
		first := nights.LastNights(at, 6*time.Hour, 7)
		if got := first.Format("2006-01-02 15:04"); got != want+" 00:00" {
			t.Errorf("%s: the first night is %s, want %s", now, got, want)
		}
	}
}

// TestCut: dealing ends when it is told to, and says so.
func TestCut(t *testing.T) {
	p := planOf(t, 1, 7)
	p.Hours = nights.UsualHours
	ctx, stop := context.WithCancel(t.Context())
	j := &cut{stop: stop}
	if _, err := p.Deal(ctx, 0, j); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	full := errors.New("the disk is full")
	if _, err := p.Deal(t.Context(), 0, &cut{stop: func() {}, err: full}); !errors.Is(err, full) {
		t.Errorf("the error is %v", err)
	}
}

// cut is a journal at whose first write something happens.
type cut struct {
	stop func()
	err  error
}

func (c *cut) Append([]journal.Entry) error { c.stop(); return c.err }
func (c *cut) Next() (record, event uint64) { return 1, 1 }

// BenchmarkNights deals the week of one table after the other, into journals on the disk.
func BenchmarkNights(b *testing.B) {
	p := planOf(b, 12, 7)
	p.Hours = nights.UsualHours
	rounds, at := 0, 0
	for b.Loop() {
		dealt, _ := write(b, p, at%12)
		rounds, at = rounds+dealt.Rounds, at+1
	}
	b.ReportMetric(float64(rounds)/b.Elapsed().Seconds(), "rounds/s")
}
