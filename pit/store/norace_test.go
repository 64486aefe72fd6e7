//go:build !race

package store

// Lighter is 1: the tests are whole.
const Lighter = 1
