package deploy_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// script runs one of a package's in a system of its own, where these programs do nothing but for what is given.
func script(t *testing.T, file, root string, programs map[string]string, args ...string) (said string, err error) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	there := regexp.MustCompile(`(^|[\s"])/(etc|var|run)/`).ReplaceAllString(string(text), "$1"+root+"/$2/")
	path := t.TempDir()
	for name, does := range programs {
		put(t, filepath.Join(path, name), "#!/bin/sh\n"+does+"\n", 0o755)
	}
	c := exec.CommandContext(t.Context(), "sh", append([]string{"-c", there, "script"}, args...)...)
	c.Env = []string{"PATH=" + path + ":" + os.Getenv("PATH")}
	out, err := c.CombinedOutput()
	return string(out), err
}

func put(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// TestPurge: nothing stays in the table's folders that docs/install.md says goes, and all that it says stays does.
func TestPurge(t *testing.T) {
	goes := []string{
		"etc/sabot/sabot.yaml", "etc/sabot/sabot.yaml.0001", "etc/sabot/sabot.yaml.0012", "etc/sabot/sabot.yaml.new",
		"etc/sabot/sabot.yaml.before-restore",
		"etc/sabot/mqtt-password.0001", "etc/sabot/mqtt-authority.0001", "var/lib/sabot/update/request",
		"var/lib/sabot-update/package.deb",
	}
	stays := []string{
		"etc/sabot/page.key", "etc/sabot/my-house.yaml", "etc/sabot/mqtt-password", "etc/sabot-release.pub",
		"etc/default/sabot-backup",
		"var/lib/sabot/journal/0001.journal", "var/lib/sabot/journal.own-key", "var/lib/sabot/journal.people",
	}
	root := t.TempDir()
	for _, name := range slices.Concat(goes, stays) {
		put(t, filepath.Join(root, name), "x", 0o600)
	}
	said, err := script(t, "package/sabot/postrm", root, map[string]string{"deb-systemd-helper": ":", "systemctl": ":"},
		"purge")
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for _, name := range goes {
		if _, err := os.Lstat(filepath.Join(root, name)); err == nil {
			t.Errorf("/%s is there after the purge", name)
		}
	}
	for _, name := range stays {
		if _, err := os.Lstat(filepath.Join(root, name)); err != nil {
			t.Errorf("/%s is gone after the purge", name)
		}
	}
	page, err := os.ReadFile("../docs/install.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| what goes | what it is |")
	table, _, _ = strings.Cut(table, "It says what it leaves")
	rm := regexp.MustCompile(`(sabot\.yaml\.[a-z-]+|mqtt-[a-z]+|/var/lib/sabot[/-][a-z]+)`)
	text, err := os.ReadFile("package/sabot/postrm")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range rm.FindAllString(string(text), -1) {
		if !strings.Contains(table, name) {
			t.Errorf("docs/install.md does not say that %s goes", name)
		}
	}
}

// TestNoPackageForARMv6: a computer that could not run the programs is told before anything is installed.
func TestNoPackageForARMv6(t *testing.T) {
	for machine, fits := range map[string]bool{"armv6l": false, "armv7l": true, "aarch64": true, "x86_64": true} {
		for _, does := range []string{"install", "upgrade"} {
			said, err := script(t, "package/preinst", t.TempDir(), map[string]string{"uname": "echo " + machine},
				does, "1.2.3")
			if (err == nil) != fits || !fits && !strings.Contains(said, "Raspberry Pi 3 or 4") {
				t.Errorf("%s on %s: %v, %q", does, machine, err, said)
			}
		}
	}
	for _, list := range []string{"package/sabot.yaml", "package/sabot-pit.yaml"} {
		if text, err := os.ReadFile(list); err != nil ||
			!strings.Contains(string(text), "preinstall: deploy/package/preinst\n") {
			t.Errorf("%s does not look at the processor, %v", list, err)
		}
	}
}

// TestMessagesNameWhatAPackageHas: a page of the docs that a program names is in the packages, under that name.
func TestMessagesNameWhatAPackageHas(t *testing.T) {
	for _, name := range []string{"sabot", "sabot-pit"} {
		text, err := os.ReadFile("package/" + name + ".yaml")
		if err != nil || !strings.Contains(string(text), "{src: docs/*.md, dst: /usr/share/doc/"+name+"/docs/,") {
			t.Errorf("%s has no docs, %v", name, err)
		}
	}
	named := regexp.MustCompile("[\"` (]docs/([a-z-]+\\.md)")
	found := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() && slices.Contains([]string{"dist", "node_modules", ".git"}, entry.Name()) {
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() || !slices.Contains([]string{".go", ".yaml", ".properties"},
			filepath.Ext(path)) || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, page := range named.FindAllStringSubmatch(string(text), -1) {
			found++
			if _, err := os.Stat(filepath.Join("../docs", page[1])); err != nil {
				t.Errorf("%s names docs/%s, which is not there", path, page[1])
			}
		}
		return err
	})
	if err != nil || found == 0 {
		t.Errorf("%d pages are named, %v", found, err)
	}
}
