//go:build !race

package luck

// usualNights are as many as docs/figures.md says.
const usualNights = 1000
