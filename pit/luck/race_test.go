//go:build race

package luck

// usualNights are few: the race detector makes the engine many times slower. make test deals all of them without it.
const usualNights = 60
