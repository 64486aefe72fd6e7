//go:build race

package daemon_test

const shiftRounds = 150
