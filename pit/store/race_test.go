//go:build race

package store

// Lighter is by how much the tests do less: the race detector makes a database in Go many times slower.
const Lighter = 5
