package deploy_test

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// unit is what holds of one of the units.
type unit struct {
	// most is what systemd-analyze may find exposed, in tenths: what it has today. Who opens a unit further has to
	// raise it here, and to say why.
	most int
	// daemon is one that always runs, and root one that installs packages, as root.
	daemon, root bool
}

// units are those of Sabot's daemons, which systemd's own tools test.
var units = map[string]unit{
	// 2 of them for adjtimex, which asks whether the clock is right; without CAP_SYS_TIME it sets nothing.
	"systemd/sabotd.service":       {most: 17, daemon: true},
	"systemd/sabot-pit.service":    {most: 11, daemon: true},
	"systemd/sabot-backup.service": {most: 14},
	"systemd/sabot-update.service": {most: 86, root: true},
}

// besides are units that start others or show the page, which systemd-analyze verify reads and nobody else tests.
var besides = []string{
	"systemd/sabot-backup.timer", "systemd/sabot-update.path", "package/sabot-kiosk/sabot-kiosk.service",
}

// mostExposed is what no unit may reach but root's.
const mostExposed = 20

// TestEveryUnit: each unit in the folder is tested here.
func TestEveryUnit(t *testing.T) {
	files, err := filepath.Glob("systemd/sabot*.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if _, tested := units[file]; !tested && !slices.Contains(besides, file) {
			t.Errorf("%s is not tested: add it to units", file)
		}
	}
}

// later are the settings that systemd 252 of Debian 12 does not know yet, and says so.
var later = []string{"RestartSteps", "RestartMaxDelaySec"}

// TestVerify: systemd-analyze verify finds nothing, in a system that has systemd's units and Sabot's programs.
func TestVerify(t *testing.T) {
	root := t.TempDir()
	for _, folder := range []string{
		"etc/systemd/system", "usr/bin", "usr/lib/systemd", "usr/libexec/sabot-kiosk",
		"bin", "sbin",
	} {
		if err := os.MkdirAll(filepath.Join(root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, program := range []string{
		"usr/bin/sabotd", "usr/bin/sabot-pit", "usr/bin/sabot", "bin/sh",
		"usr/libexec/sabot-kiosk/wait-for-page", "usr/libexec/sabot-kiosk/start",
	} {
		if err := os.WriteFile(filepath.Join(root, program), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(filepath.Join(root, "usr/lib/systemd/system"),
		os.DirFS("/usr/lib/systemd/system")); err != nil {
		t.Fatalf("systemd's own units: %v; apt-get install systemd", err)
	}
	files := slices.Concat(slices.Collect(maps.Keys(units)), besides)
	for _, file := range files { // all of them first: a timer's service must be there
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(root, "etc/systemd/system", filepath.Base(file))
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range files {
		name := filepath.Base(file)
		out, err := exec.Command("systemd-analyze", "verify", "--man=no", "--root="+root, name).CombinedOutput()
		if err != nil {
			t.Errorf("systemd-analyze verify %s: %v\n%s", name, err, out)
		}
		for line := range bytes.Lines(out) {
			if text := strings.TrimSpace(string(line)); text != "" && !known(text) {
				t.Errorf("systemd-analyze verify %s says: %s", name, text)
			}
		}
	}
}

// known says whether a remark is that systemd is older than a setting.
func known(remark string) bool {
	return slices.ContainsFunc(later, func(setting string) bool {
		return strings.Contains(remark, "Unknown key '"+setting+"'")
	})
}

// TestExposure: no unit is exposed more than it was.
func TestExposure(t *testing.T) {
	for name, is := range units {
		if is.most > mostExposed && !is.root {
			t.Errorf("%s may be exposed by %d tenths, but no unit by more than %d", name, is.most, mostExposed)
		}
		if got := exposure(t, name); got > is.most {
			t.Errorf("%s is exposed by %d tenths, not %d: what has been opened, and why?", name, got, is.most)
		} else {
			t.Logf("%s is exposed by %d tenths", name, got)
		}
	}
}

var overall = regexp.MustCompile(`Overall exposure level for \S+: ([0-9]+)\.([0-9]) `)

// exposure is what systemd-analyze finds exposed in a unit, in tenths.
func exposure(t *testing.T, name string) int {
	t.Helper()
	out, err := exec.Command("systemd-analyze", "security", "--offline=true", "--no-pager", name).Output()
	said := overall.FindSubmatch(out)
	if err != nil || said == nil {
		t.Fatalf("systemd-analyze security %s: %v\n%s", name, err, out)
	}
	tenths, err := strconv.Atoi(string(said[1]) + string(said[2]))
	if err != nil {
		t.Fatal(err)
	}
	return tenths
}

// TestPolicy: what the exposure does not count. A daemon is started again for ever and waits for nothing that may be
// late; and the table's says that it is alive.
func TestPolicy(t *testing.T) {
	for name, is := range units {
		if !is.daemon {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		wanted := []string{
			"Type=notify", "Restart=always", "StartLimitIntervalSec=0", "User=sabot",
			"CapabilityBoundingSet=", "DevicePolicy=closed",
		}
		if name == "systemd/sabotd.service" {
			wanted = append(wanted, "WatchdogSec=30", "DeviceAllow=char-gpiochip rw", "DeviceAllow=char-i2c rw",
				"DeviceAllow=char-ttyUSB rw", "DeviceAllow=char-ttyACM rw")
		}
		for _, want := range wanted {
			if !slices.Contains(lines, want) {
				t.Errorf("%s does not say %s", name, want)
			}
		}
		for _, line := range lines {
			key, value, _ := strings.Cut(line, "=")
			if !slices.Contains([]string{
				"After", "Wants", "Requires", "BindsTo", "RequiresMountsFor",
				"RestartPreventExitStatus",
			}, key) {
				continue
			}
			for one := range strings.FieldsSeq(value) {
				if !strings.HasPrefix(one, "modprobe@") {
					t.Errorf("%s waits for %s, which may be late: %s", name, one, line)
				}
			}
		}
	}
}
