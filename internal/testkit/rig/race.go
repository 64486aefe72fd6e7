//go:build race

package rig

// race says that the test has the race detector.
const race = true
