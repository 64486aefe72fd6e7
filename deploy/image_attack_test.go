package deploy_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// TestAttackImageScripts: whoever had the card in another computer, and wrote whatever they wanted into the folder etc
// of its first partition, has a start lay nothing over /etc but the few files that may be set there, and run none of
// it. (Who may log in is on that partition, too: whoever has the card has the table's computer.)
func TestAttackImageScripts(t *testing.T) {
	tier.Soak(t, "fifty shells, one after the other")
	script := system.File(t, "image/root/usr/libexec/sabot-card/settings")
	taken := []string{
		"default/sabot-backup", "default/sabot-kiosk", "systemd/network/80-own.network",
		"systemd/timesyncd.conf.d/own.conf", "udev/rules.d/50-touch.rules",
	}
	hostile := []string{
		"passwd", "shadow", "ld.so.preload", "crontab", "fstab", "sudoers.d/evil", "ssh/sshd_config.d/evil.conf",
		"systemd/system/evil.service",
		"systemd/system/sabotd.service.d/evil.conf", "systemd/network/evil.link", "systemd/network/sub/evil.network",
		"systemd/timesyncd.conf",
		"default/other", "default/sabot-kiosk.service", "default/sabot-backup/sub", "udev/rules.d/evil.rules.sh",
		"udev/rules.d/sub/evil.rules", "udev/evil.rules",
		"sabot/sabot.yaml", "sabot-release.pub", ".hidden", "systemd/network/.hidden.network",
		"$(touch pwned)", "`touch pwned`.rules", ";touch pwned", "udev/rules.d/$(touch pwned).txt", "-rf", "* *",
		"[a-z]*", "a b", "a\nudev/rules.d/new.rules", "a\n/etc/shadow",
	}
	zones := []string{
		"../../../etc/shadow", "/etc/shadow", "Europe/../../secret", "Europe/Berlin; touch pwned", "$(touch pwned)",
		"`touch pwned`", "Europe/Berlin\x00", "", "..", "-f", "Europe/*",
	}
	tries, through := 0, 0
	run := func(what string, files map[string]string, links map[string]string) {
		t.Helper()
		root := t.TempDir()
		at := func(parts ...string) string { return filepath.Join(append([]string{root}, parts...)...) }
		put := func(path, text string) {
			t.Helper()
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		put(at("zoneinfo/Europe/Berlin"), "zone")
		put(at("secret"), "of root alone")
		put(at("to/hostname"), "table")
		for name, text := range files {
			put(at("from", name), text)
		}
		for name, to := range links {
			if err := os.MkdirAll(filepath.Dir(at("from", name)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(at(to), at("from", name)); err != nil {
				t.Fatal(err)
			}
		}
		c := exec.Command("sh", script, at("from"), at("to"), at("zoneinfo"))
		c.Dir = at("to")
		said, _ := c.CombinedOutput() // it ends with 1 where something is not taken
		tries++
		err := filepath.WalkDir(at("to"), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			name, _ := filepath.Rel(at("to"), path)
			if name == "localtime" {
				if to, err := os.Readlink(path); err != nil || to != at("zoneinfo/Europe/Berlin") {
					through++
					t.Errorf("%s: the time zone is %s, %v", what, to, err)
				}
				return nil
			}
			text, err := os.ReadFile(path)
			empty := strings.HasSuffix(name, ".new") && len(text) == 0 // of a file that there is not
			if err != nil || name != "hostname" && !slices.Contains(taken, name) && !empty ||
				strings.Contains(string(text), "of root alone") {
				through++
				t.Errorf("%s: %s is there, %q, %v\n%s", what, name, text, err, said)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if ran, err := filepath.Glob(at("*/pwned")); err != nil || len(ran) > 0 {
			through++
			t.Errorf("%s: it was run", what)
		}
	}
	good := map[string]string{}
	for _, name := range taken {
		good[name] = "taken"
	}
	run("what may be set", good, nil)
	for _, name := range hostile {
		files := map[string]string{name: "evil"}
		for one, text := range good {
			if !strings.HasPrefix(name, one+"/") {
				files[one] = text
			}
		}
		run(name, files, nil)
	}
	for _, zone := range zones {
		run("the time zone "+zone, map[string]string{"timezone": zone + "\n"}, nil)
	}
	for _, name := range append(slices.Clone(taken), "timezone") {
		run("a link in the place of "+name, nil, map[string]string{name: "secret"})
	}
	attack.Report(t, "the card: what its first partition sets", tries, through)
}
