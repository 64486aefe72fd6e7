package deploy_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/attack"
)

// absolute is a path of a program or of a file in a setting of a unit.
var absolute = regexp.MustCompile(`/(?:usr|var|etc|run|opt|home|srv|tmp)/[A-Za-z0-9_./-]+`)

// TestAttackUnits: whoever controls one of the daemons, or its user, has nothing run as another user by a unit: no unit
// of root's runs, reads or loads a file from a folder in which a daemon's user may write, and no daemon may do more
// than it does.
func TestAttackUnits(t *testing.T) {
	theirs := writable(t)
	if len(theirs) < 3 {
		t.Fatalf("the daemons' users may write in %v only", theirs)
	}
	tries, through := 0, 0
	for _, file := range unitFiles(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for what, held := range judged(string(text), theirs) {
			if tries++; !held {
				through++
				t.Errorf("%s: %s", file, what)
			}
		}
	}
	attack.Report(t, "units: what a daemon's user could have others run", tries, through)
	// What the test finds in a unit that is opened.
	for _, opened := range []string{
		"[Service]\nExecStart=/var/lib/sabot/run",
		"[Service]\nUser=root\nExecStartPre=-/bin/sh -c '. /var/lib/sabot/update/x'",
		"[Service]\nExecStart=/usr/bin/x\nEnvironmentFile=-/etc/sabot/env",
		"[Service]\nUser=sabot\nExecStart=/usr/bin/x",
		"[Service]\nUser=sabot\nExecStartPre=+/bin/x\nNoNewPrivileges=yes",
		"[Service]\nUser=sabot\nNoNewPrivileges=yes\nAmbientCapabilities=CAP_SYS_ADMIN",
	} {
		ok := true
		for _, held := range judged(opened, theirs) {
			ok = ok && held
		}
		if ok {
			t.Errorf("this passes:\n%s", opened)
		}
	}
}

// judged says of each thing in a unit whether it holds.
func judged(text string, theirs []string) map[string]bool {
	all := map[string]bool{}
	set := map[string]string{}
	for line := range strings.Lines(text) {
		if key, value, is := strings.Cut(strings.TrimSpace(line), "="); is {
			set[key] = value
		}
	}
	user := set["User"]
	daemons := user != "" && user != "root"
	// The screen's session is that of a person who logs in: PAM gives it its rights.
	if daemons && set["PAMName"] == "" {
		all["a user's unit has no new privileges"] = set["NoNewPrivileges"] == "yes"
		all["a user's unit has no capability"] = set["AmbientCapabilities"] == "" && set["CapabilityBoundingSet"] == ""
	}
	for line := range strings.Lines(text) {
		key, value, is := strings.Cut(strings.TrimSpace(line), "=")
		runs := strings.HasPrefix(key, "Exec") || key == "EnvironmentFile" || key == "LoadCredential"
		if !is || !runs {
			continue
		}
		if elevated := strings.HasPrefix(key, "Exec") &&
			strings.ContainsAny(value[:min(3, len(value))], "+!"); daemons {
			all["a user's unit does nothing as root: "+value] = !elevated
			continue // what it runs is its own
		}
		for _, path := range absolute.FindAllString(value, -1) {
			all["root's unit uses "+path] = !slices.ContainsFunc(theirs, func(folder string) bool {
				return path == folder || strings.HasPrefix(path, folder+"/")
			})
		}
	}
	return all
}

// writable are the folders in which a daemon's user may write, as the packages make them.
func writable(t *testing.T) (folders []string) {
	t.Helper()
	files, err := filepath.Glob("package/*/tmpfiles.conf")
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			fields := strings.Fields(line)
			if len(fields) < 5 || fields[0] != "d" {
				continue
			}
			mode, user, group := fields[2], fields[3], fields[4]
			byGroup := mode[len(mode)-2] == '7' || mode[len(mode)-2] == '6'
			if user != "root" || group != "root" && byGroup {
				folders = append(folders, fields[1])
			}
		}
	}
	return append(folders, "/tmp", "/run/sabot")
}

func unitFiles(t *testing.T) (files []string) {
	t.Helper()
	for _, pattern := range []string{
		"systemd/*.service", "package/*/*.service",
		"image/root/etc/systemd/system/*.service", "image/root/etc/systemd/system/*/*.conf",
	} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatal(pattern, found, err)
		}
		files = append(files, found...)
	}
	return files
}
