package doctor

import (
	"cmp"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/deploy"
	"github.com/sabot-table/sabot/device/inventory"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/ops/metrics"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/testkit/devicetest"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
)

// bench is a table with which nothing is wrong: a Raspberry Pi with a shoe at its converter, made of files; a journal
// on the real disk, and a page that answers.
type bench struct {
	t       *testing.T
	machine inventory.Source
	config  string
	// lines of the configuration besides the usual ones, by their keys.
	port, journal, key, freeMin, broker, more string
	entries                                   []journal.Entry
	// report and snapshot are what the page answers; nothing if silent.
	report   health.Report
	snapshot metrics.Snapshot
	slow     int
	// silent has no daemon run, gone no configuration be there.
	silent, gone bool
	// guard are settings of the page besides its address, "" for a page that screens need not enter.
	guard string
	// supervisors are the settings of supervisors, "" for those of a bench.
	supervisors string
	updates     string
	// settings says that backups are set up; backup is the mark of the last one, nil for none.
	settings bool
	backup   *health.BackupMark
	now      time.Time
}

func newBench(t *testing.T) *bench {
	t.Helper()
	dir := t.TempDir()
	b := &bench{
		t: t, machine: devicetest.Tree(t, "pi4", "\nfile /proc/1/comm systemd"),
		config: filepath.Join(dir, "sabot.yaml"),
		port:   "usb:0403:6001", freeMin: "1 MB", journal: filepath.Join(dir, "journal"),
		report:  health.Report{Live: true, Ready: true, Reasons: []health.Reason{}},
		updates: filepath.Join(dir, "updates"), settings: true, now: time.Now(),
	}
	b.backup = &health.BackupMark{Good: &health.GoodBackup{
		At: b.now.Add(-time.Hour), To: "/media/stick",
		Generation: 3,
	}}
	b.key = filepath.Join(dir, "journal.key")
	if _, err := journal.NewKeyFile(b.key); err != nil {
		t.Fatal(err)
	}
	// On this Pi ModemManager runs.
	if err := os.RemoveAll(filepath.Join(b.machine.Root, "proc/612")); err != nil {
		t.Fatal(err)
	}
	b.snapshot = metrics.Snapshot{Site: "test", Table: "bj-1", Version: "v1"}
	for i := range 3 {
		b.entries = append(b.entries, entry(b.now.Add(time.Duration(i-3)*time.Minute)))
	}
	return b
}

func entry(at time.Time) journal.Entry {
	return journal.Entry{At: at.UnixNano(), Input: []byte(`{"in":"note"}`)}
}

// file puts a file into the machine.
func (b *bench) file(path, text string) {
	b.t.Helper()
	b.put(filepath.Join(b.machine.Root, path), text)
}

func (b *bench) put(path, text string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// replace changes a file of the machine.
func (b *bench) replace(path, old, by string) {
	b.t.Helper()
	at := filepath.Join(b.machine.Root, path)
	text, err := os.ReadFile(at)
	if err != nil || !strings.Contains(string(text), old) {
		b.t.Fatalf("%s has no %q, %v", path, old, err)
	}
	b.put(at, strings.ReplaceAll(string(text), old, by))
}

func (b *bench) link(path, to string) {
	b.t.Helper()
	at := filepath.Join(b.machine.Root, path)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.Symlink(to, at); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) page() http.Handler {
	m := metrics.New(func() metrics.Snapshot { return b.snapshot })
	for i := range 100 {
		took := 3 * time.Millisecond
		if i < b.slow {
			took = 400 * time.Millisecond
		}
		m.Sync(took)
	}
	page := http.NewServeMux()
	page.Handle("/metrics", m.Handler())
	page.HandleFunc("/health", func(w http.ResponseWriter, _ *http.Request) {
		if err := json.NewEncoder(w).Encode(b.report); err != nil {
			b.t.Error(err)
		}
	})
	return page
}

func (b *bench) examine() Page {
	b.t.Helper()
	server := httptest.NewServer(b.page())
	defer server.Close()
	if b.silent {
		server.Close()
	}
	b.write()
	b.backUp()
	var inside func(string) (int, []byte, error)
	if b.guard != "" { // it asks itself, as a daemon does for its own page
		inside = func(path string) (int, []byte, error) {
			said := httptest.NewRecorder()
			b.page().ServeHTTP(said, httptest.NewRequest(http.MethodGet, "/"+path, http.NoBody))
			return said.Code, said.Body.Bytes(), nil
		}
	}
	if _, err := os.Stat(b.config); err != nil && !b.gone {
		b.put(b.config,
			fmt.Sprintf("site: test\ntable: bj-1\nhouse: wiesbaden\nshoe: {port: %q}\njournal: {path: %s, key_file: "+
				"%q, free_min: %s}\nmqtt: {%s}\nweb: {listen: %q%s}\nsupervisors: {%s}\n%s",
				b.port, b.journal, b.key, b.freeMin, b.broker, strings.TrimPrefix(server.URL, "http://"), b.guard,
				cmp.Or(b.supervisors, "proof: none"), b.more))
	}
	return Examine(b.t.Context(), Ask{
		Config: b.config, Machine: b.machine, Houses: profile.Built(), Version: "v1",
		Updates: b.updates, Now: b.now, Inside: inside, Outside: new(OverHTTP).Get,
	})
}

// write writes the journal, with a start for each entry.
func (b *bench) write() {
	b.t.Helper()
	for _, e := range b.entries {
		j, err := journal.Open(b.journal, journal.Options{})
		if err != nil {
			b.t.Fatal(err)
		}
		if err := j.Append([]journal.Entry{e}); err != nil {
			b.t.Fatal(err)
		}
		if err := j.Close(); err != nil {
			b.t.Fatal(err)
		}
	}
}

// backUp leaves what backups leave.
func (b *bench) backUp() {
	b.t.Helper()
	if b.settings {
		b.file(health.BackupSettings, "SABOT_BACKUP_TARGET=/media/stick\n")
	}
	if b.backup != nil {
		text, err := json.Marshal(b.backup)
		if err != nil {
			b.t.Fatal(err)
		}
		b.put(b.journal+health.BackupEnd, string(text))
	}
}

// certificate makes one that ends then, and has a server show it; it returns the server's address.
func (b *bench) certificate(until time.Time) (address, file string) {
	b.t.Helper()
	cert, key, err := site.SelfSigned([]string{"broker.example", "127.0.0.1"}, until.AddDate(-1, 0, 0), until)
	if err != nil {
		b.t.Fatal(err)
	}
	file = filepath.Join(b.t.TempDir(), "broker.crt")
	b.put(file, string(cert))
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		b.t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	server.StartTLS()
	b.t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "https://"), file
}

// troubles are what can be planted, a row for each reason that doctor finds by itself.
var troubles = []struct {
	code  health.Code
	what  string
	plant func(*bench)
}{
	{"daemon-silent", "connection refused", func(b *bench) { b.silent = true }},
	{"config-unfit", "table: is missing", func(b *bench) { b.put(b.config, "site: test\ntabel: bj-1\n") }},
	{"config-unfit", "no such file", func(b *bench) { b.gone = true }},
	{"config-unfit", "whose PIN nobody knows", func(b *bench) { b.supervisors = "names: [" + exampleLine(b.t) + "]" }},
	{"files-open", "journal.people", func(b *bench) {
		b.put(b.journal+".people", "{}")
		if err := os.Chmod(b.journal+".people", 0o644); err != nil {
			b.t.Fatal(err)
		}
	}},
	{"version-differs", "v0 runs, and this is v1", func(b *bench) { b.snapshot.Version = "v0" }},
	{"restarts", "5 times", func(b *bench) {
		for range 3 {
			b.entries = append(b.entries, entry(b.now))
		}
	}},
	{"unit-disabled", "", func(b *bench) { b.file("lib/systemd/system/sabotd.service", "[Unit]\n") }},
	{"unit-disabled", "masked", func(b *bench) { b.link("etc/systemd/system/sabotd.service", "/dev/null") }},
	{"update-failed", "from 1.0 to 1.1: it did not come up", func(b *bench) {
		b.put(filepath.Join(b.updates, "state.json"),
			`{"step":"done","from":"1.0","to":"1.1","at":"2026-11-23T08:00:00Z","failed":"it did not come up"}`)
	}},
	{"update-failed", "from 1.0 to 1.1: the update to 1.1 does not go on: no space", func(b *bench) {
		b.put(filepath.Join(b.updates, "state.json"),
			`{"step":"trying","from":"1.0","to":"1.1","at":"2026-11-23T08:00:00Z","halted":"no space"}`)
	}},
	{"device-unusable", "shoe.port: there is no serial port", func(b *bench) { b.port = "usb:0403:6015" }},
	{"device-unusable", "in use by minicom (process 901)", func(b *bench) {
		b.file("proc/901/comm", "minicom")
		b.link("proc/901/fd/3", "/dev/ttyUSB0")
	}},
	{"group-missing", "sabot is not in dialout, for shoe.port", func(b *bench) {
		b.replace("etc/group", "dialout:x:20:sabot,dora", "dialout:x:20:dora")
	}},
	{"group-missing", "sabot is not in gpio, for keys.card", func(b *bench) { b.more = "keys: {card: GPIO5}\n" }},
	{"port-probed", "process 812", func(b *bench) { b.file("proc/812/comm", "ModemManager\n") }},
	{"port-probed", "process 812", func(b *bench) { // and has the port open
		b.file("proc/812/comm", "ModemManager\n")
		b.link("proc/812/fd/3", "/dev/ttyUSB0")
	}},
	{"port-probed", "process 812", func(b *bench) { // and is not told by udev to leave it
		b.file("proc/812/comm", "ModemManager\n")
		b.file("sys/class/tty/ttyUSB0/dev", "188:0\n")
		b.file("run/udev/data/c188:0", "E:ID_MM_PORT_IGNORE=0\n")
	}},
	{"port-probed", "starts with the computer", func(b *bench) {
		b.link("etc/systemd/system/multi-user.target.wants/ModemManager.service",
			"/lib/systemd/system/ModemManager.service")
	}},
	{"port-seized", "/usr/lib/udev/rules.d/90-brltty-device.rules names 0403:6001", func(b *bench) {
		b.file("usr/lib/udev/rules.d/90-brltty-device.rules",
			"# Device: 0403:6001\nENV{PRODUCT}==\"403/6001/*\", ENV{BRLTTY_BRAILLE_DRIVER}=\"at,hm\", "+
				"GOTO=\"brltty_usb_run\"\n")
	}},
	{"port-seized", "process 77", func(b *bench) { b.file("proc/77/comm", "brltty\n") }},
	{"port-seized", "starts with the computer", func(b *bench) {
		b.link("etc/systemd/system/sysinit.target.wants/brltty.service", "/lib/systemd/system/brltty.service")
	}},
	{"pit-drops", "7 times in ", func(b *bench) {
		b.snapshot.Facts.Pit = &health.Pit{Up: true}
		b.snapshot.Reconnects = 7
	}},
	{"broker-certificate-ends", "broker.example, on ", func(b *bench) {
		address, file := b.certificate(b.now.AddDate(0, 0, 12))
		b.broker = `broker: "ssl://` + address + `", ca_file: ` + file
	}},
	{"broker-certificate-ends", "broker.example, on ", func(b *bench) {
		_, file := b.certificate(b.now.AddDate(0, 0, -1))
		address, _ := b.certificate(b.now.AddDate(1, 0, 0))
		b.broker = `broker: "ssl://` + address + `", ca_file: ` + file
	}},
	{"disk-slow", "3 of 100 writes took more than 100 ms", func(b *bench) { b.slow = 3 }},
	{"clock-jumps", "by 1h0m0s", func(b *bench) {
		b.entries = []journal.Entry{
			entry(b.now.Add(-2 * time.Hour)), entry(b.now.Add(-3 * time.Hour)),
			entry(b.now.Add(-time.Hour)),
		}
	}},
	{"clock-jumps", "still to come", func(b *bench) { b.entries = append(b.entries, entry(b.now.Add(time.Hour))) }},
	{"clock-contested", "chronyd (process 400), systemd-timesyn (process 401)", func(b *bench) {
		b.file("proc/400/comm", "chronyd\n")
		b.file("proc/401/comm", "systemd-timesyn\n")
	}},
	{"screen-blanks", "swayidle (process 33)", func(b *bench) { b.file("proc/33/comm", "swayidle\n") }},
	{"screen-blanks", "IdleAction=suspend in /etc/systemd/logind.conf.d/50-idle.conf", func(b *bench) {
		b.file("etc/systemd/logind.conf", "[Login]\n#IdleAction=ignore\nIdleAction=ignore\n")
		b.file("etc/systemd/logind.conf.d/50-idle.conf", "[Login]\nIdleAction=suspend\n")
	}},
	{"screen-blanks", "card1-HDMI-A-1 is off now", func(b *bench) {
		b.file("sys/class/drm/card1-HDMI-A-1/status", "connected\n")
		b.file("sys/class/drm/card1-HDMI-A-1/dpms", "Off\n")
	}},
	// What the daemon's rules find, without the daemon.
	{"disk-low", "MB are free", func(b *bench) { b.freeMin = "900000 GB" }},
	{"card-worn", "110 percent", func(b *bench) { b.file("sys/block/mmcblk0/device/life_time", "0x02 0x0b\n") }},
	{"hot", "84 °C", func(b *bench) { b.file("sys/class/thermal/thermal_zone0/temp", "84200\n") }},
	{"undervoltage", "not now, but since it started", func(b *bench) {
		b.file("sys/devices/platform/soc/soc:firmware/get_throttled", "10000\n")
	}},
	{"throttled", "", func(b *bench) { b.file("sys/devices/platform/soc/soc:firmware/get_throttled", "4\n") }},
	{"backup-late", "none was made yet", func(b *bench) { b.backup = nil }},
	{"backup-late", "on /media/stick; the try of ", func(b *bench) {
		b.backup = &health.BackupMark{
			Good:   &health.GoodBackup{At: b.now.Add(-49 * time.Hour), To: "/media/stick"},
			Failed: &health.FailedBackup{At: b.now, Why: "no space left"},
		}
	}},
	{"journal-unreadable", "", func(b *bench) { b.put(b.journal, "no journal"); b.entries = nil }},
}

// advisable is what can be planted that nobody has to call wrong.
var advisable = []struct {
	code  health.Code
	what  string
	plant func(*bench)
}{
	{"journal-unsealed", "", func(b *bench) { b.key = "" }},
	{"screen-own-none", "", func(b *bench) { b.guard = guarded("view", "supervisor") }},
	{"backup-none", "none was made yet", func(b *bench) { b.settings, b.backup = false, nil }},
	{"backup-none", "the last is of ", func(b *bench) {
		b.settings, b.backup = false, &health.BackupMark{Good: &health.GoodBackup{At: b.now.Add(-49 * time.Hour)}}
	}},
}

// exampleLine is the line of the example's supervisor.
func exampleLine(t *testing.T) string {
	line := regexp.MustCompile(`(?m)^ +- (\{name: ` + config.Nobody + `, pin: .*\})$`).FindSubmatch(deploy.Example)
	if line == nil {
		t.Fatalf("the example has no supervisor %s", config.Nobody)
	}
	return string(line[1])
}

// guarded are the settings of a page that screens of these roles enter, each with what follows its role.
func guarded(roles ...string) string {
	var screens []string
	for i, role := range roles {
		screens = append(screens, fmt.Sprintf("{name: s%d, key: %q, role: %s}", i, web.NewKey().Hash(), role))
	}
	return ", cert_file: /a, key_file: /b, screens: [" + strings.Join(screens, ", ") + "]"
}

// TestOwnScreen: one own screen is enough.
func TestOwnScreen(t *testing.T) {
	b := newBench(t)
	b.guard = guarded("view", "supervisor, own: true")
	if p := b.examine(); len(p.Advice) > 0 || len(found(p)) > 0 {
		t.Errorf("it advises %+v, and finds %+v", p.Advice, found(p))
	}
}

// TestAdvice: what is advisable is advised alone, and nothing is wrong.
func TestAdvice(t *testing.T) {
	covered := map[health.Code]bool{}
	for _, c := range advisable {
		b := newBench(t)
		c.plant(b)
		p := b.examine()
		covered[c.code] = true
		if len(found(p)) > 0 || len(p.Advice) != 1 || p.Advice[0].Code != c.code ||
			!strings.Contains(p.Advice[0].What, c.what) || slices.Contains(p.Right, health.AreaOf(c.code)) {
			t.Errorf("%s, %q: it advises %+v, and finds %+v", c.code, c.what, p.Advice, found(p))
		}
		var text strings.Builder
		if err := p.Write(&text); err != nil || !strings.Contains(text.String(), "\nADVICE "+string(c.code)+": ") ||
			!strings.Contains(text.String(), ", 1 advised") {
			t.Errorf("%s is not on the page, %v:\n%s", c.code, err, text.String())
		}
	}
	for _, row := range health.Rows {
		if row.Severity == health.Advises && !covered[row.Code] {
			t.Errorf("nothing here causes %s", row.Code)
		}
	}
}

// TestSomebodyElsesBackup: a table that something else copies each day is told nothing.
func TestSomebodyElsesBackup(t *testing.T) {
	b := newBench(t)
	b.settings = false
	if p := b.examine(); p.Holds("backup-none") || p.Holds("backup-late") {
		t.Errorf("it finds %+v, and advises %+v", found(p), p.Advice)
	}
}

// elsewhere are found on the real computer on which the test runs, whatever is planted: its disk may be slow where
// other tests write, and no daemon says how slow it is.
var elsewhere = []health.Code{"clock-unsynchronized", "disk-full-soon", "disk-slow"}

// found is what was found but for what the real computer has.
func found(p Page) (list []Wrong) { return foundBeside(p, "") }

// foundBeside is the same where something was planted.
func foundBeside(p Page, planted health.Code) (list []Wrong) {
	return slices.DeleteFunc(slices.Clone(p.Wrong), func(w Wrong) bool {
		return w.Code != planted && slices.Contains(elsewhere, w.Code)
	})
}

// TestTroubles: each trouble that is planted is found alone, with what is wrong and what to do.
func TestTroubles(t *testing.T) {
	covered := map[health.Code]bool{}
	for _, c := range troubles {
		b := newBench(t)
		c.plant(b)
		p := b.examine()
		covered[c.code] = true
		wrong := foundBeside(p, c.code)
		if len(wrong) != 1 || wrong[0].Code != c.code || !strings.Contains(wrong[0].What, c.what) ||
			wrong[0].Do == "" || p.Well() {
			t.Errorf("%s, %q: it finds %+v, and does not see %+v", c.code, c.what, wrong, p.Unseen)
		}
		if slices.Contains(p.Right, health.AreaOf(c.code)) {
			t.Errorf("%s: %s is right", c.code, health.AreaOf(c.code))
		}
		var text strings.Builder
		if err := p.Write(&text); err != nil || !strings.Contains(text.String(), string(c.code)+": ") {
			t.Errorf("%s is not on the page, %v:\n%s", c.code, err, text.String())
		}
	}
	for _, row := range health.Rows {
		if !row.Seen() && !covered[row.Code] && row.Severity != health.Advises {
			t.Errorf("nothing here causes %s", row.Code)
		}
	}
}

// leftAlone is what the package's rule has udev keep of a converter's port.
func leftAlone(t *testing.T, driver string) string {
	t.Helper()
	rules, err := os.ReadFile("../../../deploy/60-sabot-devices.rules")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(rules)) {
		_, env, sets := strings.Cut(line, "ENV{ID_MM_")
		if sets && strings.Contains(line, driver) && strings.Contains(line, `SUBSYSTEM=="tty"`) {
			return "ID_MM_" + strings.ReplaceAll(strings.Replace(strings.TrimSpace(env), "}", "", 1), `"`, "")
		}
	}
	t.Fatalf("no rule leaves the port of %s alone:\n%s", driver, rules)
	return ""
}

// TestWell: at a table with which nothing is wrong nothing is found, and everything is seen.
func TestWell(t *testing.T) {
	b := newBench(t)
	b.file("lib/systemd/system/sabotd.service", "[Unit]\n")
	b.link("etc/systemd/system/multi-user.target.wants/sabotd.service", "/lib/systemd/system/sabotd.service")
	// What looks like a trouble, and is none.
	b.file("proc/812/comm", "ModemManager\n")
	b.file("sys/class/tty/ttyUSB0/dev", "188:0\n")
	b.file("run/udev/data/c188:0", "E:"+leftAlone(t, "ftdi_sio")+"\n")
	b.file("usr/lib/udev/rules.d/90-brltty-device.rules",
		"# ENV{PRODUCT}==\"403/6001/*\"\nENV{PRODUCT}==\"10c4/ea60/*\", GOTO=\"brltty\"\n"+
			"ENV{PRODUCT}==\"403/6001/*\", ATTRS{manufacturer}==\"Hedo Reha Technik GmbH\", GOTO=\"brltty\"\n")
	b.file("etc/systemd/logind.conf", "#IdleAction=poweroff\nIdleAction=suspend\n")
	b.file("usr/lib/systemd/logind.conf.d/10-kiosk.conf", "[Login]\nIdleAction=ignore\n")
	b.file("proc/401/comm", "systemd-timesyn\n")
	b.file("sys/class/drm/card1-HDMI-A-2/status", "disconnected\n")
	b.file("sys/class/drm/card1-HDMI-A-2/dpms", "Off\n")
	p := b.examine()
	if len(found(p)) > 0 || len(p.Advice) > 0 || len(p.Unseen) > 0 || p.Table != "bj-1" {
		t.Errorf("it finds %+v, and does not see %+v", p.Wrong, p.Unseen)
	}
	for _, a := range health.Areas {
		if !slices.Contains(p.Right, a) && a != health.AreaClock && a != health.AreaDisk {
			t.Errorf("%s is not right", a)
		}
	}
}

// TestDaemonsReasons: what the daemon says of itself is told, once, and first what stops the table.
func TestDaemonsReasons(t *testing.T) {
	b := newBench(t)
	for _, code := range []health.Code{"hot", "pit-denied", "storage-slow"} {
		b.report.Reasons = append(b.report.Reasons, health.Of(code).Reason("as the daemon has it"))
	}
	b.file("sys/class/thermal/thermal_zone0/temp", "84200\n")
	wrong := found(b.examine())
	if len(wrong) != 3 || wrong[0].Code != "storage-slow" || wrong[1].Code != "pit-denied" ||
		wrong[2].What != "as the daemon has it" {
		t.Errorf("it finds %+v", wrong)
	}
}

// TestHostilePage: whatever is at the page's address, nothing of it is believed but a report.
func TestHostilePage(t *testing.T) {
	well := httptest.NewServer(newBench(t).page())
	defer well.Close()
	for name, answer := range map[string]http.HandlerFunc{
		"nothing": func(http.ResponseWriter, *http.Request) {},
		"no json": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") },
		"endless": func(w http.ResponseWriter, _ *http.Request) { w.Write(make([]byte, mostAnswer+5)) },
		"elsewhere": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, well.URL+r.URL.Path, http.StatusFound)
		},
		"who is it?": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) },
		"no metrics": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/health" {
				fmt.Fprint(w, `{"live":true,"ready":true,"reasons":[]}`)
				return
			}
			fmt.Fprint(w, "sabot_info{version=\"v1\"\n")
		},
	} {
		b := newBench(t)
		server := httptest.NewServer(answer)
		b.examine()
		p := Examine(t.Context(), Ask{
			Config: b.config, URL: server.URL, Machine: b.machine, Houses: profile.Built(),
			Version: "v1", Now: b.now, Outside: new(OverHTTP).Get,
		})
		server.Close()
		told := slices.ContainsFunc(p.Unseen, func(u Unseen) bool {
			return u.Area == health.AreaDaemon
		}) || p.Holds("daemon-silent")
		if !told || slices.Contains(p.Right, health.AreaDaemon) {
			t.Errorf("%s: the daemon is taken for right: %+v, %+v", name, p.Wrong, p.Unseen)
		}
	}
}

// TestImpostor: a screen's key is sent to nobody but who has the certificate that the configuration names.
func TestImpostor(t *testing.T) {
	b := newBench(t)
	b.examine()
	got := make(chan string, 10)
	server := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got <- r.Header.Get("Authorization")
	}))
	defer server.Close()
	_, cert := b.certificate(b.now.AddDate(1, 0, 0))
	text, err := os.ReadFile(b.config)
	if err != nil {
		t.Fatal(err)
	}
	b.put(b.config, strings.Replace(string(text), "web: {listen:", "web: {cert_file: "+cert+", listen:", 1))
	p := Examine(t.Context(), Ask{
		Config: b.config, URL: server.URL, Machine: b.machine, Houses: profile.Built(), Version: "v1", Now: b.now,
		Outside: (&OverHTTP{Key: "secret"}).Get,
	})
	if len(got) > 0 || !p.Holds("daemon-silent") {
		t.Errorf("the impostor has heard %d requests: %+v", len(got), p.Wrong)
	}
}
