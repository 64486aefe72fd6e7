package doctor

import (
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/testkit/system"
)

// TestBroker: the pit is right only if the daemon says that it is connected, and the broker answers from here.
func TestBroker(t *testing.T) {
	listening, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listening.Close()
	there, gone := listening.Addr().String(), system.Address(t)
	for name, c := range map[string]struct {
		broker     string
		silent, up bool
		wrong      bool
		unseen     string
	}{
		"well":                     {broker: "tcp://" + there, up: true},
		"nobody at a plain broker": {broker: "tcp://" + gone, silent: true, wrong: true},
		"nobody at one with TLS": {
			broker: "ssl://" + gone, silent: true, wrong: true,
			unseen: "the broker's certificate",
		},
		"who knows if it lets it in": {
			broker: "tcp://" + there, silent: true,
			unseen: "whether the broker lets the table in",
		},
		"only the daemon gets there": {broker: "tcp://" + gone, up: true, unseen: "the broker from here"},
		"one of two answers": {
			broker: "tcp://" + gone + " tcp://" + there, up: true,
			unseen: "the broker from here",
		},
		"none of two answers":         {broker: "tcp://" + gone + " tcp://127.0.0.1:1", silent: true, wrong: true},
		"no pit":                      {silent: true},
		"the daemon is not connected": {broker: "tcp://" + gone, wrong: true},
	} {
		b := newBench(t)
		b.silent = c.silent
		if c.broker != "" {
			b.broker = `broker: "` + c.broker + `"`
			b.snapshot.Facts.Pit = &health.Pit{Up: c.up}
		}
		p := b.examine()
		seen := !slices.ContainsFunc(p.Unseen, func(u Unseen) bool { return u.Area == health.AreaPit })
		if p.Holds("pit-offline") != c.wrong || seen != (c.unseen == "") ||
			slices.Contains(p.Right, health.AreaPit) != (seen && !c.wrong) {
			t.Errorf("%s: it finds %+v, does not see %+v, and %v is right", name, found(p), p.Unseen, p.Right)
		}
		for _, u := range p.Unseen {
			if u.Area == health.AreaPit && !strings.Contains(u.What, c.unseen) {
				t.Errorf("%s: it does not see %+v", name, u)
			}
		}
	}
}
