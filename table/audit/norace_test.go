//go:build !race

package audit_test

import "github.com/sabot-table/sabot/internal/testkit/tier"

// nightInputs is how long the nights of TestUntouched are.
var nightInputs = uint64(tier.Times(4_000, 12_000))
