//go:build race

package dealt_test

// usualRounds are few: the race detector makes the engine many times slower. make test deals all of them without it.
const usualRounds = 20_000
