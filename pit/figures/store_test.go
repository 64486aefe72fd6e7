package figures

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/pittest"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/journal"
)

// asks are queries as the pages make them.
func asks(o *Options) map[string]Query {
	night := func(d, n int) Query {
		date := time.Date(2026, 3, d, 0, 0, 0, 0, o.Day.Zone)
		return Query{From: o.from(date), To: o.from(date.AddDate(0, 0, n))}
	}
	of := func(q Query, change func(*Query)) Query {
		change(&q)
		return q
	}
	week := night(26, 7)
	begin := night(28, 1).From
	return map[string]Query{
		"week": week, "night": night(28, 1), "the night before": night(27, 1), "nothing": night(1, 1),
		"half an hour":                {From: begin, To: begin.Add(30 * time.Minute)},
		"table":                       of(week, func(q *Query) { q.Site, q.Table = "kursaal", "bj-2" }),
		"no table":                    of(week, func(q *Query) { q.Table = "bj-9" }),
		"dealer":                      of(week, func(q *Query) { q.Dealer = "anna" }),
		"house":                       of(week, func(q *Query) { q.House = "schaffhausen" }),
		"wager":                       of(week, func(q *Query) { q.Wager = "insurance" }),
		"a wager of a house at night": of(night(28, 1), func(q *Query) { q.House, q.Wager = "wiesbaden", "main" }),
	}
}

// TestFigures: what the store adds up is what the rounds come to as each table recalls them, on both databases.
func TestFigures(t *testing.T) {
	for name, source := range map[string]func() string{
		"sqlite":   func() string { return filepath.Join(t.TempDir(), "pit.db") },
		"postgres": func() string { return journaltest.NewPostgres(t).Source() },
	} {
		t.Run(name, func(t *testing.T) {
			s, m := pittest.Kept(t, source())
			kept, memory := figuresOf(t, s, s.Day()), figuresOf(t, m, s.Day())
			all := 0
			for name, q := range asks(&kept.options) {
				exactly(t, name, memory, m, q)
				for _, by := range [][]store.Group{
					nil,
					{store.ByTable},
					{store.ByDealer},
					{store.ByHour},
					{store.ByTable, store.ByDealer, store.ByHour},
				} {
					all += same(t, name+", pace", kept, memory, q, tally.OfRounds, by...)
					all += same(t, name+", wagers", kept, memory, q, tally.OfWagers, append(by, store.ByWager)...)
				}
				sameRounds(t, name, kept, memory, q)
			}
			if all < 100 {
				t.Errorf("only %d sums were compared", all)
			}
			wrongs(t, kept, s)
			codes(t, kept)
		})
	}
}

// TestDeadIsNotVoid: what void rounds came to says nothing of a dead wager that was taken in a good one.
func TestDeadIsNotVoid(t *testing.T) {
	s := opened(t)
	folder := filepath.Join(t.TempDir(), "journal")
	journaltest.VoidAndDead(t, folder)
	refill(t, s, 1, folder)
	f := figuresOf(t, s, s.Day())
	f.options.Rules = (&pittest.Memory{}).Rules
	if body := get(t, f, Root+"?night=2026-11-21").Body.String(); !strings.Contains(body, "1 void, 0 of it") {
		t.Error("a dead wager is among what void rounds came to")
	}
}

// TestMoneyAsExported: the money of an export is that of the figures' list, column by column, by table and by dealer.
func TestMoneyAsExported(t *testing.T) {
	s, _ := pittest.Kept(t, filepath.Join(t.TempDir(), "pit.db"))
	folder := filepath.Join(t.TempDir(), "out")
	if _, err := s.Export(t.Context(), folder, store.ExportOptions{Format: "csv"}); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(filepath.Join(folder, "money.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	columns := []string{"rounds", "void_rounds", "staked", "to_guests", "due", "house_won", "unknown"}
	exported, nights, missing := map[string]map[string]int64{}, map[string]bool{}, int64(0)
	for _, row := range csvRows(t, file) {
		nights[row["day"]] = true
		for _, of := range []string{"table " + row["site"] + " " + row["table_name"], "dealer  " + row["dealer"]} {
			of = row["day"] + " " + of + " " + row["currency"]
			if exported[of] == nil {
				exported[of] = map[string]int64{}
			}
			for _, c := range columns {
				n, err := strconv.ParseInt(row[c], 10, 64)
				if err != nil {
					t.Fatalf("%s: %v", c, err)
				}
				exported[of][c] += n
			}
		}
	}
	f, listed := figuresOf(t, s, s.Day()), 0
	for night := range nights {
		for _, row := range moneyList(t, f, "night="+night) {
			of := strings.Join([]string{night, row["of"], row["site"], row["name"], row["currency"]}, " ")
			for _, c := range columns {
				if want := strconv.FormatInt(exported[of][c], 10); row[c] != want {
					t.Errorf("%s: %s is %s, and exported as %s", of, c, row[c], want)
				}
			}
			listed, missing = listed+1, missing+exported[of]["unknown"]
		}
	}
	if listed != len(exported) || missing == 0 {
		t.Errorf("%d rows are listed, %d exported; of %d wagers nobody knows the amount", listed, len(exported),
			missing)
	}
}

// opened is a store of the test's own.
func opened(t *testing.T) *store.Store {
	t.Helper()
	return pittest.OpenStore(t, filepath.Join(t.TempDir(), "pit.db"), store.Day{Begins: 6 * time.Hour, Zone: time.UTC})
}

// refill has a store keep the journal in a folder, as that of the nth table.
func refill(t *testing.T, s *store.Store, n int, folder string) {
	t.Helper()
	r, err := journal.OpenReadOnly(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	if err := s.Refill(t.Context(), pittest.Table(n), r, nil); err != nil {
		t.Fatal(err)
	}
}

func figuresOf(t *testing.T, s Source, day store.Day) *Figures {
	t.Helper()
	f, err := New(Options{Source: s, Day: day, Language: display.English})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// exactly: what is added up are the rounds that were opened in the time that is asked for, and no others.
func exactly(t *testing.T, name string, f *Figures, m *pittest.Memory, q Query) {
	t.Helper()
	sums, err := f.sums(t.Context(), q, tally.OfRounds)
	var got, want int64
	for i := range sums {
		got += sums[i].Rounds
	}
	for i := range m.Played {
		p := &m.Played[i]
		if !p.Opened.Before(q.From) && (p.Opened.Before(q.To) || q.To.Sub(q.From) < time.Hour &&
			p.Opened.Before(q.From.Add(30*time.Minute))) &&
			(q.Table == "" || p.Table.Name() == q.Table) && (q.Dealer == "" || p.Dealer == q.Dealer) &&
			(q.House == "" || p.House == q.House) {
			want++
		}
	}
	if err != nil || got != want {
		t.Errorf("%s: %d rounds are added up, want %d: %v", name, got, want, err)
	}
}

// same compares sums in whatever order, and says how many they are. What rounds in memory do not know is left out.
func same(t *testing.T, name string, kept, memory *Figures, q Query, of tally.Measure, by ...store.Group) int {
	t.Helper()
	text := func(f *Figures) (lines []string) {
		list, err := f.sums(t.Context(), q, of, by...)
		if err != nil {
			t.Fatal(err)
		}
		for i := range list {
			s := &list[i]
			s.Hour = s.Hour.UTC()
			counted := tally.Sum{
				Rounds: s.Rounds, Void: s.Void, Boxes: s.Boxes, Hands: s.Hands, Places: s.Places,
				Unplaced:  s.Unplaced,
				Decisions: s.Decisions, Deciding: s.Deciding, Dealt: s.Dealt,
				Wagers: s.Wagers, Staked: s.Staked, Returned: s.Returned, Due: s.Due, Unknown: s.Unknown,
				WagerRounds: s.WagerRounds, Counted: s.Counted,
				VoidStaked: s.VoidStaked, VoidReturned: s.VoidReturned, BoxSquares: s.BoxSquares,
				RoundSquares: s.RoundSquares, Kept: s.Kept,
			}
			lines = append(lines, fmt.Sprintf("%+v", store.Sum{Key: s.Key, Sum: counted}))
		}
		slices.Sort(lines)
		return lines
	}
	g, w := text(kept), text(memory)
	if !slices.Equal(g, w) {
		t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(g, "\n"), strings.Join(w, "\n"))
	}
	return len(w)
}

func sameRounds(t *testing.T, name string, kept, memory *Figures, q Query) {
	t.Helper()
	const most = 40
	got, all, err := kept.findRounds(t.Context(), q, most)
	if err != nil {
		t.Fatal(err)
	}
	want, wantAll, _ := memory.findRounds(t.Context(), q, most)
	if all != wantAll || len(got) != len(want) {
		t.Fatalf("%s: %d of %d rounds, want %d of %d", name, len(got), all, len(want), wantAll)
	}
	for i := range got {
		g, w := &got[i], &want[i]
		if g.Table != w.Table || g.Dealer != w.Dealer || g.Rules != w.Rules || g.Journal != w.Journal ||
			g.Number != w.Number || !g.Opened.Equal(w.Opened) || !g.Ended.Equal(w.Ended) ||
			g.Boxes != w.Boxes || g.Hands != w.Hands || g.Void != w.Void || g.Staked != w.Staked ||
			g.Returned != w.Returned || g.Due != w.Due {
			t.Errorf("%s: round %d is\n%+v, want\n%+v", name, i, g, w)
		}
	}
}

// wrongs compares irregularities by code and dealer with their list.
func wrongs(t *testing.T, f *Figures, s *store.Store) {
	t.Helper()
	list, err := s.Irregularities(t.Context(), store.IrregularityQuery{Limit: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	want, got := map[string]int64{}, map[string]int64{}
	for _, i := range list {
		want[i.Table.Name()+i.Dealer+i.Code.String()]++
	}
	found, err := f.sums(t.Context(), Query{}, tally.OfIrregularities, store.ByDealer, store.ByTable, store.ByCode)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range found {
		got[w.Table.Name()+w.Dealer+w.Code] += w.Irregularities
	}
	if !maps.Equal(got, want) || len(want) < 5 {
		t.Errorf("irregularities: %v, want %v", got, want)
	}
}

// codes: a list of the rounds in which something went wrong names it.
func codes(t *testing.T, f *Figures) {
	t.Helper()
	found := 0
	for code := range irregularity.EveryCode {
		list, all, err := f.findRounds(t.Context(), Query{Code: code.String()}, 1000)
		if err != nil || int(all) != len(list) {
			t.Fatal(len(list), all, err)
		}
		for _, r := range list {
			found++
			if !slices.ContainsFunc(r.Irregularities, func(i tally.Irregularity) bool { return i.Code == code }) {
				t.Errorf("round %d of %s had %s, and is listed with %v", r.Number, r.Table, code, r.Irregularities)
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d rounds in which something went wrong", found)
	}
}
