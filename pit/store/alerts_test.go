package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/sabot-table/sabot/pit/store"
)

// TestAlerts: each is as it was kept last, and of those that are over the last come back.
func TestAlerts(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s := open(t, source)
		at := time.Unix(1_774_814_462, 123)
		put := func(id, text string, over time.Time) {
			t.Helper()
			if err := s.PutAlerts(t.Context(), []store.Alert{{ID: id, Over: over, Text: []byte(text)}}); err != nil {
				t.Fatal(err)
			}
		}
		put("a", `{"n":1}`, time.Time{})
		put("b", `{"n":1}`, time.Time{})
		put("a", `{"n":2}`, time.Time{})
		put("b", `{"n":2}`, at)
		put("c", `{"n":1}`, at.Add(time.Second))
		put("d", `{"n":1}`, at.Add(-time.Second))
		list, err := open(t, source).Alerts(t.Context(), 2)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, a := range list {
			got += fmt.Sprintf("%s %s %t; ", a.ID, a.Text, a.Over.IsZero())
		}
		if want := `a {"n":2} true; c {"n":1} false; b {"n":2} false; `; got != want || !list[2].Over.Equal(at) {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

// TestAlertHistory: alerts that are over are found by table, code and time, page by page, however many there are.
func TestAlertHistory(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s := open(t, source)
		at := time.Unix(1_774_814_462, 123)
		var all []store.Alert
		for i := range 1200 {
			raised := at.Add(time.Duration(i) * time.Minute)
			all = append(all, store.Alert{
				ID: fmt.Sprintf("a%04d", i), Table: []string{"wien/bj-1", "wien/bj-2", ""}[i%3],
				Code:   []string{"unread-card", "floor-called"}[i%2],
				Raised: raised, Over: raised.Add(time.Second), Text: []byte("{}"),
			})
		}
		open := store.Alert{
			ID: "open", Table: "wien/bj-1", Code: "unread-card", Raised: at.Add(time.Hour),
			Text: []byte("{}"),
		}
		if err := s.PutAlerts(t.Context(), append(all, open)); err != nil {
			t.Fatal(err)
		}
		for name, c := range map[string]struct {
			asked store.AlertQuery
			n     int
			first string
		}{
			"all":           {store.AlertQuery{Limit: 2000}, 1200, "a1199"},
			"the last page": {store.AlertQuery{Skip: 1150, Limit: 100}, 50, "a0049"},
			"of a table":    {store.AlertQuery{Table: "wien/bj-2", Limit: 2000}, 400, "a1198"},
			"of the pit":    {store.AlertQuery{OfPit: true, Limit: 2000}, 400, "a1199"},
			"by code":       {store.AlertQuery{Code: "unread-card", Limit: 2000}, 600, "a1198"},
			"by time": {
				store.AlertQuery{From: at.Add(time.Minute), To: at.Add(4 * time.Minute), Limit: 2000},
				3, "a0003",
			},
			"all at once": {
				store.AlertQuery{Table: "wien/bj-1", Code: "unread-card", To: at.Add(time.Hour), Limit: 3},
				3, "a0054",
			},
			"none": {store.AlertQuery{Table: "wien/bj-9", Limit: 3}, 0, ""},
		} {
			got, err := s.AlertHistory(t.Context(), c.asked)
			if err != nil || len(got) != c.n || c.n > 0 && got[0].ID != c.first {
				t.Errorf("%s: %d are found, %v; want %d, first %s", name, len(got), err, c.n, c.first)
			}
		}
	})
}
