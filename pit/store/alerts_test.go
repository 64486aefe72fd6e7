package store_test

import (
	"fmt"
	"testing"
	"time"

	pitfloor "github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
)

// TestAlerts: each is as it was kept last, and of those that are over the last come back.
func TestAlerts(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s := open(t, source)
		at := time.Unix(1_774_814_462, 123)
		put := func(id string, times int, over time.Time) {
			t.Helper()
			if err := s.KeepAlerts(t.Context(), []pitfloor.Alert{{ID: id, Over: over, Times: times}}); err != nil {
				t.Fatal(err)
			}
		}
		put("a", 1, time.Time{})
		put("b", 1, time.Time{})
		put("a", 2, time.Time{})
		put("b", 2, at)
		put("c", 1, at.Add(time.Second))
		for i := range 600 {
			put(fmt.Sprintf("d%d", i), 1, at.Add(-time.Second-time.Duration(i)))
		}
		list, err := open(t, source).OpenAlerts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, a := range list[:3] {
			got += fmt.Sprintf("%s %d %t; ", a.ID, a.Times, a.Over.IsZero())
		}
		if want := "a 2 true; c 1 false; b 2 false; "; len(list) != 501 || got != want || !list[2].Over.Equal(at) {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

// TestAlertHistory: alerts that are over are found by table, code and time, page by page, however many there are.
func TestAlertHistory(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s := open(t, source)
		at := time.Unix(1_774_814_462, 123)
		var all []pitfloor.Alert
		tables := []topic.Table{table(t, "bj1"), table(t, "bj2"), {}}
		for i := range 1200 {
			raised := at.Add(time.Duration(i) * time.Minute)
			all = append(all, pitfloor.Alert{
				ID: fmt.Sprintf("a%04d", i), Table: tables[i%3], Code: []string{"unread-card", "floor-called"}[i%2],
				Raised: raised, Over: raised.Add(time.Second),
			})
		}
		open := pitfloor.Alert{ID: "open", Table: tables[0], Code: "unread-card", Raised: at.Add(time.Hour)}
		if err := s.KeepAlerts(t.Context(), append(all, open)); err != nil {
			t.Fatal(err)
		}
		for name, c := range map[string]struct {
			asked store.AlertQuery
			n     int
			first string
		}{
			"all":           {store.AlertQuery{Limit: 2000}, 1200, "a1199"},
			"the last page": {store.AlertQuery{Skip: 1150, Limit: 100}, 50, "a0049"},
			"of a table":    {store.AlertQuery{Table: tables[1], Limit: 2000}, 400, "a1198"},
			"of the pit":    {store.AlertQuery{OfPit: true, Limit: 2000}, 400, "a1199"},
			"by code":       {store.AlertQuery{Code: "unread-card", Limit: 2000}, 600, "a1198"},
			"by time": {
				store.AlertQuery{From: at.Add(time.Minute), To: at.Add(4 * time.Minute), Limit: 2000},
				3, "a0003",
			},
			"all at once": {
				store.AlertQuery{Table: tables[0], Code: "unread-card", To: at.Add(time.Hour), Limit: 3},
				3, "a0054",
			},
			"none": {store.AlertQuery{Table: table(t, "bj9"), Limit: 3}, 0, ""},
		} {
			got, err := s.AlertHistory(t.Context(), c.asked)
			if err != nil || len(got) != c.n || c.n > 0 && got[0].ID != c.first {
				t.Errorf("%s: %d are found, %v; want %d, first %s", name, len(got), err, c.n, c.first)
			}
		}
	})
}
