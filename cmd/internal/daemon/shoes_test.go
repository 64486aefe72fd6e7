package daemon

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/cmd/internal/config"
)

// TestDrivers: every kind of shoe that a configuration may name can be opened, and
// counts for the pit.
func TestDrivers(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	for _, name := range config.Drivers() {
		s, err := openShoe(config.Shoe{Driver: name, Port: "/dev/ttyUSB0"}, 0, 0, log)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, counter := range []string{"ports", "frames", "events", "gaps"} {
			if _, told := s.counters()[counter]; !told {
				t.Errorf("%s counts no %s", name, counter)
			}
		}
	}
	if len(drivers) != len(config.Drivers()) {
		t.Errorf("%d drivers, of which the configuration knows %d", len(drivers), len(config.Drivers()))
	}
	if _, err := openShoe(config.Shoe{Driver: "cups", Port: "/dev/ttyUSB0", Baud: 9600}, 0, 0, log); err == nil || !strings.Contains(err.Error(), `"cups"`) {
		t.Errorf("an unknown driver gives %v", err)
	}
}
