package pit

import (
	"context"
	"database/sql"
	"fmt"
	"html"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/storetest"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/figures"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/recall"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// twoTables are dealt at by the engine. The store has their records; the memory is counted from what each table itself
// recalls of its rounds, by the second way: past, not tally, and box by box.
func twoTables(t *testing.T, source string) (sums, *figures.Memory) {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	day := store.Day{Begins: 20*time.Hour + 30*time.Minute, Zone: zone} // within the night, and within an hour
	s, err := store.Open(t.Context(), store.Options{Source: source, Day: day, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	m := &figures.Memory{Known: map[string]*rules.Rules{}}
	for i, house := range []string{"wiesbaden", "schaffhausen"} {
		folder := filepath.Join(t.TempDir(), "journal")
		n := storetest.NewNight(t, folder, house, uint64(i)+40)
		n.Mistakes, n.Dealers, n.Apart = 1, []string{"anna", "ben"}, 8*time.Second
		n.Deal(2500)
		r, err := journal.OpenReadOnly(folder)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = r.Close() })
		table, err := topic.NewTable("kursaal", fmt.Sprintf("bj-%d", i+1))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Refill(t.Context(), table, r, nil); err != nil {
			t.Fatal(err)
		}
		rules := profile.Built()[house].Rules
		m.Known[rules.Fingerprint] = rules
		rounds, err := recall.New(r, profile.Built()).Last(1 << 20)
		if err != nil {
			t.Fatal(err)
		}
		m.Played = append(m.Played, played(t, s, table, r.ID(), rules, rounds)...)
	}
	if !slices.ContainsFunc(m.Played, func(p figures.Played) bool { return p.Void }) || len(m.Played) < 150 {
		t.Fatalf("%d rounds, none of them void", len(m.Played))
	}
	return sums{s, profile.Built()}, m
}

// played counts rounds, the latest first, as they are recalled. How long decisions took is taken from the store.
func played(t *testing.T, s *store.Store, table topic.Table, journal string, r *rules.Rules,
	rounds []history.Round,
) (list []figures.Played) {
	t.Helper()
	kept, err := s.Rounds(t.Context(), store.RoundQuery{Tables: []topic.Table{table}, Limit: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	decided := map[uint64]store.Round{}
	for _, one := range kept {
		decided[one.Number] = one
	}
	for i := range rounds {
		one := &rounds[i]
		if !one.Finished() {
			continue
		}
		p := figures.Played{
			Round: figures.Round{
				Key: figures.Key{
					Site: table.Site(), Table: table.Name(), Dealer: one.Dealer, House: r.House,
					Rules: r.Fingerprint, Currency: r.Table.Currency,
				},
				Journal: journal, Number: one.Number, Opened: one.Began, Ended: one.Ended, Void: one.Void,
			},
			Places: int64(r.Table.Boxes), Decisions: int64(decided[one.Number].Decisions),
			Deciding: decided[one.Number].Deciding,
			Dealt:    min(one.Ended.Sub(one.Began), 5*time.Minute),
		}
		if i > 0 { // the one before it in the list is the next
			p.Dealt = min(rounds[i-1].Began.Sub(one.Began), 5*time.Minute)
		}
		bet(&p, one)
		list = append(list, p)
	}
	return list
}

// bet counts what lay on each box, and what came back.
func bet(p *figures.Played, r *history.Round) {
	bets := map[vocab.Wager]*figures.Bet{}
	for _, box := range r.Boxes {
		staked, hands := map[vocab.Wager]int64{}, map[uint8]bool{}
		for i := range box.Settled {
			out := &box.Settled[i].Out
			b := bets[out.Wager]
			if b == nil {
				b = &figures.Bet{Wager: out.Wager.String()}
				bets[out.Wager] = b
			}
			if out.Kind == vocab.Settled {
				b.Count++
				if out.Wager == vocab.WagerMain {
					hands[out.Hand] = true
				}
			}
			switch {
			case out.Unstated && out.Kind == vocab.Settled:
				b.Unknown++
			case !out.Unstated:
				b.Returned += out.Returned + out.Won
				if out.Kind == vocab.Settled {
					staked[out.Wager] += out.Stake
				}
			}
		}
		for i := range box.Paid {
			out := &box.Paid[i].Out
			bets[out.Wager].Returned += out.Given - out.Owed
			bets[out.Wager].Over += out.Given - out.Owed
		}
		for wager, amount := range staked {
			bets[wager].Boxes = append(bets[wager].Boxes, amount)
		}
		p.Hands += int64(len(hands))
		if len(hands) > 0 {
			p.Boxes++
		}
	}
	for i := range r.Adjusted { // it counts where its round does
		out := &r.Adjusted[i].Line.Out
		bets[out.Wager].Returned += out.More
		bets[out.Wager].Over += out.More
	}
	for _, b := range bets {
		p.Bets = append(p.Bets, *b)
	}
}

// asks are queries as the pages make them.
func asks(day figures.Day) map[string]figures.Query {
	night := func(d, n int) figures.Query {
		date := time.Date(2026, 3, d, 0, 0, 0, 0, day.Zone)
		return figures.Query{From: day.From(date), To: day.From(date.AddDate(0, 0, n))}
	}
	of := func(q figures.Query, change func(*figures.Query)) figures.Query {
		change(&q)
		return q
	}
	week := night(26, 7)
	begin := night(28, 1).From
	return map[string]figures.Query{
		"week": week, "night": night(28, 1), "the night before": night(27, 1), "nothing": night(1, 1),
		"half an hour": {From: begin, To: begin.Add(30 * time.Minute)},
		"table":        of(week, func(q *figures.Query) { q.Site, q.Table = "kursaal", "bj-2" }),
		"no table":     of(week, func(q *figures.Query) { q.Table = "bj-9" }),
		"dealer":       of(week, func(q *figures.Query) { q.Dealer = "anna" }),
		"house":        of(week, func(q *figures.Query) { q.House = "schaffhausen" }),
		"wager":        of(week, func(q *figures.Query) { q.Wager = "insurance" }),
		"a wager of a house at night": of(night(28, 1), func(q *figures.Query) {
			q.House, q.Wager = "wiesbaden", "main"
		}),
	}
}

// TestFigures: what the store adds up is what the rounds come to as each table recalls them, on both databases.
func TestFigures(t *testing.T) {
	for name, source := range map[string]func() string{
		"sqlite":   func() string { return filepath.Join(t.TempDir(), "pit.db") },
		"postgres": func() string { return storetest.NewPostgres(t).Source() },
	} {
		t.Run(name, func(t *testing.T) {
			s, m := twoTables(t, source())
			all := 0
			for name, q := range asks(gamingDay(s.store.Day())) {
				for _, by := range []figures.By{
					0, figures.ByTable, figures.ByDealer, figures.ByHour,
					figures.ByTable | figures.ByDealer | figures.ByHour,
				} {
					got, err := s.Pace(t.Context(), q, by)
					if err != nil {
						t.Fatal(err)
					}
					want, _ := m.Pace(t.Context(), q, by)
					all += same(t, name+", pace", got, want, func(p *figures.Pace) *figures.Key { return &p.Key })
					wagers, err := s.Wagers(t.Context(), q, by)
					if err != nil {
						t.Fatal(err)
					}
					wantWagers, _ := m.Wagers(t.Context(), q, by)
					all += same(t, name+", wagers", wagers, wantWagers, func(w *figures.Wager) *figures.Key {
						return &w.Key
					})
				}
				sameRounds(t, name, s, m, q)
			}
			if all < 100 {
				t.Errorf("only %d sums were compared", all)
			}
			wrongs(t, s)
			codes(t, s)
		})
	}
}

// same compares lists in whatever order, and says how long they are.
func same[T any](t *testing.T, name string, got, want []T, key func(*T) *figures.Key) int {
	t.Helper()
	text := func(list []T) (lines []string) {
		for i := range list {
			k := key(&list[i])
			k.Hour = k.Hour.UTC()
			if k.Hour.Year() < 2000 {
				k.Hour = time.Time{}
			}
			lines = append(lines, fmt.Sprintf("%+v", list[i]))
		}
		slices.Sort(lines)
		return lines
	}
	if g, w := text(got), text(want); !slices.Equal(g, w) {
		t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(g, "\n"), strings.Join(w, "\n"))
	}
	return len(want)
}

func sameRounds(t *testing.T, name string, s sums, m *figures.Memory, q figures.Query) {
	t.Helper()
	const most = 40
	got, all, err := s.Rounds(t.Context(), q, most)
	if err != nil {
		t.Fatal(err)
	}
	want, wantAll, _ := m.Rounds(t.Context(), q, most)
	if all != wantAll || len(got) != len(want) {
		t.Fatalf("%s: %d of %d rounds, want %d of %d", name, len(got), all, len(want), wantAll)
	}
	for i := range got {
		g, w := &got[i], &want[i]
		if g.Key != w.Key || g.Journal != w.Journal || g.Number != w.Number || !g.Opened.Equal(w.Opened) ||
			!g.Ended.Equal(w.Ended) ||
			g.Boxes != w.Boxes || g.Hands != w.Hands || g.Void != w.Void || g.Staked != w.Staked ||
			g.Returned != w.Returned {
			t.Errorf("%s: round %d is\n%+v, want\n%+v", name, i, g, w)
		}
	}
}

// wrongs compares irregularities by code and dealer with their list.
func wrongs(t *testing.T, s sums) {
	t.Helper()
	list, err := s.store.Irregularities(t.Context(), store.IrregularityQuery{Limit: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	want, got := map[string]int64{}, map[string]int64{}
	for _, i := range list {
		want[i.Table.Name()+i.Dealer+i.Code.String()]++
	}
	found, err := s.Wrongs(t.Context(), figures.Query{}, figures.ByDealer|figures.ByTable)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range found {
		got[w.Table+w.Dealer+w.Code] += w.Count
	}
	if !maps.Equal(got, want) || len(want) < 5 {
		t.Errorf("irregularities: %v, want %v", got, want)
	}
}

// codes: a list of the rounds in which something went wrong names it.
func codes(t *testing.T, s sums) {
	t.Helper()
	found := 0
	for code := range irregularity.EveryCode {
		list, all, err := s.Rounds(t.Context(), figures.Query{Code: code.String()}, 1000)
		if err != nil || int(all) != len(list) {
			t.Fatal(len(list), all, err)
		}
		for _, r := range list {
			found++
			if !slices.Contains(r.Codes, code.String()) {
				t.Errorf("round %d of %s had %s, and is listed with %v", r.Number, r.Table, code, r.Codes)
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d rounds in which something went wrong", found)
	}
}

// as lets somebody in who has a role.
type as dashboard.Role

func (a as) Who(r *http.Request, _ bool) (dashboard.Person, context.Context, func(), bool) {
	return dashboard.Person{Name: "Frau Keller", Role: dashboard.Role(a)}, r.Context(), func() {}, true
}

func ask(t *testing.T, pages http.Handler, address string) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	pages.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost"+address, nil))
	return w.Code, html.UnescapeString(w.Body.String())
}

var tags = regexp.MustCompile(`<[^>]*>`)

// TestFiguresPages: a manager finds the pages of figures, with the numbers that the tables' rounds come to, and the way
// from them to a round; a supervisor finds the shift report alone, and its rounds; nobody else does.
func TestFiguresPages(t *testing.T) {
	s, m := twoTables(t, filepath.Join(t.TempDir(), "pit.db"))
	p := &Pit{Floor: floor.New(floor.Options{}), Store: s.store, log: slog.New(slog.DiscardHandler)}
	pages := func(role dashboard.Role) http.Handler {
		h, err := p.Pages(PagesOptions{
			Name: "Kursaal", Language: display.English, Houses: profile.Built(),
			People: as(role),
		})
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	for role, may := range map[dashboard.Role]bool{
		dashboard.Viewer: false, dashboard.Supervisor: false,
		dashboard.Technician: false, dashboard.Manager: true,
	} {
		h := pages(role)
		if _, body := ask(t, h, "/"); strings.Contains(body, `href="/figures"`) != may {
			t.Errorf("as %s the head leads to the figures: %t", role, !may)
		}
		if _, body := ask(t, h, "/"); strings.Contains(body, `href="/figures/odds"`) != may {
			t.Errorf("as %s the menu leads to the odds: %t", role, !may)
		}
		for _, address := range []string{"/figures", "/figures/wager", "/figures/odds"} {
			if code, _ := ask(t, h, address); code == http.StatusOK != may {
				t.Errorf("as %s %s is answered with %d", role, address, code)
			}
		}
		reads := role.May(dashboard.Supervisor)
		for _, address := range []string{"/figures/report", "/figures/rounds", "/figures/money.csv"} {
			if code, _ := ask(t, h, address); code == http.StatusOK != reads {
				t.Errorf("as %s %s is answered with %d", role, address, code)
			}
		}
		if _, body := ask(t, h, "/"); strings.Contains(body, `href="/figures/report"`) != reads {
			t.Errorf("as %s the head leads to the shift report: %t", role, !reads)
		}
		if code, _ := ask(t, h, "/figures/assets/figures.css"); code != http.StatusOK {
			t.Errorf("as %s the style is answered with %d", role, code)
		}
	}
	h := pages(dashboard.Manager)
	const nights = "?night=2026-04-01&nights=7"
	code, body := ask(t, h, "/figures"+nights)
	text := tags.ReplaceAllString(body, " ")
	q := asks(gamingDay(s.store.Day()))["week"]
	wagers, _ := m.Wagers(t.Context(), q, 0)
	for _, w := range wagers {
		if w.Staked > 0 {
			if staked := display.English.Money((w.Staked+50)/100, 0); !strings.Contains(text, " "+staked+" ") {
				t.Errorf("of %s at %s %s are staked, which the page does not say (%d)", w.Wager, w.House, staked, code)
			}
		}
	}
	_, body = ask(t, h, "/figures/rounds"+nights)
	if want := fmt.Sprintf("The latest %d of %[1]d rounds", len(m.Played)); !strings.Contains(body, want) {
		t.Errorf("the rounds do not say %q", want)
	}
	link := regexp.MustCompile(`href="(/table/[^"]*/recall/\d+)"`).FindStringSubmatch(body)
	if link == nil {
		t.Fatal("no round leads to its page")
	}
	if code, _ := ask(t, h, link[1]); code != http.StatusOK {
		t.Errorf("%s is answered with %d", link[1], code)
	}
}

// BenchmarkFiguresOfAMonth draws pages of figures of a month of 50 tables, which pit/store's BenchmarkMonth has left in
// the folder SABOT_MONTH.
func BenchmarkFiguresOfAMonth(b *testing.B) {
	folder := os.Getenv("SABOT_MONTH")
	if folder == "" {
		b.Skip("SABOT_MONTH names no folder with a month: see pit/store's BenchmarkMonth")
	}
	s, err := store.Open(b.Context(), store.Options{
		Source: filepath.Join(folder, "pit.db"),
		Day:    store.Day{Begins: 6 * time.Hour}, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	p := &Pit{Floor: floor.New(floor.Options{}), Store: s, log: slog.New(slog.DiscardHandler)}
	h, err := p.Pages(PagesOptions{Name: "Kursaal", Language: display.English, Houses: profile.Built()})
	if err != nil {
		b.Fatal(err)
	}
	for _, of := range []string{"&nights=30", "&nights=7", ""} {
		for _, page := range []string{
			"?", "/report?", "/rounds?", "/rounds?table=bj-7&", "/rounds?dealer=d07&", "/rounds?house=baden&",
			"/rounds?wager=insurance&",
			"/rounds?house=mendrisio&wager=progressive&", "/rounds?code=lost-cards&", "/rounds?code=payout-mismatch&",
			"/wager?house=wiesbaden&wager=main&", "/wager?house=mendrisio&wager=progressive&",
		} {
			address := figures.Root + page + "night=2026-03-30" + of
			b.Run(address, func(b *testing.B) {
				before := processorTime(b)
				for b.Loop() {
					w := httptest.NewRecorder()
					h.ServeHTTP(w, httptest.NewRequestWithContext(b.Context(), http.MethodGet, "http://localhost"+
						address, nil))
					if w.Code != http.StatusOK || strings.Contains(w.Body.String(), `class="nothing"`) {
						b.Fatal(w.Code, w.Body)
					}
				}
				b.ReportMetric(float64((processorTime(b)-before).Milliseconds())/float64(b.N), "cpu-ms/op")
			})
		}
	}
}

// processorTime is what the process has needed, however many others share the processor.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// TestShiftReportIsSigned: a supervisor signs the report of the store's figures, which keeps it with name and role; a
// payment that is put right later changes what the signature says, and nobody else signs.
func TestShiftReportIsSigned(t *testing.T) {
	s, m := twoTables(t, filepath.Join(t.TempDir(), "pit.db"))
	p := &Pit{Floor: floor.New(floor.Options{}), Store: s.store, log: slog.New(slog.DiscardHandler)}
	night := s.store.Day().Of(m.Played[0].Opened)
	page := "/figures/report?night=" + night.String()
	sign := func(role dashboard.Role, seen string) int {
		h, err := p.Pages(PagesOptions{
			Name: "Kursaal", Language: display.English, Houses: profile.Built(),
			People: as(role),
		})
		if err != nil {
			t.Fatal(err)
		}
		body := fmt.Sprintf(`{"night":%q,"shift":0,"seen":%q,"by":""}`, night, seen)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/figures/report/sign",
			strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code
	}
	h, err := p.Pages(PagesOptions{
		Name: "Kursaal", Language: display.English, Houses: profile.Built(),
		People: as(dashboard.Supervisor),
	})
	if err != nil {
		t.Fatal(err)
	}
	_, body := ask(t, h, page)
	found := regexp.MustCompile(`data-seen="([0-9a-f]{64})"`).FindStringSubmatch(body)
	if found == nil {
		t.Fatal("there is nothing to sign")
	}
	for _, role := range []dashboard.Role{dashboard.Viewer, dashboard.Technician} {
		if code := sign(role, found[1]); code != http.StatusForbidden {
			t.Errorf("a %s signs: %d", role, code)
		}
	}
	if code := sign(dashboard.Supervisor, found[1]); code != http.StatusNoContent {
		t.Fatalf("a supervisor does not sign: %d", code)
	}
	if _, body := ask(t, h, page); !strings.Contains(body, "(Supervisor), ") ||
		!strings.Contains(body, "unchanged since") {
		t.Error("the report does not say who has signed it")
	}
	err = s.store.Change(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE wager_sum SET returned = returned + 1000 WHERE day = $1`, int64(night))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, body := ask(t, h, page); !strings.Contains(body, "The report has changed since this signature:") ||
		strings.Contains(body, "unchanged since") {
		t.Error("the report does not say that it has changed")
	}
	if code := sign(dashboard.Supervisor, found[1]); code != http.StatusConflict {
		t.Errorf("what nobody has seen is signed: %d", code)
	}
}
