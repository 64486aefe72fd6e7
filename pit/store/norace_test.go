//go:build !race

package store

import "github.com/sabot-table/sabot/internal/testkit/tier"

// Lighter is by how much the tests do less than in make soak, where they are whole.
var Lighter = tier.Times(5, 1)
