package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/sabot-table/sabot/pit/notify"
)

// TestBrowsers: each is as it was kept last, of one person at a time, and of a person only the newest are kept.
func TestBrowsers(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s := open(t, source)
		at := time.Unix(1_774_814_462, 123)
		put := func(endpoint, person string) {
			t.Helper()
			at = at.Add(time.Second)
			b := notify.Subscription{
				Endpoint: endpoint, P256dh: "p", Auth: "a", Person: person, Language: "de",
				Key: "k", Added: at,
			}
			if err := s.PutSubscription(t.Context(), b, 3); err != nil {
				t.Fatal(err)
			}
		}
		has := func(want string) {
			t.Helper()
			list, err := s.Subscriptions(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, b := range list {
				got += b.Endpoint + " " + b.Person + "; "
				if b.P256dh != "p" || b.Auth != "a" || b.Language != "de" || b.Key != "k" || b.Added.IsZero() {
					t.Errorf("%+v", b)
				}
			}
			if got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		}
		put("tablet", "anna")
		put("tablet", "bruno")
		has("tablet bruno; ")
		for i := range 5 {
			put(fmt.Sprintf("phone-%d", i), "anna")
		}
		has("tablet bruno; phone-2 anna; phone-3 anna; phone-4 anna; ")
		for range 2 {
			if err := s.DropSubscription(t.Context(), "phone-3"); err != nil {
				t.Fatal(err)
			}
		}
		has("tablet bruno; phone-2 anna; phone-4 anna; ")
	})
}
