//go:build !race

package processes

// race says that the test has no race detector.
const race = false
