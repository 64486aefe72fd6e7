package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// TestOtherSystems: an auditor's commands run on every system; what needs more than that has says so before it does
// anything.
func TestOtherSystems(t *testing.T) {
	auditors := []string{
		"watch", "journal audit", "journal jackpots", "journal verify", "journal recall", "journal irregularities",
		"journal transcript", "journal events", "journal export", "journal state", "rules list", "rules show",
		"rules check", "rules new", "rules odds", "config check", "config history", "config diff", "config words",
		"key pin", "key badge", "key screen", "replay", "version",
	}
	var run []string
	for _, c := range commands() {
		if err := c.needs.met("linux", nil); err != nil {
			t.Errorf("%s on Linux: %v", c.name, err)
		}
		err := c.needs.met("windows", new(bytes.Buffer))
		if err == nil {
			run = append(run, c.name)
		} else if text := err.Error(); !strings.Contains(text, "windows") || !strings.Contains(text, "run it on") {
			t.Errorf("%s does not say where it runs: %v", c.name, err)
		}
		if mac := c.needs.met("darwin", nil); (mac != nil) != (c.needs == linux) {
			t.Errorf("%s on macOS: %v", c.name, mac)
		}
	}
	if !slices.Equal(run, auditors) {
		t.Errorf("on Windows there are\n%q, and should be\n%q", run, auditors)
	}
}

// TestWithoutPermissions: who reads a key or writes an export where files have no permissions is told that nobody
// judges them.
func TestWithoutPermissions(t *testing.T) {
	for _, name := range []string{"journal audit", "journal export", "config check", "watch"} {
		c, _, _ := find(strings.Fields(name))
		for system, warned := range map[string]bool{"linux": false, "darwin": false, "windows": true} {
			var said strings.Builder
			if err := c.needs.met(system, &said); err != nil || (said.Len() > 0) != warned {
				t.Errorf("%s on %s says %q, %v", name, system, said.String(), err)
			}
		}
	}
}
