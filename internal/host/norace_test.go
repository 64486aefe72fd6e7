//go:build !race

package host_test

import "github.com/sabot-table/sabot/internal/testkit/tier"

// shiftRounds is how many rounds TestShift deals.
var shiftRounds = tier.Times[uint64](150, 10_000)
