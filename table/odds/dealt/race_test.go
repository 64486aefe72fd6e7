//go:build race

package dealt_test

// usualRounds are few: the race detector makes the engine many times slower.
const usualRounds int64 = 20_000
