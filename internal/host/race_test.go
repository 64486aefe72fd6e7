//go:build race

package host_test

// shiftRounds is how many rounds TestShift deals. The race detector makes each of them many times slower.
var shiftRounds = uint64(150)
