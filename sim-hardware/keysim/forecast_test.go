package keysim

import (
	"math"
	"testing"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestBestPlay: with endless decks the house keeps 2.2 % of what the best player
// stakes, as docs/rules.md says.
func TestBestPlay(t *testing.T) {
	var worth float64
	for bank := lowest; bank <= highest; bank++ {
		for first := lowest; first <= highest; first++ {
			worth += games()[bank].calls[1][first].worth / (heights * heights)
		}
	}
	if kept := -100 * worth; math.Abs(kept-2.2) > 0.05 {
		t.Errorf("the house keeps %.3f %%", kept)
	}
}

func TestForecast(t *testing.T) {
	tests := []struct {
		last   string
		points int
		bank   string
		want   vocab.Call
	}{
		{"2S", 1, "8D", vocab.CallHigher},
		{"KS", 1, "8D", vocab.CallLower},
		{"AS", 4, "2D", vocab.CallLower},
		{"8S", 4, "8D", vocab.CallRest},
		{"8S", 2, "8D", vocab.CallRest},
	}
	for _, tt := range tests {
		if got := forecast(one(t, tt.last), tt.points, one(t, tt.bank)); got != tt.want {
			t.Errorf("%d points, last %s against %s: %s, want %s", tt.points, tt.last, tt.bank, got, tt.want)
		}
	}
}

func one(t *testing.T, name string) card.Card {
	t.Helper()
	c, err := card.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
