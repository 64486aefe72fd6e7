//go:build !race

package dealt_test

const usualRounds = 300_000
