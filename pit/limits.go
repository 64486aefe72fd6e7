package pit

import (
	"log/slog"
	"net/netip"
	"slices"
	"time"

	"github.com/sabot-table/sabot/internal/site"
)

// mostAtOnce is how much a browser may ask at once over one connection by HTTP/2.
const mostAtOnce = 64

// limits are how many connections browsers may have: a house's screens and people have far fewer, and the pit's memory
// and files suffice for all of them.
func limits(proxies []netip.Prefix, log *slog.Logger) site.ConnLimits {
	return site.ConnLimits{
		Each: 64, All: 512, Own: 256,
		EachNew: site.Pace{Every: 50 * time.Millisecond, Burst: 128},
		AllNew:  site.Pace{Every: 2 * time.Millisecond, Burst: 1024},
		First:   site.HeaderTime, Log: log,
		Trusted: func(ip netip.Addr) bool {
			return slices.ContainsFunc(proxies, func(p netip.Prefix) bool { return p.Contains(ip) })
		},
	}
}
