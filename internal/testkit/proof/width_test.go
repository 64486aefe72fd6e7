package main

import (
	"slices"
	"strings"
	"testing"
)

// TestWideLines: a line that can be broken is told, whatever makes it wide; a raw string is as it is.
func TestWideLines(t *testing.T) {
	long := strings.Repeat("x", 110)
	src := strings.Join([]string{
		"package a",
		"// " + strings.Repeat("é ", 58), // 119
		"// " + strings.Repeat("é ", 59), // 121
		"\tvar a = \"" + long + "\"",     // 4 + 8 + 112
		"var b = `" + long,               // the rest is below
		long + long + "`",                // still in it
		"type t struct { A int `json:\"" + long + "\"` }",
		"\t\t\tvar c = " + long[:100] + "1", // 12 + 8 + 101
		"// {\"in\":\"" + long + "\"}",
	}, "\n")
	if got := wideLines([]byte(src)); !slices.Equal(got, []int{3, 4, 8}) {
		t.Errorf("lines %v are too wide; want 3, 4 and 8", got)
	}
}
