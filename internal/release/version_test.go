package main

import (
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestVersions: dpkg orders versions as they follow one another.
func TestVersions(t *testing.T) {
	noon := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	rising := []struct {
		version string
		date    time.Time
		want    string
	}{
		{"9a98fbd1", noon, "0~20261123.120000.g9a98fbd1"},
		{"1a98fbd1", noon.Add(time.Hour), "0~20261123.130000.g1a98fbd1"},
		{"1a98fbd1-dirty", noon.Add(time.Hour), "0~20261123.130000.g1a98fbd1+changes"},
		{"v0.1.0", noon, "0.1.0"},
		{"v0.1.0-9-g0a98fbd1", noon, "0.1.0+9.g0a98fbd1"},
		{"v0.1.0-10-g9a98fbd1", noon, "0.1.0+10.g9a98fbd1"},
		{"v0.2", noon, "0.2"},
		{"v0.10", noon, "0.10"},
		{"v0.10-dirty", noon, "0.10+changes"},
		{"1.0.0", noon, "1.0.0"},
	}
	before := ""
	for _, c := range rising {
		got, err := debianVersion(c.version, c.date)
		if err != nil || got != c.want {
			t.Errorf("%s is %s, not %s, %v", c.version, got, c.want, err)
		}
		if out, err := exec.Command("dpkg", "--compare-versions", before, "lt-nl",
			got).CombinedOutput(); before != "" && err != nil {
			t.Errorf("dpkg does not find %s below %s: %v %s", before, got, err, out)
		}
		before = got
	}
	for _, wrong := range []string{"", "release", "v1.x", "1.0 ", "v1.0-rc1", "unversioned"} {
		if got, err := debianVersion(wrong, noon); err == nil {
			t.Errorf("%q is %q", wrong, got)
		}
	}
}

func TestEdition(t *testing.T) {
	e, err := editionOf(t.TempDir(), "v1.2.3", "1795436194")
	if err != nil || e.debian != "1.2.3" || e.date.Unix() != 1795436194 {
		t.Errorf("%+v, %v", e, err)
	}
	if _, err := editionOf(t.TempDir(), "v1.2.3", "today"); err == nil ||
		!strings.Contains(err.Error(), "SOURCE_DATE_EPOCH") {
		t.Errorf("a wrong time is answered with %v", err)
	}
	if _, err := editionOf(t.TempDir(), "", "1"); err == nil || !strings.Contains(err.Error(), "--version") {
		t.Errorf("a folder without a repository is answered with %v", err)
	}
}
