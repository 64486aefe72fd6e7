//go:build race

package luck

// usualNights are few: the race detector makes the engine many times slower.
const usualNights = 60
