package display_test

import (
	"testing"

	"github.com/sabot-table/sabot/display"
)

func TestHouseName(t *testing.T) {
	for profile, want := range map[string]string{
		"": "", "baden": "Baden", "st-moritz": "St. Moritz", "st-moritz-65": "St. Moritz 65",
		"grand-casino": "Grand Casino", "österreich": "Österreich", "a--b": "A  B",
	} {
		if got := display.HouseName(profile); got != want {
			t.Errorf("%q is %q, want %q", profile, got, want)
		}
	}
}
