//go:build !race

package main

// raceMemory is 1: only a program with the race detector holds more.
const raceMemory = 1
