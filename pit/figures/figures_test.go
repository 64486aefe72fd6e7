package figures

import (
	"context"
	"html"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/pittest"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/pit/luck"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

func zurich(t *testing.T) store.Day {
	t.Helper()
	zone := system.Zone(t, "Europe/Zurich")
	return store.Day{Begins: 10 * time.Hour, Zone: zone}
}

// TestDay: a gaming day begins at its hour, and has 23 or 25 hours when the clocks change in it.
func TestDay(t *testing.T) {
	d := Options{Day: zurich(t)}
	at := func(s string) time.Time {
		one, err := time.ParseInLocation("2006-01-02 15:04", s, d.Day.Zone)
		if err != nil {
			t.Fatal(err)
		}
		return one
	}
	for moment, date := range map[string]string{
		"2026-03-28 09:59": "2026-03-27", "2026-03-28 10:00": "2026-03-28", "2026-03-29 04:00": "2026-03-28",
		"2026-03-29 09:59": "2026-03-28",
		"2026-10-25 03:00": "2026-10-24", "2026-01-01 02:00": "2025-12-31",
	} {
		if got := d.dateOf(at(moment)).Format(time.DateOnly); got != date {
			t.Errorf("%s is of the gaming day %s, not %s", moment, got, date)
		}
	}
	for date, hours := range map[string]float64{
		"2026-03-27 00:00": 24, "2026-03-28 00:00": 23,
		"2026-10-24 00:00": 25,
	} {
		if got := d.from(at(date).AddDate(0, 0, 1)).Sub(d.from(at(date))).Hours(); got != hours {
			t.Errorf("the gaming day of %s has %v hours, not %v", date, got, hours)
		}
	}
}

// night is one gaming day of two tables, worked out by hand below.
func night(t *testing.T) (*Figures, Query) {
	t.Helper()
	day := zurich(t)
	wiesbaden, baden := profile.Built()["wiesbaden"].Rules, profile.Built()["baden"].Rules
	from := time.Date(2026, 3, 28, 20, 0, 0, 0, day.Zone)
	round := func(n uint64, table, dealer string, r *rules.Rules, minutes int,
		bets ...pittest.Bet,
	) pittest.Played {
		return pittest.Played{Round: store.Round{Table: pittest.CasinoTable(table), Round: tally.Round{
			Dealer: dealer, House: r.House, Rules: r.Fingerprint, Currency: r.Table.Currency,
			Number: n, Opened: from.Add(time.Duration(minutes) * time.Minute), Boxes: 2, Hands: 3,
			Places: 7, Calls: tally.Calls{Decisions: 4, Deciding: 10 * time.Second}, Dealt: time.Minute,
		}}, Bets: bets}
	}
	a := round(1, "bj-2", "anna", wiesbaden, 0, pittest.Bet{
		Wager: "main", Count: 2, Boxes: []int64{1000, 3000},
		Returned: 2000,
	}, pittest.Bet{Wager: "twins", Count: 1, Boxes: []int64{1000}})
	b := round(2, "bj-2", "anna", wiesbaden, 2,
		pittest.Bet{Wager: "main", Count: 2, Unknown: 1, Boxes: []int64{1000}, Returned: 2000})
	b.Codes = []string{"unread-card", "unread-card"}
	c := round(1, "bj-10", "ben", baden, 65, pittest.Bet{
		Wager: "main", Count: 1, Boxes: []int64{500},
		Returned: 500,
	})
	c.Void = true
	other := round(9, "bj-2", "anna", wiesbaden, 24*60, pittest.Bet{Wager: "main", Count: 1, Boxes: []int64{9000}})
	m := &pittest.Memory{
		Day: day, Played: []pittest.Played{a, b, c, other},
		Known: map[string]*rules.Rules{wiesbaden.Fingerprint: wiesbaden, baden.Fingerprint: baden},
	}
	f, err := New(Options{Source: m, Rules: m.Rules, Day: day, Language: display.English, Now: func() time.Time {
		return from.Add(5 * time.Hour)
	}})
	if err != nil {
		t.Fatal(err)
	}
	return f, Query{From: f.options.from(from), To: f.options.from(from.AddDate(0, 0, 1))}
}

// TestLook: what the page shows of a night that was worked out by hand.
func TestLook(t *testing.T) {
	f, q := night(t)
	p, err := f.look(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	if p.all.Rounds != 3 || p.all.Void != 1 || p.all.Hands != 9 || p.all.Irregularities != 2 || p.unknown != 1 {
		t.Errorf("all: %+v, %d wagers without an amount", p.all, p.unknown)
	}
	if p.all.PerHour(p.all.Rounds) != 60 || tally.Rates[3].Of(&p.all.Sum.Sum) != 2.5 ||
		math.Abs(p.all.Occupancy()-2./7) > 1e-12 {
		t.Errorf("pace %v, thinking %v, occupancy %v", p.all.PerHour(p.all.Rounds), tally.Rates[3].Of(&p.all.Sum.Sum),
			p.all.Occupancy())
	}
	if len(p.hours) != 2 || p.hours[0].Rounds != 2 || p.hours[1].Rounds != 1 {
		t.Errorf("hours: %+v", p.hours)
	}
	if len(p.tables) != 2 || p.tables[0].Table.Name() != "bj-2" || p.tables[1].Table.Name() != "bj-10" ||
		p.tables[0].Irregularities != 2 {
		t.Errorf("tables: %+v", p.tables)
	}
	if len(p.money) != 2 || p.money[1].currency != "EUR" || p.money[1].staked != 6000 || p.money[1].returned != 4000 ||
		!p.money[1].known {
		t.Errorf("money: %+v", p.money)
	}
	if len(p.lucks) != 2 {
		t.Fatalf("%d wagers: a void round is none", len(p.lucks))
	}
	main := p.lucks[0]
	if want := (luck.Sum{
		Rounds: 2, Staked: 5000, Returned: 4000, BoxSquares: 11e6,
		RoundSquares: 17e6,
	}); main.Sum != want {
		t.Errorf("main: %+v, not %+v", main.Sum, want)
	}
	if !main.Band.Few || main.off(2) != within {
		t.Errorf("two rounds are judged: %+v", main.Verdict)
	}
}

// TestTray: what the house has won is what left the tray. A round that was voided counts with what was decided before,
// once; what was paid and not due counts, and what was due stands beside it. Luck is judged without the void round.
func TestTray(t *testing.T) {
	f, q := night(t)
	m := f.options.Source.(*pittest.Memory)
	void := m.Played[0]
	void.Void, void.Bets = true, []pittest.Bet{
		{Wager: "main", Count: 2, Boxes: []int64{2000}, Returned: 2000},
		{Wager: "twins", Count: 1, Boxes: []int64{1000}},
	}
	m.Played = append(m.Played, void)
	m.Played[0].Bets = slices.Clone(m.Played[0].Bets)
	m.Played[0].Bets[0].Returned, m.Played[0].Bets[0].Over = 2500, 500
	p, err := f.look(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	euro := p.money[1]
	if euro.staked != 9000 || euro.returned != 6500 || euro.kept != 1000 || euro.over != 500 || p.all.Void != 2 {
		t.Errorf("the tray has %d of %d, %d of it in %d void rounds, and %d was paid too much",
			euro.staked-euro.returned, euro.staked, euro.kept, p.all.Void, euro.over)
	}
	for i := range p.lucks {
		if one := &p.lucks[i]; one.Wager == "twins" && (one.Staked != 1000 || one.Rounds != 1) {
			t.Errorf("luck is judged by a void round: %+v", one.Sum)
		}
	}
	said := html.UnescapeString(get(t, f, Root).Body.String())
	for _, want := range []string{"1 void, +10 of it", "due +30"} {
		if !strings.Contains(said, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// TestDueToTheCent: where what was due alone has a part of a unit, the list of money writes all amounts with it.
func TestDueToTheCent(t *testing.T) {
	f, _ := night(t)
	m := f.options.Source.(*pittest.Memory)
	m.Played[0].Bets[0].Over = 50
	said := html.UnescapeString(get(t, f, Root+"/report").Body.String())
	for _, want := range []string{">60.00<", "due 20.50"} {
		if !strings.Contains(said, want) {
			t.Errorf("the list of money does not say %q", want)
		}
	}
}

// TestRoundsNotEntered: a round of which nobody entered all amounts says so in the list, as far as these are asked for.
func TestRoundsNotEntered(t *testing.T) {
	f, _ := night(t)
	for asked, want := range map[string]int{"?table=bj-2": 1, "?table=bj-2&wager=main": 1, "?wager=twins": 0} {
		body := get(t, f, Root+"/rounds"+asked).Body.String()
		if n := strings.Count(body, "not entered ×1"); n != want || !strings.Contains(body, `class="rounds"`) {
			t.Errorf("%s: %d rounds have amounts that nobody entered, want %d", asked, n, want)
		}
	}
}

// gone is a source whose retention has removed all rounds.
type gone struct{ Source }

func (gone) Rounds(context.Context, store.RoundQuery) ([]store.Round, error) { return nil, nil }

// TestRoundsThatAreGone: where the sums are kept and the rounds are not, the list says that there were some.
func TestRoundsThatAreGone(t *testing.T) {
	f, _ := night(t)
	f.options.Source = gone{f.options.Source}
	for asked, want := range map[string]string{
		"": "Rounds: 3. Only their sums", "?table=bj-10": "Rounds: 1. Only their sums",
		"?night=2020-01-01": "No round was dealt in this time.",
	} {
		if body := get(t, f, Root+"/rounds"+asked).Body.String(); !strings.Contains(body, want) {
			t.Errorf("%q does not say %q", asked, want)
		}
	}
}

// TestQueries: each way to ask finds the rounds that it names.
func TestQueries(t *testing.T) {
	f, q := night(t)
	for what, c := range map[string]struct {
		change func(*Query)
		rounds []uint64
	}{
		"night":  {func(*Query) {}, []uint64{1, 2, 1}},
		"table":  {func(q *Query) { q.Table = "bj-10" }, []uint64{1}},
		"dealer": {func(q *Query) { q.Dealer = "anna" }, []uint64{2, 1}},
		"house":  {func(q *Query) { q.House = "baden" }, []uint64{1}},
		"wager":  {func(q *Query) { q.Wager = "twins" }, []uint64{1}},
		"code":   {func(q *Query) { q.Code = "unread-card" }, []uint64{2}},
		"nobody": {func(q *Query) { q.Dealer = "zoe" }, nil},
	} {
		asked := q
		c.change(&asked)
		list, all, err := f.findRounds(context.Background(), asked, 10)
		if err != nil || all != int64(len(c.rounds)) || len(list) != len(c.rounds) {
			t.Errorf("%s: %d rounds, %v", what, all, err)
			continue
		}
		for i, r := range list {
			if r.Number != c.rounds[i] {
				t.Errorf("%s: round %d is %d, not %d", what, i, r.Number, c.rounds[i])
			}
		}
	}
}

// TestPoisson: known bounds, and where the terms would vanish.
func TestPoisson(t *testing.T) {
	for n, want := range map[int64][2]float64{
		0: {0, 3.689}, 1: {.0253, 5.572}, 10: {4.795, 18.39},
		100: {81.36, 121.63},
	} {
		low, high := poissonBounds(n)
		if math.Abs(low-want[0]) > .01 || math.Abs(high-want[1]) > .01 {
			t.Errorf("%d: %.3f to %.3f, not %.3f to %.3f", n, low, high, want[0], want[1])
		}
	}
	for _, mean := range []float64{499, 501} {
		if p := poissonAtLeast(int64(mean)+45, mean); math.Abs(p-.0247) > .002 {
			t.Errorf("two deviations above %v come with %v", mean, p)
		}
	}
}

// TestHardlyLuck: what is beyond a band is worse where fewer wagers are looked at.
func TestHardlyLuck(t *testing.T) {
	o, err := luck.Of(profile.Built()["wiesbaden"].Rules)
	if err != nil {
		t.Fatal(err)
	}
	var s luck.Sum
	for range 2000 {
		s = s.Round(0, 1000)
	}
	b := o[0].Judge(s, outside).Band
	for sigmas, want := range map[float64][2]off{1: {within, within}, 2.3: {beyond, hardly}, 4: {hardly, hardly}} {
		one := s
		one.Returned = one.Staked - int64(b.Expected-sigmas*b.Deviation)
		l := lucky{odds: o[0], Verdict: o[0].Judge(one, outside)}
		if many, few := l.off(20), l.off(1); many != want[0] || few != want[1] {
			t.Errorf("%v deviations below: %d among 20, %d alone; not %v (likely %v)", sigmas, many, few,
				want, l.Likely)
		}
	}
}

func get(t *testing.T, f *Figures, address string) *httptest.ResponseRecorder {
	t.Helper()
	mux := http.NewServeMux()
	for _, r := range f.Pages() {
		mux.HandleFunc(r.Method+" "+r.Path, r.Serve)
	}
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, address, nil))
	return w
}

// TestPages: every page in every language, also of nothing and of nonsense, and nothing in the markup that the policy
// forbids.
func TestPages(t *testing.T) {
	f, _ := night(t)
	for _, page := range []string{
		"", "?nights=7", "?night=2020-01-01", "?night=nonsense&nights=-3&hour=x", "?table=bj-2", "/report",
		"/report?dealer=anna", "/rounds",
		"/rounds?code=unread-card", "/rounds?wager=twins&hour=2026-03-28T19:00:00Z",
		"/wager?house=wiesbaden&wager=main", "/wager?house=wiesbaden&wager=twins",
		"/wager?house=nowhere&wager=nothing", "/wager",
	} {
		for _, l := range display.English.Menu() {
			with := "?"
			if strings.Contains(page, "?") {
				with = "&"
			}
			w := get(t, f, Root+page+with+"lang="+l.Code())
			body := w.Body.String()
			if w.Code != http.StatusOK || !strings.HasSuffix(strings.TrimSpace(body), "</html>") {
				t.Errorf("%s in %s: %d", page, l.Code(), w.Code)
			}
			for _, bad := range []string{
				"style=", "<style", "onclick", "ZgotmplZ", "pit.fig", "http://",
				"https://", "%!",
			} {
				if strings.Contains(body, bad) {
					t.Errorf("%s in %s has %q", page, l.Code(), bad)
				}
			}
			if !strings.Contains(body, `<html lang="`+l.Tag()+`"`) {
				t.Errorf("%s is not in %s", page, l.Code())
			}
		}
	}
}

// TestNamesAreText: what a dealer is called stands in the page as it is.
func TestNamesAreText(t *testing.T) {
	f, _ := night(t)
	m := f.options.Source.(*pittest.Memory)
	m.Played[0].Dealer = `<script>alert("x")</script>`
	for _, page := range []string{"", "/report", "/rounds"} {
		if body := get(t, f, Root+page).Body.String(); strings.Contains(body, "<script>alert") ||
			strings.Contains(body, "<img") {
			t.Errorf("%s: a name became markup", page)
		}
	}
}

// TestAssets: the pages' own files, and no others.
func TestAssets(t *testing.T) {
	f, _ := night(t)
	for name, code := range map[string]int{
		"figures.css": 200, "light.js": 200, "figures.html": 404, "..": 404,
		"none.css": 404,
	} {
		if w := get(t, f, Root+"/assets/"+name); w.Code != code && w.Code != http.StatusMovedPermanently &&
			w.Code != http.StatusTemporaryRedirect {
			t.Errorf("%s: %d, not %d", name, w.Code, code)
		}
	}
}

// failing is a source that cannot be read.
type failing struct{ Source }

func (failing) Sums(context.Context, store.Query) ([]store.Sum, error) {
	return nil, context.DeadlineExceeded
}

// TestFailingSource: the page says so, and tells nobody what is inside.
func TestFailingSource(t *testing.T) {
	f, _ := night(t)
	f.options.Source = failing{f.options.Source}
	if w := get(t, f, Root); w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "deadline") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// TestFewRounds: nothing is said of a dealer, or a table, with fewer rounds than can be compared, nor where all others
// have fewer.
func TestFewRounds(t *testing.T) {
	for name, c := range map[string]struct {
		rounds, wrongs, others, wrongsOfOthers int64
		off                                    bool
	}{
		"no round":              {0, 3, 1000, 3, false},
		"too few":               {fewestRounds - 1, 30, 1000, 3, false},
		"enough":                {fewestRounds, 30, 1000, 3, true},
		"enough, and like all":  {fewestRounds, 0, 1000, 3, false},
		"too few of all others": {1000, 30, fewestRounds - 1, 0, false},
		"alone":                 {1000, 30, 0, 0, false},
	} {
		one, others := store.Key{Dealer: "d7"}, store.Key{Dealer: "d8"}
		of := func(k store.Key, rounds, wrongs int64) store.Sum {
			return store.Sum{Key: k, Sum: tally.Sum{Rounds: rounds, Irregularities: wrongs}}
		}
		p := picture{all: pace{Sum: of(store.Key{}, c.rounds+c.others, c.wrongs+c.wrongsOfOthers)}}
		list := p.ordered(map[store.Key]*pace{
			one:    {Sum: of(one, c.rounds, c.wrongs)},
			others: {Sum: of(others, c.others, c.wrongsOfOthers)},
		})
		if off := list[0].chance < outside/2; off != c.off {
			t.Errorf("%s: a chance of %v", name, list[0].chance)
		}
	}
}
