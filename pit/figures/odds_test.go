package figures

import (
	"html"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/pittest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// ready is the page of odds once everything on it is worked out.
func ready(t *testing.T, f *Figures, address string) string {
	t.Helper()
	get(t, f, address) // which begins the work, if nothing has
	f.options.Worth.all.Wait()
	w := get(t, f, address)
	if w.Code != http.StatusOK || strings.Contains(w.Body.String(), "data-working") {
		t.Fatalf("%s: %d\n%s", address, w.Code, w.Body)
	}
	return w.Body.String()
}

// own is a house's own profile: Wiesbaden without Crazy Twins, paying 6:5.
func own(t *testing.T) *rules.Rules {
	t.Helper()
	h, err := profile.WhatIf(profile.Built()["wiesbaden"],
		[]string{"pays.black_jack=6:5", "side_bets.crazy-twins=none"})
	if err != nil {
		t.Fatal(err)
	}
	return h.Rules
}

// withOwn is a night at which a house's own profile was played, too.
func withOwn(t *testing.T) (f *Figures, fingerprint string) {
	t.Helper()
	f, _ = night(t)
	m := f.options.Source.(*pittest.Memory)
	r := own(t)
	one := m.Played[0]
	one.Rules, one.Table = r.Fingerprint, pittest.CasinoTable("bj-3")
	m.Played = append(m.Played, one)
	m.Known[r.Fingerprint] = r
	t.Cleanup(f.options.Worth.Close)
	began := time.Now()
	f.options.Worth.now = func() time.Time { return began } // however long the work takes, nobody has left
	return f, r.Fingerprint
}

// TestPageOfOddsAtOnce: for a house that comes with Sabot the wagers are there at once, and the chart is worked out.
func TestPageOfOddsAtOnce(t *testing.T) {
	tier.Landing(t, "odds that are worked out")
	f, _ := withOwn(t)
	baden := profile.Built()["baden"].Fingerprint
	body := get(t, f, Root+"/odds?rules="+baden).Body.String()
	for _, want := range []string{
		"−2.274\u202f%", "data-working", "sabot rules odds --house baden --set cards.decks=8",
		`<noscript><meta http-equiv="refresh"`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the first answer does not say %q", want)
		}
	}
	if strings.Contains(body, "data-row") {
		t.Error("the chart is there before it can be")
	}
	body = ready(t, f, Root+"/odds?rules="+baden)
	if !strings.Contains(body, `<b>H</b>`) || !strings.Contains(body, `<b>L</b>`) || strings.Contains(body, "refresh") {
		t.Error("the best play of Black James is not there")
	}
}

var cellShape = regexp.MustCompile(`<td class="([a-z]+)" data-row="(\d+)"><b>(\w+)</b><small>([\d.]*)</small>`)

// TestPageOfOwnOdds: nothing is said before it is known; then there are all wagers, and a row of numbers for each cell.
func TestPageOfOwnOdds(t *testing.T) {
	tier.Landing(t, "odds that are worked out")
	f, fingerprint := withOwn(t)
	address := Root + "/odds?rules=" + fingerprint
	body := get(t, f, address).Body.String()
	if !strings.Contains(body, "data-working") || strings.Contains(body, `class="worths"`) {
		t.Errorf("a house's own odds are there before they can be\n%s", body)
	}
	body = ready(t, f, address)
	for _, want := range []string{">6:5<", "Twins with Joker", "counted exactly", ">Surrender<", "16 against 10"} {
		if want != ">Surrender<" != strings.Contains(body, want) { // Wiesbaden has no surrender
			t.Errorf("the page should say %q, or should not", want)
		}
	}
	cells := cellShape.FindAllStringSubmatch(body, -1)
	_, numbers, _ := strings.Cut(body, `<table class="calls">`)
	if rows := strings.Count(numbers, "<tr><th scope=\"row\">"); len(cells) != rows || rows < 300 {
		t.Errorf("%d cells have %d rows of numbers", len(cells), rows)
	}
	if f.options.Worth.Of(own(t)).State != Ready {
		t.Error("it is worked out more than once")
	}
	t.Run("any odds", func(t *testing.T) { pageOfAnyOdds(t, f, fingerprint) })
}

// pageOfAnyOdds: whatever an address asks for, the page is whole, in every language. A house's own odds are there
// already.
func pageOfAnyOdds(t *testing.T, f *Figures, fingerprint string) {
	m := f.options.Source.(*pittest.Memory)
	newer := m.Played[0]
	newer.Rules, newer.House = strings.Repeat("ab", 32), "wiesbaden"
	m.Played = append(m.Played, newer)
	for address, want := range map[string]string{
		"":                                   "Wiesbaden",     // what deals the most
		"?rules=" + fingerprint:              "data-row",      // a house's own
		"?rules=" + newer.Rules:              "does not know", // a newer version's
		`?rules="><script>alert(1)</script>`: "does not know",
		"?table=bj-10":                       "Grand Casino Baden",
		"?house=baden":                       "Grand Casino Baden",
		"?table=nowhere":                     "Spielbank Wiesbaden",
		"?night=2020-01-01":                  "No table has dealt",
		"?night=2020-01-01&rules=" + profile.Built()["baden"].Fingerprint: "Baden", // of an old link
	} {
		for _, l := range display.English.Menu() {
			with := "?"
			if strings.Contains(address, "?") {
				with = "&"
			}
			body := get(t, f, Root+"/odds"+strings.ReplaceAll(address, " ", "%20")+with+"lang="+l.Code()).Body.String()
			if !strings.HasSuffix(strings.TrimSpace(body), "</html>") ||
				!strings.Contains(body, `<html lang="`+l.Tag()+`"`) {
				t.Errorf("%s in %s is not whole", address, l.Code())
			}
			if l.Code() == "en" && !strings.Contains(body, want) {
				t.Errorf("%s does not say %q", address, want)
			}
			for _, bad := range []string{
				"style=", "<style", "onclick", "ZgotmplZ", "pit.odds", "https://", "%!",
				"<script>",
			} {
				if strings.Contains(body, bad) {
					t.Errorf("%s in %s has %q", address, l.Code(), bad)
				}
			}
		}
	}
}

// TestFormsKeepWhatIsAsked: another house on the page of odds is asked for with the table and the dealer that are
// looked at, so that the way back leads to these; another table in the list of money with the order of the list.
func TestFormsKeepWhatIsAsked(t *testing.T) {
	f, fingerprint := withOwn(t)
	for _, sites := range []bool{false, true} {
		f.options.Sites = sites
		table := map[bool]string{false: "bj-3", true: "casino/bj-3"}[sites]
		for address, want := range map[string][]hidden{
			"/odds?table=" + table + "&dealer=d7&nights=7&rules=" + fingerprint: {
				{"table", table}, {"dealer", "d7"}, {"nights", "7"},
			},
			"/report?table=" + table + "&sort=-won": {{"sort", "-won"}},
		} {
			body := get(t, f, Root+address).Body.String()
			_, form, _ := strings.Cut(body, `<form class="filter`)
			form, _, _ = strings.Cut(form, "</form>")
			for _, one := range want {
				if !strings.Contains(form, `name="`+one.Name+`" value="`+one.Value+`"`) {
					t.Errorf("%s: the form does not ask for %s %s: %s", address, one.Name, one.Value, form)
				}
			}
			if n := strings.Count(form, `name="table"`); n != 1 {
				t.Errorf("%s: the form asks for %d tables", address, n)
			}
		}
	}
}

// TestSeveralRulesOfAHouse are told apart in the list.
func TestSeveralRulesOfAHouse(t *testing.T) {
	f, fingerprint := withOwn(t)
	body := get(t, f, Root+"/odds").Body.String()
	for _, want := range []string{"Wiesbaden " + fingerprint[:8] + " · bj-3<", "Wiesbaden " +
		profile.Built()["wiesbaden"].Fingerprint[:8] + " · bj-2<", "Baden · bj-10<"} {
		if !strings.Contains(body, want) {
			t.Errorf("the list does not have %q", want)
		}
	}
}

// TestWaysToTheOdds: from the figures, and from a wager to the odds of its own rules.
func TestWaysToTheOdds(t *testing.T) {
	f, fingerprint := withOwn(t)
	if body := get(t, f, Root).Body.String(); !strings.Contains(body, `href="/figures/odds?night=2026-03-28"`) {
		t.Error("the figures do not lead to the odds")
	}
	if body := get(t, f, Root+"?table=bj-10").Body.String(); !strings.Contains(body,
		`href="/figures/odds?night=2026-03-28&amp;table=bj-10"`) {
		t.Error("the figures of a table do not lead to its odds")
	}
	built := profile.Built()["wiesbaden"].Fingerprint
	for _, c := range []struct {
		rules, wager string
		differs      bool
	}{{built, "main", true}, {built, "twins", false}, {fingerprint, "main", true}} {
		body := get(t, f, Root+"/wager?house=wiesbaden&wager="+c.wager+"&rules="+c.rules).Body.String()
		if strings.Contains(body, "So they differ.") != c.differs ||
			!strings.Contains(body, `href="/figures/odds?night=2026-03-28&amp;rules=`+c.rules+`"`) {
			t.Errorf("of %s by %s the page should lead to the odds of these rules, and say that they are others: %t",
				c.wager, c.rules, c.differs)
		}
	}
}

var ofWagers = regexp.MustCompile(`href="(/figures/wager\?[^"]*)"`)

// TestWagerByItsRules: a house whose profile was changed within a week has a row for each of its rules, which leads to
// the course by these rules alone, and that comes to what the row says.
func TestWagerByItsRules(t *testing.T) {
	f, fingerprint := withOwn(t)
	m := f.options.Source.(*pittest.Memory)
	both := []pittest.Played{m.Played[0], m.Played[len(m.Played)-1]}
	for i := 1; i < 60; i++ { // in more hours than a course has points
		one := both[i%2]
		one.Opened, one.Bets = one.Opened.Add(-time.Duration(i)*2*time.Hour), slices.Clone(one.Bets)
		one.Bets[0].Returned += int64(i) * 100
		m.Played = append(m.Played, one)
	}
	p, err := f.look(t.Context(), f.asks(httptest.NewRequest(http.MethodGet, Root+"?nights=7", nil)).query)
	if err != nil {
		t.Fatal(err)
	}
	rows := ofWagers.FindAllStringSubmatch(get(t, f, Root+"?nights=7").Body.String(), -1)
	changed := slices.ContainsFunc(p.lucks, func(l lucky) bool { return l.Rules == fingerprint })
	if len(rows) != len(p.lucks) || !changed {
		t.Fatalf("%d ways from %d rows", len(rows), len(p.lucks))
	}
	for i := range p.lucks {
		followed(t, f, html.UnescapeString(rows[i][1]), &p.lucks[i])
	}
	if body := get(t, f, Root+"/wager?nights=7&house=wiesbaden&wager=main&rules=none").Body.String(); !strings.Contains(
		body, "No round was dealt") {
		t.Error("rules that nobody has played have a course")
	}
}

// TestWagersAreNamed: even money is in each language what its call is, and not as a house's own bet that nobody has put
// into words.
func TestWagersAreNamed(t *testing.T) {
	for _, language := range display.English.Menu() {
		d := drawing{speaker: speaker{language: language}}
		if got, want := d.wagerNamed("even-money"), d.say("call.even-money"); got != want {
			t.Errorf("%s calls even money %q, not %q", language.Tag(), got, want)
		}
		if got, want := d.wagerNamed("insurance"), d.say("wager.insurance"); got != want {
			t.Errorf("%s calls insurance %q, not %q", language.Tag(), got, want)
		}
	}
}

// followed compares the course to which a row leads with the row.
func followed(t *testing.T, f *Figures, address string, row *lucky) {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, address, nil)
	asked := f.asks(r)
	list, _, last, err := f.course(t.Context(), asked.query, asked.rules)
	body := html.UnescapeString(get(t, f, address).Body.String())
	if row.odds == nil {
		if last == nil || len(list) > 0 || !strings.Contains(body, `<p class="nothing">Odds not known`) {
			t.Errorf("%s: %d points by odds that nobody knows: %v", address, len(list), err)
		}
		return
	}
	if err != nil || len(list) == 0 || last.Rules != row.Rules || last.Sum != row.Sum {
		t.Fatalf("%s: %d points, %v; they come to %+v, not to %+v", address, len(list), err, last, row)
	}
	if end := list[len(list)-1].Verdict; end != row.Verdict {
		t.Errorf("%s ends with %+v, not with %+v", address, end, row.Verdict)
	}
	if won := f.speaking(r).in(row.Currency).signed(float64(row.Sum.Won())); !strings.Contains(body, "<b>"+won+"</b>") {
		t.Errorf("%s does not say that %s was won", address, won)
	}
}
