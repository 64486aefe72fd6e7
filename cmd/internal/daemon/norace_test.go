//go:build !race

package daemon_test

const shiftRounds = 10_000
