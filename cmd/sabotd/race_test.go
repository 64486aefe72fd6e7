//go:build race

package main

// raceFlags build the daemon under test as the test itself was built.
var raceFlags = []string{"-race"}

// raceMemory is how many times the memory a program holds that was built so.
const raceMemory = 8
