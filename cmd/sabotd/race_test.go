//go:build race

package main

// raceMemory is how many times the memory a program holds that was built so.
const raceMemory = 8
