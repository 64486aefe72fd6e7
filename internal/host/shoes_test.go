package host

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/shoe/makes"
)

// TestDrivers: every make that a configuration may name can be opened, and counts for the
// pit.
func TestDrivers(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	for _, name := range makes.Names() {
		s, err := openShoe(config.Shoe{Driver: name, Port: "/dev/ttyUSB0"}, nil, nil, nil, log)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, counter := range []string{"ports", "frames", "events", "gaps"} {
			if _, told := s.Counters()[counter]; !told {
				t.Errorf("%s counts no %s", name, counter)
			}
		}
	}
	if _, err := openShoe(config.Shoe{Driver: "cups", Port: "/dev/ttyUSB0", Baud: 9600}, nil, nil, nil,
		log); err == nil || !strings.Contains(err.Error(), `"cups"`) {
		t.Errorf("an unknown driver gives %v", err)
	}
}
