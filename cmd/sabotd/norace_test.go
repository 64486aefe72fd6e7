//go:build !race

package main

var raceFlags []string

// raceMemory is 1: only a program with the race detector holds more.
const raceMemory = 1
