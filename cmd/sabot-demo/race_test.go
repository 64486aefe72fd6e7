//go:build race

package main

// raceFlags build the daemon under test as the test itself was built.
var raceFlags = []string{"-race"}
