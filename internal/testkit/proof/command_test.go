package main

import (
	"strings"
	"testing"
)

// TestOutput: what a command remarks beside its results is no result, and is told where it fails.
func TestOutput(t *testing.T) {
	shell := func(script string) command { return command{name: "sh", args: []string{"-c", script}} }
	got, err := shell("echo go: downloading >&2; echo a.go").output(t.Context())
	if got != "a.go\n" || err != nil {
		t.Errorf("%q, %v; want the result alone", got, err)
	}
	_, err = shell("echo half; echo why >&2; exit 3").output(t.Context())
	if err == nil || !strings.Contains(err.Error(), "half\nwhy\n") {
		t.Errorf("it failed with %v; want what it printed and why", err)
	}
}
