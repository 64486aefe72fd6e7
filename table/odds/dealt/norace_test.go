//go:build !race

package dealt_test

import "github.com/sabot-table/sabot/internal/testkit/tier"

var usualRounds = int64(tier.Times(20_000, 300_000))
