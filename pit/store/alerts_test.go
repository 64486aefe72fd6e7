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
