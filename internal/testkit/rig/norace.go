//go:build !race

package rig

// race says that the test has no race detector.
const race = false
