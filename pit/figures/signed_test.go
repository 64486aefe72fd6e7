package figures

import (
	"context"
	"encoding/csv"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/pittest"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/store"
)

// signatures keeps them in memory.
type signatures struct{ list []store.SignedReport }

func (s *signatures) SignedReports(_ context.Context, from, until time.Time) (list []store.SignedReport, err error) {
	for _, one := range s.list {
		if one.From.Equal(from) && one.Until.Equal(until) {
			list = append(list, one)
		}
	}
	return list, nil
}

func (s *signatures) SignReport(_ context.Context, one store.SignedReport) error {
	s.list = append(s.list, one)
	return nil
}

// shifted is a made-up night of two shifts, whose reports are signed by who is named.
func shifted(t *testing.T, who *people.Person) (*Figures, *pittest.Memory, *signatures) {
	t.Helper()
	f, _ := night(t)
	kept := &signatures{}
	f.options.Shifts = []Shift{{"Late", 21 * time.Hour}, {"Early", 12 * time.Hour}}
	f.options.Signatures = kept
	f.options.Who = func(*http.Request) people.Person { return *who }
	return f, f.options.Source.(*pittest.Memory), kept
}

// TestShiftsAddUp: the shifts of a gaming day are all of it, each from when it begins until the next, in spring and
// autumn, too.
func TestShiftsAddUp(t *testing.T) {
	f, _, _ := shifted(t, &people.Person{Role: dashboard.Manager})
	for _, date := range []time.Time{
		time.Date(2026, 3, 27, 0, 0, 0, 0, f.options.Day.Zone), time.Date(2026, 3, 28, 0, 0, 0, 0, f.options.Day.Zone),
		time.Date(2026, 10, 24, 0, 0, 0, 0, f.options.Day.Zone),
	} {
		list := f.nightShifts(date)
		if len(list) != 2 || list[0].name != "Early" || !list[0].from.Equal(f.options.from(date)) ||
			!list[0].until.Equal(list[1].from) ||
			list[1].from.Hour() != 21 || !list[1].until.Equal(f.options.from(date.AddDate(0, 0, 1))) {
			t.Errorf("%s: %v", date, list)
		}
	}
}

// moneyList reads the list of money as a file.
func moneyList(t *testing.T, f *Figures, query string) []map[string]string {
	t.Helper()
	w := get(t, f, Root+"/money.csv?"+query)
	if w.Code != http.StatusOK || !strings.Contains(w.Header().Get("Content-Disposition"), "attachment") {
		t.Fatalf("%d, %v", w.Code, w.Header())
	}
	return csvRows(t, w.Body)
}

// csvRows are the rows of a file, each by the names of its columns.
func csvRows(t *testing.T, from io.Reader) (list []map[string]string) {
	t.Helper()
	rows, err := csv.NewReader(from).ReadAll()
	if err != nil || len(rows) == 0 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows[1:] {
		one := map[string]string{}
		for i, name := range rows[0] {
			one[name] = row[i]
		}
		list = append(list, one)
	}
	return list
}

// TestMoney: the rows of tables add up to what the rounds were, those of dealers to the same, currency by currency, and
// the shifts to the day; sorted as it is asked for.
func TestMoney(t *testing.T) {
	f, m, _ := shifted(t, &people.Person{Role: dashboard.Manager})
	want := map[string]int64{}
	q := f.asked(f.options.dateOf(f.options.Now()), 1, 0).query
	for i := range m.Played {
		p := &m.Played[i]
		if p.Opened.Before(q.From) || !p.Opened.Before(q.To) {
			continue
		}
		want[p.Currency+"rounds"]++
		for _, b := range p.Bets {
			for _, staked := range b.Boxes {
				want[p.Currency+"staked"] += staked
			}
			want[p.Currency+"to_guests"] += b.Returned
		}
	}
	sums := func(list []map[string]string, of string) map[string]int64 {
		sum := map[string]int64{}
		for _, row := range list {
			for _, name := range []string{"rounds", "staked", "to_guests"} {
				n, err := strconv.ParseInt(row[name], 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				if row["of"] == of {
					sum[row["currency"]+name] += n
				}
			}
		}
		return sum
	}
	all := moneyList(t, f, "")
	for _, of := range []string{ofTable, ofDealer} {
		shifts := sums(append(moneyList(t, f, "shift=1"), moneyList(t, f, "shift=2")...), of)
		if day := sums(all, of); !maps.Equal(day, want) || !maps.Equal(shifts, want) || len(want) < 6 {
			t.Errorf("by %s: %v, both shifts %v, want %v", of, day, shifts, want)
		}
	}
	for sort, falls := range map[string]bool{"won": true, "-won": false} {
		list := moneyList(t, f, "sort="+sort)
		for i := 1; i < len(list); i++ {
			a, b := list[i-1], list[i]
			x, _ := strconv.ParseInt(a["house_won"], 10, 64)
			y, _ := strconv.ParseInt(b["house_won"], 10, 64)
			if a["of"] == b["of"] && a["currency"] == b["currency"] && x != y && x > y != falls {
				t.Errorf("sorted by %s, %v comes before %v", sort, a, b)
			}
		}
	}
	body := get(t, f, Root+"/report?shift=2").Body.String()
	if !strings.Contains(body, `<a href="/figures/report?night=2026-03-28&amp;shift=2" aria-current="true">Late</a>`) ||
		!strings.Contains(body, "· Late") {
		t.Errorf("the report does not say of which shift it is: %s", body[:2000])
	}
}

var seen = regexp.MustCompile(`data-night="([^"]+)" data-shift="(\d)" data-seen="([0-9a-f]+)"`)

// post signs.
func post(f *Figures, body, kind string) *httptest.ResponseRecorder {
	mux := http.NewServeMux()
	for _, r := range f.Pages() {
		mux.HandleFunc(r.Method+" "+r.Path, r.Serve)
	}
	r := httptest.NewRequest(http.MethodPost, Root+"/report/sign", strings.NewReader(body))
	r.Header.Set("Content-Type", kind)
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, r)
	return w
}

// TestSigned: who has read a shift's report signs it, with name, role and time; what is otherwise afterwards is said,
// and nobody signs what they have not seen.
func TestSigned(t *testing.T) {
	who := people.Person{Name: "anna", Role: dashboard.Supervisor}
	f, m, kept := shifted(t, &who)
	const page = Root + "/report?shift=2"
	form := func() string {
		t.Helper()
		at := seen.FindStringSubmatch(get(t, f, page).Body.String())
		if at == nil {
			t.Fatal("there is nothing to sign")
		}
		return `{"night":"` + at[1] + `","shift":` + at[2] + `,"seen":"` + at[3] + `","by":""}`
	}
	first := form()
	if w := post(f, first, "application/json"); w.Code != http.StatusNoContent || len(kept.list) != 1 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if one := kept.list[0]; one.Who != "anna" || one.Role != "supervisor" || one.Shift != "Late" ||
		one.Until.Sub(one.From) <= 0 {
		t.Errorf("%+v", one)
	}
	body := get(t, f, page).Body.String()
	for _, words := range []string{"<b>anna (Supervisor), ", "✓ unchanged since"} {
		if !strings.Contains(body, words) {
			t.Errorf("the signed report lacks %q", words)
		}
	}
	if seen.MatchString(body) {
		t.Error("who has signed the report is asked to sign it again")
	}
	if other := get(t, f, Root+"/report").Body.String(); strings.Contains(other, "anna (Supervisor)") {
		t.Error("the day's report has the signature of a shift's")
	}
	// A supervisor puts a payment right afterwards.
	at := slices.IndexFunc(m.Played, func(p pittest.Played) bool { return !p.Opened.Before(kept.list[0].From) })
	p := &m.Played[at]
	p.Bets[0].Returned += 2500
	p.Codes = append(p.Codes, "payout-mismatch")
	body = get(t, f, page).Body.String()
	for _, words := range []string{"The report has changed since this signature:", "<li>" + p.Table.Name() +
		": house won ", "<li>" + p.Dealer + ": house won ", "<li>Wrong amount paid: "} {
		if !strings.Contains(body, words) {
			t.Errorf("the changed report lacks %q", words)
		}
	}
	for says, w := range map[string]*httptest.ResponseRecorder{
		"has changed meanwhile": post(f, first, "application/json"),
		"did not understand":    post(f, form(), "text/plain"),
		"not understand this":   post(f, `{"night":"2026-03-28","shift":7,"seen":""}`, "application/json"),
		"understand this: load": post(f, `{"night":"soon"}`, "application/json"),
		"No round was dealt":    post(f, `{"night":"2020-01-01","shift":0,"seen":""}`, "application/json"),
	} {
		if w.Code < 400 || !strings.Contains(w.Body.String(), says) {
			t.Errorf("%q: %d %s", says, w.Code, w.Body)
		}
	}
	if len(kept.list) != 1 {
		t.Errorf("%d signatures", len(kept.list))
	}
	who = people.Person{Role: dashboard.Manager}
	if w := post(f, form(), "application/json"); w.Code != http.StatusBadRequest {
		t.Errorf("nobody signs: %d", w.Code)
	}
	if w := post(f, strings.Replace(form(), `"by":""`, `"by":" Herr\u202e\n Keller "`, 1),
		"application/json"); w.Code != http.StatusNoContent || kept.list[1].Who != "Herr Keller" {
		t.Errorf("%d, %+v", w.Code, kept.list)
	}
}

// TestReportAlone: who sees the shift report alone is led to nothing else, in no language.
func TestReportAlone(t *testing.T) {
	f, _, _ := shifted(t, &people.Person{Name: "anna", Role: dashboard.Supervisor})
	closed := regexp.MustCompile(`href="/figures(/wager|/odds)?(\?[^"]*)?"`)
	for _, page := range []string{"/report", "/report?shift=1", "/report?table=bj-2", "/rounds?dealer=anna"} {
		for _, l := range display.English.Menu() {
			with := "?"
			if strings.Contains(page, "?") {
				with = "&"
			}
			body := get(t, f, Root+page+with+"lang="+l.Code()).Body.String()
			if at := closed.FindString(body); at != "" {
				t.Errorf("%s in %s leads to %s", page, l.Code(), at)
			}
		}
	}
	if body := get(t, f, Root+"/report?table=bj-2").Body.String(); seen.MatchString(body) {
		t.Error("the report of one table can be signed as if it were the shift's")
	}
}
