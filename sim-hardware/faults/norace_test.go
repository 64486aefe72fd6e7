//go:build !race

package faults_test

// rounds is how many rounds are dealt over a bad line.
const rounds = 10_000
