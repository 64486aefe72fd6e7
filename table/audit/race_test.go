//go:build race

package audit_test

// nightInputs is how long the nights of TestUntouched are. The race detector makes
// everything many times slower.
const nightInputs uint64 = 2_000
