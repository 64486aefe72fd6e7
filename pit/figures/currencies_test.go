package figures

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/pittest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/store"
	amounts "github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/rules"
)

// TestCurrenciesStayApart: what tables of euros, yen and dinars have come to is never added up, and each amount has the
// decimals of its currency, in the list of money, in its file and on the overview.
func TestCurrenciesStayApart(t *testing.T) {
	s := opened(t)
	for i, house := range []string{"wiesbaden", "yen", "dinar"} {
		folder := filepath.Join(t.TempDir(), "journal")
		journaltest.NewNight(t, folder, house, uint64(i)+7).Deal(600)
		refill(t, s, i+1, folder)
	}
	rounds, err := s.Rounds(t.Context(), store.RoundQuery{Limit: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	staked, won := map[string]int64{}, map[string]int64{}
	for i := range rounds {
		staked[rounds[i].Currency] += rounds[i].Staked
		won[rounds[i].Currency] += rounds[i].Staked - rounds[i].Returned
	}
	m := &pittest.Memory{Known: map[string]*rules.Rules{}} // nobody's odds are known
	f := figuresOf(t, s, s.Day())
	f.options.Rules = m.Rules
	const night = "night=2026-03-28"
	for _, row := range moneyList(t, f, night) {
		if got := row["staked"]; got != strconv.FormatInt(staked[row["currency"]], 10) {
			t.Errorf("the file: %s of %s, want %d", got, row["currency"], staked[row["currency"]])
		}
	}
	report, overview := get(t, f, Root+"/report?"+night).Body.String(), get(t, f, Root+"?"+night).Body.String()
	for currency, amount := range staked {
		digits := amounts.Digits(currency)
		if text := display.English.Money(amount, digits); strings.Count(report, ">"+text+"<") < 2 {
			t.Errorf("%s: the report lacks %s, of its table and of all together", currency, text)
		}
		whole := amounts.Scaled(max(won[currency], -won[currency]), digits, 0, amounts.Nearest)
		if text := display.English.Money(whole, 0); !strings.Contains(overview, currency) ||
			!strings.Contains(overview, text) {
			t.Errorf("%s: the overview lacks %s", currency, text)
		}
	}
}

// TestRulesNobodyHas: of a table whose rules the pit cannot read nobody knows which part of its boxes was played, nor
// in which currency. Neither is a number on the page, and the floor is as full as the other table.
func TestRulesNobodyHas(t *testing.T) {
	s := opened(t)
	for n, house := range []string{"wiesbaden", "elsewhere"} {
		folder := filepath.Join(t.TempDir(), "journal")
		night := journaltest.NewNight(t, folder, "wiesbaden", uint64(n)+7)
		if house == "elsewhere" {
			in := tabletest.SetUp(rules.Setup{House: "wiesbaden"})
			in.Setup.House, in.Setup.Profile = house, strings.Repeat("ab", 32)
			night.Take(*in)
		}
		night.Deal(600)
		refill(t, s, n+1, folder)
	}
	f := figuresOf(t, s, s.Day())
	f.options.Rules = (&pittest.Memory{}).Rules
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, Root+"?night=2026-03-28", nil)
	d := drawing{f, f.speaking(r), f.asks(r), f.options.who(r)}
	drawn, err := d.overview(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m := drawn.(*overviewModel)
	full, none := m.ByTable.Rows[0].Cells[3], m.ByTable.Rows[1].Cells[3]
	if full.Name != "pit.figures-occupancy" || none.Value != unknown || full.Value == unknown ||
		m.Tiles[2].Value != full.Value {
		t.Errorf("%s: the table has %q, the other %q, the floor %q", full.Name, none.Value, full.Value,
			m.Tiles[2].Value)
	}
	for _, c := range m.Occupied[1].Cells {
		if c.Text != unknown || c.Where == "" {
			t.Errorf("an hour of the table is %+v", c)
		}
	}
	rows := 0
	for _, g := range m.Money.Groups {
		for _, one := range g.Rows {
			if one.Currency == "" && one.Rounds != "0" {
				rows++
				if one.Staked != unknown || one.Given != unknown || one.Won != unknown {
					t.Errorf("amounts in no currency: %+v", one)
				}
			}
		}
	}
	if rows < 2 {
		t.Errorf("%d rows without a currency", rows)
	}
}
