package host_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/table/authority"
)

var clockNote = regexp.MustCompile(`"in":"note",.*"code":"(clock-[^"]*)"`)

// TestClockOnRecord: each start with a clock that follows no other says so, and one whose clock does says nothing.
func TestClockOnRecord(t *testing.T) {
	path := filepath.Join(processes.FastDir(t), "journal")
	var want []string
	for _, follows := range []bool{true, false, true, false} {
		simulated := host.Outside{Computer: func(s *health.Computer) { s.Synchronized = &follows }}
		s := staffWith(t, path, authority.PIN, []host.Option{host.WithClockNoted(), host.WithOutside(simulated)})
		if !follows {
			want = append(want, "clock-unsynchronized")
		}
		brokertest.Until(t, "the clock is on record", func() bool {
			return slices.Equal(found(t, path, clockNote), want)
		})
		s.end()
	}
	if got := found(t, path, clockNote); !slices.Equal(got, want) {
		t.Errorf("on record is %q, not %q", got, want)
	}
}
