//go:build packages

package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/system"
)

// TestPackageServices: what runs beside the table, and what looks at it, works under the services' own rights: the
// backup's timer, the pit, the screen as far as it comes without one, doctor and bundle as root, and the page of
// devices and log inside the table's unit.
func TestPackageServices(t *testing.T) {
	p := newInstalled(t)
	p.supervisors = supervisedBy("anna")
	p.begins(newer)
	p.deals(newer, 2)
	p.Run("systemctl", "reload", "sabotd")
	p.logs("sabotd", "list of screens that may enter was reloaded")
	if said := p.Run("udevadm", "test", "/sys/class/tty/tty0"); strings.Contains(said, "60-sabot-devices.rules:") ||
		!strings.Contains(said, "60-sabot-devices.rules") {
		t.Errorf("udev reads the rules as\n%s", said)
	}
	p.backsUp()
	p.hasPit()
	p.hasScreen()
	p.isExamined()
	p.isBundled()
	p.bundlesItself()
	p.deals(newer, 1)
}

// logs waits until the system's log has what a unit has said: that may be after the unit has ended.
func (p *installed) logs(unit, what string) {
	p.t.Helper()
	p.Await("sh", "-c", "journalctl --unit="+unit+" --output=cat | grep --fixed-strings '"+what+"'")
}

// backsUp: the timer waits, and its service copies the table, with its own rights, while the table deals.
func (p *installed) backsUp() {
	const target = "/srv/backup"
	p.Run("install", "--directory", "--owner=sabot", "--mode=0700", target)
	p.Run("sh", "-c", "echo 'SABOT_BACKUP_TARGET="+target+
		"\nSABOT_BACKUP_OPTIONS=--same-disk --without-keys' > /etc/default/sabot-backup")
	if next := p.Run("systemctl", "show", "--property=NextElapseUSecRealtime", "--value",
		"sabot-backup.timer"); strings.TrimSpace(next) == "" {
		p.t.Error("the timer never elapses")
	}
	p.Run("systemctl", "start", "sabot-backup.service")
	p.logs("sabot-backup", "up to record ")
	p.rounds++
	p.deal(1).finish()
	p.Run("systemctl", "start", "sabot-backup.service")
	if list := p.Run("sabot", "backup", "--list", target); strings.Count(list, "record ") < 2 {
		p.t.Errorf("of two backups it lists\n%s", list)
	}
}

// exposed is what systemd may find exposed of each service, as the tests of deploy have it; here with the real systemd
// of Debian.
func (p *installed) exposed(unit string) {
	p.t.Helper()
	if said, err := p.Try("systemd-analyze", "security", "--threshold=20", "--no-pager", unit); err != nil {
		p.t.Errorf("%s is exposed by more than 2.0: %v\n%s", unit, err, said)
	}
	said, err := p.Try("systemd-analyze", "verify", "--man=no", unit)
	for line := range strings.Lines(said) {
		if !strings.Contains(line, "Unknown key 'Restart") { // which later versions know
			p.t.Errorf("systemd-analyze verify %s: %v: %s", unit, err, line)
		}
	}
}

// hasPit: the pit runs beside the table, hears it, and is no more exposed than its unit allows.
func (p *installed) hasPit() {
	page := system.Address(p.t)
	p.Run("apt-get", "install", "--yes", "--no-install-recommends", "/given/sabot-pit_"+newer+"_amd64.deb")
	if state, _ := p.Try("systemctl", "is-active", "sabot-pit"); state != "inactive\n" { // the status is in the word
		p.t.Errorf("without a configuration the pit is %q", state)
	}
	p.Run("sh", "-c", `cat > /etc/sabot/pit.yaml <<'END'
site: test
mqtt: {broker: "tcp://`+p.broker.Addr()+`"}
store: {time_zone: Europe/Berlin}
web: {listen: "`+page+`"}
END`)
	p.Run("systemctl", "start", "sabot-pit")
	for _, unit := range []string{"sabot-pit.service", "sabotd.service", "sabot-backup.service"} {
		p.exposed(unit)
	}
	response, err := http.Get("http://" + page + "/")
	if err != nil {
		p.t.Fatal(err)
	}
	if err := response.Body.Close(); err != nil || response.StatusCode >= http.StatusInternalServerError {
		p.t.Errorf("the pit's page: %s, %v", response.Status, err)
	}
	p.Await("test", "-s", "/var/lib/sabot/pit.db")
}

// hasScreen: on a computer without a screen the kiosk is left alone, and systemd says why. Its programs are not
// installed here: dpkg is told to go without them.
func (p *installed) hasScreen() {
	p.Run("dpkg", "--force-depends", "--install", "/given/sabot-kiosk_"+newer+"_all.deb")
	const unit = "sabot-kiosk.service"
	p.Run("systemctl", "start", unit)
	for property, want := range map[string]string{
		"UnitFileState": "enabled", "ActiveState": "inactive",
		"ConditionResult": "no",
	} {
		if got := strings.TrimSpace(p.Run("systemctl", "show", "--property="+property, "--value", unit)); got != want {
			p.t.Errorf("without a screen %s is %s, not %s", property, got, want)
		}
	}
	p.logs(unit, "ConditionPathExists=/dev/tty1")
	said, err := p.Try("env", "SABOT_ROTATE=sideways", "/usr/libexec/sabot-kiosk/start")
	if err == nil {
		p.t.Error("a screen is turned sideways")
	}
	contains(p.t, said, "write normal, 90, 180 or 270 in /etc/default/sabot-kiosk")
	p.Run("dpkg", "--purge", "sabot-kiosk")
}

// isExamined: the doctor, as root, sees all that it looks at, and finds nothing wrong with the table. On a computer on
// which much was just installed the daemon may be slower than the doctor waits for.
func (p *installed) isExamined() {
	var said string
	brokertest.Until(p.t, "the daemon answers the doctor", func() bool {
		said, _ = p.Try("sabot", "doctor")
		return !strings.Contains(said, "daemon-silent")
	})
	p.t.Log(said)
	for _, none := range []string{
		"config-unfit", "files-open", "version-differs", "unit-disabled",
		"group-missing", "device-unusable", "update-failed", "backup-late", "backup-none",
	} {
		if strings.Contains(said, none) {
			p.t.Errorf("it finds %s", none)
		}
	}
	contains(p.t, said, "table test/bj-1")
	p.Run("systemctl", "disable", "sabotd")
	said, _ = p.Try("sabot", "doctor") // its status says that something is wrong
	contains(p.t, said, "unit-disabled")
	p.Run("systemctl", "enable", "sabotd")
}

// isBundled: a bundle has the log of systemd's journal.
func (p *installed) isBundled() {
	p.Run("sabot", "bundle", "/root/bundle.tar.gz")
	files := processes.Unpacked(p.t, p.Path("/root/bundle.tar.gz"))
	contains(p.t, files["log.txt"], "sabotd ready: table bj-1")
	contains(p.t, files["doctor.txt"], "table test/bj-1")
	contains(p.t, files["rounds.txt"], "round 1")
}

// bundlesItself: the daemon, in its unit, does the same for a supervisor at its page, and stays within its memory.
func (p *installed) bundlesItself() {
	var proven any
	if status := p.post("/supervisor", annasPIN, &proven); status != http.StatusOK {
		p.t.Fatalf("the PIN is answered by %d", status)
	}
	response, err := http.Get("http://" + p.page + "/devices/")
	if err != nil {
		p.t.Fatal(err)
	}
	page, err := io.ReadAll(response.Body)
	if err = errors.Join(err, response.Body.Close()); err != nil {
		p.t.Fatal(err)
	}
	contains(p.t, string(page), "tcp://127.0.0.1:")
	for range 3 { // one after the other, in a memory that the first has filled
		taken, err := http.Post("http://"+p.page+"/devices/take", "application/json",
			strings.NewReader(`{"what":"bundle"}`))
		if err != nil {
			p.t.Fatal(err)
		}
		packed, err := io.ReadAll(taken.Body)
		if err = errors.Join(err, taken.Body.Close()); err != nil || taken.StatusCode != http.StatusOK {
			p.t.Fatalf("the bundle: %s, %v\n%s", taken.Status, err, packed)
		}
		file := filepath.Join(p.t.TempDir(), "bundle.tar.gz")
		write(p.t, file, string(packed))
		files := processes.Unpacked(p.t, file)
		contains(p.t, files["log.txt"], "the table is open")
		contains(p.t, files["devices.txt"], "serial ports")
		contains(p.t, files["doctor.txt"], "table test/bj-1")
		contains(p.t, files["rounds.txt"], "round 1")
	}
	contains(p.t, p.Run("systemctl", "show", "--property=MemoryMax", "sabotd"), "MemoryMax=268435456")
	contains(p.t, p.Run("systemctl", "show", "--property=NRestarts,Result", "sabotd"), "NRestarts=0", "Result=success")
	// Not every computer that runs tests counts a unit's memory: so the kernel is asked what the process had at most.
	status := p.Run("sh", "-c", `cat "/proc/$(systemctl show --property=MainPID --value sabotd)/status"`)
	var most int
	if _, rest, found := strings.Cut(status, "VmHWM:"); !found {
		p.t.Errorf("of its memory the kernel says\n%s", status)
	} else if _, err := fmt.Sscan(rest, &most); err != nil || most > 256<<10 {
		p.t.Errorf("the daemon had %d KiB at most, %v", most, err)
	}
	p.t.Logf("the daemon had %d KiB at most", most)
}
