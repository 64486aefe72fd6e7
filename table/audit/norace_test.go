//go:build !race

package audit_test

// nightInputs is how long the nights of TestUntouched are.
const nightInputs = 12_000
