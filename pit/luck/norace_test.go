//go:build !race

package luck

import "github.com/sabot-table/sabot/internal/testkit/tier"

// usualNights are in make soak as many as docs/figures.md says.
var usualNights = tier.Times(60, 1000)
