package figures

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/pittest"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/table/journal"
	amounts "github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/rules"
)

// TestCurrenciesStayApart: what tables of euros, yen and dinars have come to is never added up, and each amount has the
// decimals of its currency, in the list of money, in its file and on the overview.
func TestCurrenciesStayApart(t *testing.T) {
	day := store.Day{Begins: 6 * time.Hour, Zone: time.UTC}
	s, err := store.Open(t.Context(), store.Options{Source: filepath.Join(t.TempDir(), "pit.db"), Day: day})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	for i, house := range []string{"wiesbaden", "yen", "dinar"} {
		folder := filepath.Join(t.TempDir(), "journal")
		journaltest.NewNight(t, folder, house, uint64(i)+7).Deal(600)
		r, err := journal.OpenReadOnly(folder)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = r.Close() })
		if err := s.Refill(t.Context(), pittest.Table(i+1), r, nil); err != nil {
			t.Fatal(err)
		}
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
	f, err := New(Options{Source: s, Rules: m.Rules, Day: day, Language: display.English})
	if err != nil {
		t.Fatal(err)
	}
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
