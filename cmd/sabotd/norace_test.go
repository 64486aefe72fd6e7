//go:build !race

package main

var raceFlags []string

// raceFactor is how much more memory a program has that was built so.
const raceFactor = 1
