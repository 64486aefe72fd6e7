//go:build race

package main

// raceFlags build the daemon under test as the test itself was built.
var raceFlags = []string{"-race"}

// raceFactor is how much more memory a program has that was built so.
const raceFactor = 8
