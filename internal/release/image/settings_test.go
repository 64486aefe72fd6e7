package image

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/system"
)

// cardPrograms is where the card's own programs are.
const cardPrograms = "../../../deploy/image/root/usr/libexec/sabot-card/"

// set runs the card's own program over the files of a first partition, and returns what it leaves in /etc and says.
func set(t *testing.T, files map[string]string) (etc, said string, err error) {
	t.Helper()
	from, zones := t.TempDir(), t.TempDir()
	etc = t.TempDir()
	for path, text := range map[string]string{
		filepath.Join(zones, "Europe/Lisbon"):     "TZif",
		filepath.Join(etc, "default/sabot-kiosk"): "SABOT_ROTATE=normal\n",
	} {
		write(t, path, text)
	}
	for name, text := range files {
		write(t, filepath.Join(from, name), text)
	}
	program := system.File(t, cardPrograms+"settings")
	out, err := exec.CommandContext(t.Context(), "sh", program, from, etc, zones).CombinedOutput()
	return etc, string(out), err
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// TestSettingsOfACard: what a technician has set on the card's first partition is what the system reads, in the form
// that it reads.
func TestSettingsOfACard(t *testing.T) {
	etc, said, err := set(t, map[string]string{
		"default/sabot-kiosk": "\ufeffSABOT_PAGE=http://127.0.0.1:8080/?lang=de\r\n" +
			"SABOT_ROTATE=90\r\n",
		"default/sabot-backup":                  "SABOT_BACKUP_TARGET=/media/sabot-backup\n",
		"systemd/network/10-table.network":      "[Match]\nType=ether\n",
		"systemd/timesyncd.conf.d/house.conf":   "[Time]\nNTP=10.0.0.1\n",
		"udev/rules.d/99-touch.rules":           "# turned\n",
		"timezone":                              "Europe/Lisbon\r\n",
		".DS_Store":                             "of another system",
		"udev/rules.d/._99-touch.rules":         "of another system",
		"systemd/network/.10-table.network.swp": "of an editor",
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	for name, want := range map[string]string{
		"default/sabot-kiosk":                 "SABOT_PAGE=http://127.0.0.1:8080/?lang=de\nSABOT_ROTATE=90\n",
		"default/sabot-backup":                "SABOT_BACKUP_TARGET=/media/sabot-backup\n",
		"systemd/network/10-table.network":    "[Match]\nType=ether\n",
		"systemd/timesyncd.conf.d/house.conf": "[Time]\nNTP=10.0.0.1\n",
		"udev/rules.d/99-touch.rules":         "# turned\n",
	} {
		got, err := os.ReadFile(filepath.Join(etc, name))
		if err != nil || string(got) != want {
			t.Errorf("/etc/%s is %q, %v, not %q", name, got, err, want)
		}
		info, err := os.Stat(filepath.Join(etc, name))
		if err == nil && info.Mode() != 0o644 {
			t.Errorf("/etc/%s has the mode %v", name, info.Mode())
		}
	}
	if zone, err := os.Readlink(filepath.Join(etc, "localtime")); err != nil ||
		!strings.HasSuffix(zone, "/Europe/Lisbon") {
		t.Errorf("the time zone is %q, %v", zone, err)
	}
	if strings.Contains(said, "DS_Store") || strings.Contains(said, "._99") {
		t.Errorf("files of other systems are talked about: %s", said)
	}
}

// TestSettingsThatAreNotTaken: each is named and changes nothing, and what is right is taken all the same.
func TestSettingsThatAreNotTaken(t *testing.T) {
	for name, text := range map[string]string{
		"sudoers.d/all":                "technician ALL=(ALL) ALL\n",
		"shadow":                       "root::1::::::\n",
		"default/sabot-kiosk.txt":      "SABOT_ROTATE=90\n",
		"systemd/system/own.service":   "[Service]\n",
		"systemd/network/a/b.network":  "[Match]\n",
		"systemd/network/eth.network2": "[Match]\n",
		"udev/rules.d":                 "a file where a folder is\n",
	} {
		etc, said, err := set(t, map[string]string{
			name:                   text,
			"default/sabot-backup": "SABOT_BACKUP_TARGET=/media/sabot-backup\n",
		})
		if err == nil || !strings.Contains(said, "etc/"+name+" of the card's first partition is not taken") {
			t.Errorf("%s: %v, said %q", name, err, said)
		}
		if _, err := os.Lstat(filepath.Join(etc, name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is there: %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(etc, "default/sabot-backup")); err != nil {
			t.Errorf("%s keeps out what is right: %v", name, err)
		}
	}
	for _, text := range []string{
		"", "Europe", "Europe/Atlantis\n", "../../etc/shadow\n", "/etc/shadow\n",
		"Europe/Lisbon; reboot\n",
	} {
		etc, said, err := set(t, map[string]string{"timezone": text})
		if err == nil || !strings.Contains(said, "a time zone such as Europe/Berlin") {
			t.Errorf("the zone %q: %v, said %q", text, err, said)
		}
		if _, err := os.Lstat(filepath.Join(etc, "localtime")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the zone %q is set: %v", text, err)
		}
	}
}

// TestACardHasANameOfItsOwn: by the computer's serial number, or as a technician has set it.
func TestACardHasANameOfItsOwn(t *testing.T) {
	program := system.File(t, cardPrograms+"name")
	for what, c := range map[string]struct {
		set, serial, want string
		wrong             bool
	}{
		"by its serial number":     {"", "10000000abcdef12\x00", "sabot-abcdef12", false},
		"without one":              {"", "", "sabot", false},
		"as it was set":            {"\ufeffbj-1\r\n", "10000000abcdef12\x00", "bj-1", false},
		"set to what is no name":   {"$(reboot)\n", "10000000abcdef12\x00", "sabot-abcdef12", true},
		"set to a path":            {"../x\n", "10000000abcdef12\x00", "sabot-abcdef12", true},
		"set to a line too long":   {strings.Repeat("a", 64) + "\n", "10000000abcdef12\x00", "sabot-abcdef12", true},
		"set to nothing":           {"\n", "10000000abcdef12\x00", "sabot-abcdef12", true},
		"a serial of other things": {"", "x/y;z\x00", "sabot", false},
	} {
		from, etc, tree, kernel := t.TempDir(), t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "hostname")
		if c.set != "" {
			write(t, filepath.Join(from, "hostname"), c.set)
		}
		if c.serial != "" {
			write(t, filepath.Join(tree, "serial-number"), c.serial)
		}
		out, err := exec.CommandContext(t.Context(), "sh", program, from, etc, tree, kernel).CombinedOutput()
		if (err != nil) != c.wrong {
			t.Errorf("%s: %v\n%s", what, err, out)
		}
		for path, want := range map[string]string{
			kernel: c.want, filepath.Join(etc, "hostname"): c.want + "\n",
			filepath.Join(etc, "hosts"): "127.0.0.1 localhost\n127.0.1.1 " + c.want + "\n::1 localhost\n",
		} {
			if got, err := os.ReadFile(path); err != nil || string(got) != want {
				t.Errorf("%s: %s has %q, %v, not %q", what, filepath.Base(path), got, err, want)
			}
		}
	}
}
