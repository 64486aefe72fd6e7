package brokertest

import (
	"log/slog"
	"strings"

	"github.com/sabot-table/sabot/internal/testkit/system"
)

// Log keeps what is logged, for a test to look into. The zero value is empty.
type Log struct {
	system.Text
}

// Logger returns a logger that writes into the Log, from level info upwards.
func (l *Log) Logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

// Count returns how many lines contain the text.
func (l *Log) Count(text string) int {
	count := 0
	for line := range strings.Lines(l.String()) {
		if strings.Contains(line, text) {
			count++
		}
	}
	return count
}
