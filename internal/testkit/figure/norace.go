//go:build !race

package figure

// RaceDetector says that the test has the race detector.
const RaceDetector = false
