package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/datatest"
)

// TestShards: each suite is in one shard, and no shard takes more than half an hour.
func TestShards(t *testing.T) {
	const shards, most = 7, 30
	seen := map[string]int{}
	for part := 1; part <= shards; part++ {
		minutes := 0.0
		for _, s := range shard(ofTier(inSoak), part, shards) {
			seen[s.name]++
			minutes += s.minutes
		}
		if minutes > most {
			t.Errorf("shard %d takes %v minutes", part, minutes)
		}
	}
	for _, s := range ofTier(inSoak) {
		if seen[s.name] != 1 {
			t.Errorf("%s is in %d shards", s.name, seen[s.name])
		}
	}
}

// TestSoakRunsEveryPackage: each package with tests is in a suite of its own tier, and in one with the race detector.
func TestSoakRunsEveryPackage(t *testing.T) {
	whole, race := map[string]bool{}, map[string]bool{}
	all, err := listed(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range ofTier(inSoak) {
		for _, pattern := range strings.Fields(s.goTest) {
			if !strings.HasPrefix(pattern, "./") || strings.Contains(s.goTest, "-run") {
				continue
			}
			for folder := range all {
				if around, is := strings.CutSuffix(pattern, "/..."); folder == pattern[2:] || is &&
					strings.HasPrefix(folder+"/", around[2:]+"/") {
					(map[bool]map[string]bool{false: whole, true: race})[s.race][folder] = true
				}
			}
		}
	}
	for folder, p := range all {
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			continue
		}
		if !whole[folder] {
			t.Errorf("no suite of make soak runs the tests of %s", folder)
		}
		if !race[folder] {
			t.Errorf("no suite of make soak runs the tests of %s with the race detector", folder)
		}
	}
}

// TestSoakGoesOn: a suite that fell is run again, one that was green is not, one that found nothing to run has fallen,
// and the page says what came of all of them.
func TestSoakGoesOn(t *testing.T) {
	folder := t.TempDir()
	count := filepath.Join(folder, "count")
	run := func(only string, mended bool) (string, error) {
		falls := suite{name: "falls", line: "echo not ok 7; false"}
		if mended {
			falls.line = "true"
		}
		s := soak{folder: folder, seed: 7, commit: "abc", suites: []suite{
			{name: "green", line: "echo >>" + count + "; test $SABOT_TIER,$SABOT_SEED = soak,7"},
			falls,
			{name: "renamed", line: "echo testing: warning: no tests to run"},
			{name: "other"},
		}, only: only, build: func(context.Context, io.Writer) (string, error) { return folder, nil }}
		var out strings.Builder
		err := s.run(t.Context(), &out)
		return out.String(), err
	}
	said, err := run("green|falls", false)
	if err == nil || !strings.Contains(said, "| falls | **fell** |") || !strings.Contains(said, "not ok 7") ||
		!strings.Contains(said, "| green | green |") || !strings.Contains(said, "| other | did not run |") ||
		!strings.Contains(said, "make soak ONLY='^falls$' SEED=7") {
		t.Fatalf("%v\n%s", err, said)
	}
	if said, err = run("green|falls", true); err != nil || strings.Contains(said, "fell") {
		t.Fatalf("%v\n%s", err, said)
	}
	if said, err = run("renamed", true); err == nil || !strings.Contains(said, "| renamed | **fell** |") {
		t.Errorf("a suite whose test has another name now is green: %s", said)
	}
	if times, err := os.ReadFile(count); err != nil || string(times) != "\n" {
		t.Errorf("the green suite ran %d times: %v", len(times), err)
	}
}

// TestNoSuchSuite: a name that no suite has is refused.
func TestNoSuchSuite(t *testing.T) {
	var out strings.Builder
	for _, args := range [][]string{
		{"soak", "-only", "nothing"},
		{"soak", "-shard", "7/6"},
		{"soak", "-shard", "1"},
		{"sok"},
		{},
	} {
		if err := run(t.Context(), args, &out); err == nil {
			t.Errorf("%q was taken", args)
		}
	}
}

// TestContributing: the table of suites is that of the code.
func TestContributing(t *testing.T) {
	datatest.List(t, "../../../CONTRIBUTING.md", "<!-- suites -->\n", "<!-- end of suites -->", table(suites))
	if !slices.IsSortedFunc(suites, func(a, b suite) int {
		tiers := []string{inTest, inSoak, inRelease}
		return slices.Index(tiers, a.tier) - slices.Index(tiers, b.tier)
	}) {
		t.Error("the suites are not in the order of their tiers")
	}
}
