package store_test

import (
	"testing"
	"time"

	"github.com/sabot-table/sabot/pit/store"
)

// TestSignedReports: who has signed the report of a time is kept in order, and no other's.
func TestSignedReports(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s := open(t, source)
		from := time.Date(2026, 3, 28, 20, 0, 0, 0, time.UTC)
		sign := func(who string, from time.Time, after time.Duration) store.SignedReport {
			t.Helper()
			one := store.SignedReport{
				Shift: "Spät", From: from, Until: from.Add(8 * time.Hour), At: from.Add(8*time.Hour + after), Who: who,
				Role: "supervisor", Report: `{"money":[]}`,
			}
			if err := s.SignReport(t.Context(), one); err != nil {
				t.Fatal(err)
			}
			return one
		}
		second, first := sign("ben", from, time.Minute), sign("anna", from, 0)
		sign("anna", from.Add(8*time.Hour), 0)
		list, err := s.SignedReports(t.Context(), first.From, first.Until)
		if err != nil || len(list) != 2 {
			t.Fatalf("%v, %v", list, err)
		}
		for i, want := range []store.SignedReport{first, second} {
			got := list[i]
			if !got.At.Equal(want.At) {
				t.Errorf("%s has signed at %s, want %s", got.Who, got.At, want.At)
			}
			if got.At = want.At; got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
		}
	})
}
