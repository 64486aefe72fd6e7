package figures

import (
	"context"
	"encoding/csv"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/pittest"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/tray"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/vocab"
)

// closes are the pages of a day whose trays are made up, for somebody.
func closes(t *testing.T, name string) *http.ServeMux {
	t.Helper()
	return pagesOf(t, closing(t, func(*http.Request) people.Person {
		return people.Person{Name: name, Role: dashboard.Supervisor}
	}))
}

// closing are the options of pages of that day.
func closing(t *testing.T, who func(*http.Request) people.Person) Options {
	t.Helper()
	day := zurich(t)
	night := time.Date(2026, 3, 28, 0, 0, 0, 0, day.Zone)
	y := &pittest.Trays{From: day.Start(store.DateOf(night)), Table: func(n int) topic.Table {
		return pittest.CasinoTable("bj-" + string(rune('0'+n)))
	}}
	memory, err := pittest.Nights{Last: night, Count: 1, Day: day, Tables: 2, Seed: 1}.Memory()
	if err != nil {
		t.Fatal(err)
	}
	return Options{
		Source: memory, Rules: memory.Rules, Day: day, Language: display.English, Trays: y, Who: who,
		Now: func() time.Time { return night.Add(30 * time.Hour) },
	}
}

func pagesOf(t *testing.T, o Options) *http.ServeMux {
	t.Helper()
	f, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	for _, p := range f.Pages() {
		mux.HandleFunc(p.Method+" "+p.Path, p.Serve)
	}
	return mux
}

func requested(t *testing.T, mux *http.ServeMux, method, path, body string) (int, string) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// TestTheClose: the file has what was counted and what the rounds say to the cent, and the page names the differences.
func TestTheClose(t *testing.T) {
	mux := closes(t, "cora")
	_, text := requested(t, mux, "GET", "/figures/close.csv?night=2026-03-28", "")
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) != 10 {
		t.Fatalf("%v\n%s", err, text)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	differ := map[string]string{}
	for _, row := range rows[1:] {
		if d := row[column["difference"]]; d != "0" {
			differ[row[column["table_name"]]] = d
		}
	}
	if len(differ) != 3 || differ["bj-2"] != "-10000" || differ["bj-6"] != "-5000" || differ["bj-9"] != "" {
		t.Errorf("these differ: %v", differ)
	}
	_, page := requested(t, mux, "GET", "/figures/close?night=2026-03-28", "")
	for _, want := range []string{
		"That is one chip of 100.00.", "Between the counts at 20:04 and 21:29", "Dealt: Anna, Dimitri",
		"In the drop box were 1,900.00; 1,950.00 had to be there.", "bj-4: the closing count is missing",
		"bj-1: a drop box is not counted; 1,700.00 must be in it",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if _, none := requested(t, mux, "GET", "/figures/close?night=2026-03-20", ""); !strings.Contains(none,
		"No tray was counted") {
		t.Error("of a day without trays the page does not say so")
	}
}

// made are the pages of the day of one table, which somebody has made up.
func made(t *testing.T, r *tray.Records) *http.ServeMux {
	t.Helper()
	day := zurich(t)
	night := time.Date(2026, 3, 28, 0, 0, 0, 0, day.Zone)
	r.From = day.Start(store.DateOf(night))
	r.Until = r.From.AddDate(0, 0, 1)
	memory, err := pittest.Nights{Last: night, Count: 1, Day: day, Tables: 1, Seed: 1}.Memory()
	if err != nil {
		t.Fatal(err)
	}
	return pagesOf(t, Options{
		Source: memory, Rules: memory.Rules, Day: day, Language: display.English, Trays: oneTray{r},
		Now: func() time.Time { return night.Add(30 * time.Hour) },
	})
}

// oneTray is all that was done to the tray of bj-1 in a day.
type oneTray struct{ records *tray.Records }

func (y oneTray) TrayDay(context.Context, store.Date) (map[topic.Table]*tray.Records, error) {
	return map[topic.Table]*tray.Records{pittest.CasinoTable("bj-1"): y.records}, nil
}

func (y oneTray) CountDrop(context.Context, topic.Table, store.Date, tray.Opened) error { return nil }

// TestNothingWasCompared: where no tray could be held against its rounds, the page does not say that all agree; and a
// table that was counted, and never again, has its closing count to come, unless its tray is gone.
func TestNothingWasCompared(t *testing.T) {
	at := time.Date(2026, 3, 28, 20, 0, 0, 0, time.UTC)
	count := func(event vocab.CountEvent, record uint64, after time.Duration) tray.Event {
		e := tray.Event{Journal: "a", TrayEvent: tally.TrayEvent{
			Record: record, At: at.Add(after), Of: vocab.InCount, Currency: "EUR",
		}}
		e.Told.Count, e.Told.Amount = event, 100_000
		return e
	}
	round := func(unknown int64) []tray.Round {
		return []tray.Round{{
			Journal: "a", Last: 100, Ended: at.Add(time.Hour), Currency: "EUR", InTray: tally.InTray{Unknown: unknown},
		}}
	}
	known := count(vocab.CountClosing, 200, 2*time.Hour)
	known.Known, known.Must = true, 100_000
	unknown := count(vocab.CountClosing, 200, 2*time.Hour)
	unknown.Told.Unknown = 1
	gone := tray.Event{Journal: "a", TrayEvent: tally.TrayEvent{
		Record: 300, At: at.Add(3 * time.Hour), Of: vocab.InSetup, Currency: "EUR",
	}}
	opening, before := count(vocab.CountOpening, 2, 0), count(vocab.CountClosing, 1, -20*time.Hour)
	for _, c := range []struct {
		name            string
		records         tray.Records
		agrees, missing bool
	}{
		{"counted twice", tray.Records{Events: []tray.Event{opening, known}, Rounds: round(0)}, true, false},
		{"without amounts", tray.Records{Events: []tray.Event{opening, unknown}, Rounds: round(1)}, false, false},
		{"counted once", tray.Records{Events: []tray.Event{opening}, Rounds: round(0)}, false, true},
		{"counted the day before", tray.Records{Events: []tray.Event{before}, Rounds: round(0)}, false, true},
		{"counted once, and gone", tray.Records{
			Events: []tray.Event{opening}, Rounds: round(0), Gone: []tray.Event{gone},
		}, false, false},
		{"not played", tray.Records{Events: []tray.Event{before}}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, page := requested(t, made(t, &c.records), "GET", "/figures/close?night=2026-03-28", "")
			if got := strings.Contains(page, "All trays and drop boxes agree"); got != c.agrees {
				t.Errorf("the page says that all agree: %t", got)
			}
			if got := strings.Contains(page, "the closing count is missing"); got != c.missing {
				t.Errorf("the page says that the closing count is missing: %t", got)
			}
		})
	}
}

// TestTheDropIsCounted: what was in a box is kept with the name of who has logged in, and a second entry needs a
// reason.
func TestTheDropIsCounted(t *testing.T) {
	mux := closes(t, "cora")
	const body = `{"night":"2026-03-28","site":"casino","table":"bj-1","journal":"00000000000000000000000000000001",` +
		`"record":9999,"amount":"%","reason":"","by":"nobody"}`
	enter := func(amount, reason string) (int, string) {
		text := strings.Replace(strings.Replace(body, "%", amount, 1), `"reason":""`, `"reason":"`+reason+`"`, 1)
		return requested(t, mux, "POST", "/figures/close/drop", text)
	}
	for _, bad := range []string{"", "-5", "12,3,4", "1e9"} {
		if code, _ := enter(bad, ""); code != http.StatusBadRequest {
			t.Errorf("the amount %q gives %d", bad, code)
		}
	}
	if code, said := enter("1’650.00", ""); code != http.StatusNoContent {
		t.Fatalf("%d %s", code, said)
	}
	if code, said := enter("1,700.00", ""); code != http.StatusConflict || !strings.Contains(said, "needs a reason") {
		t.Errorf("a second entry gives %d %s", code, said)
	}
	if code, _ := enter("1,700.00", "a note stuck in the lid"); code != http.StatusNoContent {
		t.Errorf("a correction gives %d", code)
	}
	if code, _ := requested(t, mux, "POST", "/figures/close/drop", `{"night":"2026-03-28"}`); code != http.StatusBadRequest {
		t.Errorf("half an entry gives %d", code)
	}
}

// floorOf is a store, and the pages of what it keeps.
func floorOf(t *testing.T) (*store.Store, *http.ServeMux) {
	t.Helper()
	zone := system.Zone(t, "Europe/Berlin")
	day := store.Day{Begins: 6 * time.Hour, Zone: zone}
	s := pittest.OpenStore(t, filepath.Join(tabletest.FastDir(t), "pit.db"), day)
	return s, pagesOf(t, Options{
		Source: s, Day: day, Language: display.English, Trays: s, Past: func(r *store.Round) string {
			return dashboard.RoundAt(r.Table, r.Journal, r.Number)
		}, Now: func() time.Time { return time.Date(2026, 3, 29, 10, 0, 0, 0, zone) },
	})
}

// keeps has a store keep the journal in a folder.
func keeps(t *testing.T, s *store.Store, table topic.Table, folder string) {
	t.Helper()
	r, err := journal.OpenReadOnly(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := s.Refill(t.Context(), table, r, nil); err != nil {
		t.Fatal(err)
	}
}

// TestTheCloseOfTwoCurrencies: of a table that is set up with another currency in the evening, each currency has its
// own line and its own sums, and each amount its own decimals; a box still on the table is counted in each of them. The
// page says that the first tray is gone, and the file which tray of the table each line is of.
func TestTheCloseOfTwoCurrencies(t *testing.T) {
	s, mux := floorOf(t)
	folder := filepath.Join(tabletest.FastDir(t), "journal")
	n := journaltest.NewNight(t, folder, "wiesbaden", 45)
	n.Cash = &tabletest.Cash{Player: tabletest.Player{Dice: rand.New(rand.NewPCG(45, 1)), Boxes: 2, Freely: true}}
	n.Take(n.Cash.Count(vocab.CountOpening))
	n.Sell(20_000)
	n.Rounds(5)
	n.Take(n.Cash.Count(vocab.CountClosing))
	n.SetUp("yen")
	n.Count(vocab.CountOpening, 200)
	n.Sell(30_000)
	n.Count(vocab.CountClosing, 196)
	n.Flush()
	keeps(t, s, pittest.CasinoTable("bj-1"), folder)
	_, text := requested(t, mux, "GET", "/figures/close.csv?night=2026-03-28", "")
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(rows) != 3 {
		t.Fatalf("%v\n%s", err, text)
	}
	if name := rows[0][len(rows[0])-1]; name != "tray" {
		t.Errorf("the last column is %s", name)
	}
	for i, want := range []string{"EUR 10000000 20000 0 1", "JPY 2000000 30000 -10000 2"} {
		row := rows[i+1]
		if got := strings.Join([]string{row[4], row[5], row[9], row[13], row[len(row)-1]}, " "); got != want {
			t.Errorf("the file has %s, want %s", got, want)
		}
	}
	enter := func(currency, amount string) {
		t.Helper()
		code, said := requested(t, mux, "POST", "/figures/close/drop", `{"night":"2026-03-28","site":"casino",`+
			`"table":"bj-1","journal":"","record":0,"currency":"`+currency+`","amount":"`+amount+`","by":"cora"}`)
		if code != http.StatusNoContent {
			t.Errorf("%s: %d %s", currency, code, said)
		}
	}
	enter("EUR", "200.50")
	enter("JPY", "30500")
	_, page := requested(t, mux, "GET", "/figures/close?night=2026-03-28", "")
	for _, want := range []string{
		"In the drop box were 200.50; 200.00 had to be there.", "In the drop box were 30,500; 30,000 had to be there.",
		">100,000.00<", ">2,000,000<", `data-currency="JPY"`,
		">At the table when it was set up in another currency at 20:0",
		`colspan="10"><span>At the table when it was set up in another currency at 20:0`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// TestTheDropOfATableThatNobodyCounts: what must be in its box, and what was in it, has the decimals of its currency;
// of a table to whose tray nothing was done there is no box.
func TestTheDropOfATableThatNobodyCounts(t *testing.T) {
	s, mux := floorOf(t)
	folder := filepath.Join(tabletest.FastDir(t), "journal")
	n := journaltest.NewNight(t, folder, "yen", 44)
	n.Sell(10_000)
	n.Flush()
	keeps(t, s, pittest.CasinoTable("bj-1"), folder)
	enter := func(table string) (int, string) {
		return requested(t, mux, "POST", "/figures/close/drop", `{"night":"2026-03-28","site":"casino","table":"`+table+
			`","journal":"","record":0,"amount":"10000","reason":"","by":"cora"}`)
	}
	const must = "bj-1: a drop box is not counted; 10,000 must be in it"
	if _, page := requested(t, mux, "GET", "/figures/close?night=2026-03-28", ""); !strings.Contains(page, must) {
		t.Errorf("the page does not say %q", must)
	}
	if code, said := enter("bj-2"); code != http.StatusNotFound {
		t.Errorf("the box of another table gives %d %s", code, said)
	}
	if code, said := enter("bj-1"); code != http.StatusNoContent {
		t.Fatalf("%d %s", code, said)
	}
	all, err := s.TrayDay(t.Context(), journaltest.TheGamingDay)
	if err != nil {
		t.Fatal(err)
	}
	if got := all[pittest.CasinoTable("bj-1")].Opened; len(got) != 1 || got[0].Amount != 10_000 {
		t.Errorf("kept is %+v", got)
	}
}

// TestTheSlips: two are on a sheet, one of its own comes twice, and a number that is missing is named.
func TestTheSlips(t *testing.T) {
	mux := closes(t, "cora")
	_, page := requested(t, mux, "GET", "/figures/slips?night=2026-03-28&table=bj-4", "")
	if n, sheets := strings.Count(page, `class="slip `), strings.Count(page, `class="sheet"`); n != 4 || sheets != 2 {
		t.Errorf("%d slips on %d sheets", n, sheets)
	}
	_, page = requested(t, mux, "GET", "/figures/slips?night=2026-03-28&table=bj-4&slip=83", "")
	if !strings.Contains(page, "For the cage") || !strings.Contains(page, "For the drop box") ||
		strings.Count(page, `class="slip `) != 2 {
		t.Error("a slip of its own does not come in two copies")
	}
}

// TestMissingSlips: of numbers that are missing in a row the first and the last are named, however many a table leaves
// out. Slips of several currencies have one row.
func TestMissingSlips(t *testing.T) {
	day := zurich(t)
	memory, err := pittest.Nights{
		Last: time.Date(2026, 3, 28, 0, 0, 0, 0, day.Zone), Count: 1, Day: day, Tables: 1, Seed: 1,
	}.Memory()
	if err != nil {
		t.Fatal(err)
	}
	f, err := New(Options{Source: memory, Rules: memory.Rules, Day: day, Language: display.English})
	if err != nil {
		t.Fatal(err)
	}
	d := drawing{Figures: f, speaker: f.speaking(httptest.NewRequestWithContext(t.Context(), "GET", "/", nil))}
	slips := func(journal string, numbers ...uint32) (list []tray.Slip) {
		for _, n := range numbers {
			list = append(list, tray.Slip{Journal: journal, Number: n})
		}
		return list
	}
	c := closed{table: pittest.CasinoTable("bj-1"), last: &tray.Event{}}
	c.numbers = slices.Concat(slips("a", 1, 2, 4, 1<<32-1, 7), slips("b", 9))
	want := []string{"bj-1: slip 3 is missing", "bj-1: slip 5–4294967294 is missing"}
	if got := d.missingSlips(&c); !slices.Equal(got, want) {
		t.Errorf("it says %q", got)
	}
	var records tray.Records
	for i, currency := range []string{"EUR", "JPY", "EUR"} {
		e := tray.Event{TrayEvent: tally.TrayEvent{At: time.Unix(int64(i), 0), Currency: currency}}
		e.Told.Slip, e.Told.Step = uint32(i)+1, vocab.SlipAsked
		records.Events = append(records.Events, e)
	}
	for _, one := range closedBy(c.table, &records) {
		if got := d.missingSlips(&one); len(got) > 0 {
			t.Errorf("of slips in two currencies it says %q", got)
		}
	}
	records.Events[2].At = time.Unix(0, 0) // the clock was set back
	for _, one := range closedBy(c.table, &records) {
		if got := d.missingSlips(&one); len(got) > 0 {
			t.Errorf("of slips while a clock was set back it says %q", got)
		}
	}
}

// TestTheCloseOfAFloor: at the close of a gaming day of tables that the engine has dealt, kept by the store, all
// balances but the tray from which a chip was stolen: the page names the counts between which it went, and the rounds
// to look at.
func TestTheCloseOfAFloor(t *testing.T) {
	s, mux := floorOf(t)
	for _, e := range journaltest.Evenings(t, 3, 8, 1) {
		keeps(t, s, e.Table, e.Folder)
	}
	_, page := requested(t, mux, "GET", "/figures/close?night=2026-03-28", "")
	if n := strings.Count(page, `<strong class="lost">−100.00</strong>`); n != 1 || strings.Count(page, "<strong") != 1 {
		t.Errorf("%d differences of −100.00 are named, of %d", n, strings.Count(page, "<strong"))
	}
	for _, want := range []string{
		"<b>bj-2</b>", "That is one chip of 100.00.", "Between the counts at 22:0", " and 01:0",
		"/table/wiesbaden/bj-2/",
		"bj-1: a drop box is not counted; 3,000.00 must be in it",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	_, slips := requested(t, mux, "GET", "/figures/slips?night=2026-03-28", "")
	if n := strings.Count(slips, `class="slip received"`); n != 9 || strings.Contains(slips, "is missing") {
		t.Errorf("%d slips of nine are there", n)
	}
}
