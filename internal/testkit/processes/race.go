//go:build race

package processes

// race says that the test has the race detector.
const race = true
