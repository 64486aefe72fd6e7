//go:build race

package audit_test

// nightInputs is how long the nights of TestUntouched are. The race detector makes
// SQLite many times slower.
const nightInputs = 2_000
