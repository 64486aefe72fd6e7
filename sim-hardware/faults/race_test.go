//go:build race

package faults_test

// rounds is how many rounds are dealt over a bad line: fewer with the race detector.
const rounds = 500
