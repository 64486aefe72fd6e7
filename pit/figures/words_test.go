package figures

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestEveryTextIsThere, and every text of the figures is said.
func TestEveryTextIsThere(t *testing.T) {
	made := []string{
		"pit.figures-hardly-below", "pit.figures-hardly-above", "pit.figures-below", "pit.figures-above",
		"pit.odds-hard", "pit.odds-soft", "pit.odds-pairs", "pit.odds-points", "pit.odds-means-rest",
		"pit.odds-means-card", "pit.odds-means-double", "pit.odds-means-split",
		"pit.odds-means-surrender", "pit.odds-means-higher", "pit.odds-means-lower",
	}
	for step := range vocab.EverySlipStep {
		made = append(made, "close.step-"+step.String())
	}
	for _, game := range rules.GameNames {
		made = append(made, "close.game-"+game)
	}
	for _, r := range tally.Rates {
		made = append(made, r.Name, r.Note)
	}
	displaytest.Said(t, func(key string) bool {
		return strings.HasPrefix(key, "pit.figures") || strings.HasPrefix(key, "pit.odds") ||
			strings.HasPrefix(key, "close.")
	}, made...)
}
