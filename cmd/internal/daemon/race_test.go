//go:build race

package daemon_test

// shiftRounds is how many rounds TestShift deals. The race detector makes each of them many times slower.
var shiftRounds = uint64(150)
