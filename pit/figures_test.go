package pit

import (
	"context"
	"database/sql"
	"fmt"
	"html"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/pittest"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/figures"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/table/profile"
)

// as lets somebody in who has a role.
type as people.Role

func (a as) Who(r *http.Request, _ bool) (people.Person, context.Context, func(), bool) {
	return people.Person{Name: "Frau Keller", Role: people.Role(a)}, r.Context(), func() {}, true
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
	s, m := pittest.Kept(t, filepath.Join(t.TempDir(), "pit.db"))
	p := &Pit{Floor: floor.New(floor.Options{}), Store: s, log: slog.New(slog.DiscardHandler)}
	pages := func(role people.Role) http.Handler {
		h, err := p.Pages(PagesOptions{
			Name: "Kursaal", Language: display.English, Houses: profile.Built(),
			People: as(role),
		})
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	for role, may := range map[people.Role]bool{
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
	wagers, err := m.Sums(t.Context(), store.Query{
		Of: tally.OfWagers,
		By: []store.Group{store.ByHouse, store.ByRules, store.ByWager},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range wagers {
		w := &wagers[i]
		if played := w.Staked - w.VoidStaked; played > 0 {
			if staked := display.English.Money((played+50)/100, 0); !strings.Contains(text, " "+staked+" ") {
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
	s, m := pittest.Kept(t, filepath.Join(t.TempDir(), "pit.db"))
	p := &Pit{Floor: floor.New(floor.Options{}), Store: s, log: slog.New(slog.DiscardHandler)}
	night := s.Day().Of(m.Played[0].Opened)
	page := "/figures/report?night=" + night.String()
	sign := func(role people.Role, seen string) int {
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
	for _, role := range []people.Role{dashboard.Viewer, dashboard.Technician} {
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
	err = s.Change(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
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
