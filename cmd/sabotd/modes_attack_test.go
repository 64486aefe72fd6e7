package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/site"
	attacks "github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
)

// nobody is the user and the group without rights.
const nobody = 65534

// files is a table's folder with every kind of file that a configuration names.
type files struct {
	t      *testing.T
	dir    string
	config string
	sabot  string
	own    string // the house's rules
}

func newFiles(t *testing.T, dir string) *files {
	t.Helper()
	f := &files{t: t, dir: dir}
	var err error
	f.sabot = processes.Binary(t, "sabot")
	f.config, f.own = f.at("etc/sabot.yaml"), f.at("etc/own.yaml")
	for _, folder := range []string{"etc", "lib", "keys"} {
		if err := os.Mkdir(f.at(folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cert, key, err := site.SelfSigned([]string{"127.0.0.1"}, time.Now().Add(-time.Hour),
		time.Now().AddDate(0, 1, 0))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := journal.NewKeyFile(f.at("keys/journal.key")); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"etc/own.yaml": "extends: wiesbaden\nhouse: own\n", "keys/shoe.key": strings.Repeat("0a", 16) + "\n",
		"keys/password": "guess me\n",
		"etc/page.crt":  string(cert), "keys/page.key": string(key), "etc/ca.crt": string(cert),
	} {
		write(t, f.at(name), text)
	}
	write(t, f.config, f.text())
	return f
}

func (f *files) at(name string) string { return filepath.Join(f.dir, name) }

// text is a configuration that names them all.
func (f *files) text() string {
	return fmt.Sprintf(`site: test
table: bj-1
house_file: %s
shoe: {driver: sabot, port: "tcp://127.0.0.1:1", key_file: %s}
journal: {path: %s, key_file: %s}
mqtt: {broker: "ssl://127.0.0.1:1", username: bj-1, password_file: %s, ca_file: %s}
web: {listen: "%s", cert_file: %s, key_file: %s, screens: [{name: touch, role: dealer, key: "%s"}]}
supervisors: {proof: none}
log: {format: json}
`, f.own, f.at("keys/shoe.key"), f.at("lib/journal"), f.at("keys/journal.key"), f.at("keys/password"), f.at("etc/ca.crt"),
		system.Address(f.t), f.at("etc/page.crt"), f.at("keys/page.key"), web.NewKey().Hash())
}

// wrong is what is wrong with a file or a folder.
type wrong struct {
	file, how string
	do, undo  func(path string) error
	// says is a part of what is said about it.
	says string
}

// mode is a file with a mode that it must not have.
func mode(file string, bad os.FileMode, says string) wrong {
	good := os.FileMode(0o600)
	if strings.HasSuffix(file, "/") {
		good = 0o755
	}
	return wrong{
		file, fmt.Sprintf("%#o", bad), func(path string) error { return os.Chmod(path, bad) },
		func(path string) error { return os.Chmod(path, good) }, says,
	}
}

// instead is a file in whose place is something else.
func instead(file, how string, make func(path string) error, says string) wrong {
	return wrong{
		file, how, func(path string) error {
			if err := os.Rename(path, path+".good"); err != nil {
				return err
			}
			return make(path)
		},
		func(path string) error { return os.Rename(path+".good", path) }, says,
	}
}

// wrongs are what is tried.
func wrongs() (all []wrong) {
	secret := []string{"etc/sabot.yaml", "keys/shoe.key", "keys/journal.key", "keys/password", "keys/page.key"}
	for _, file := range append(secret, "etc/own.yaml", "etc/page.crt", "etc/ca.crt") {
		all = append(all, mode(file, 0o602, "other users can change"), mode(file, 0o666, "change"),
			instead(file, "a pipe", func(path string) error { return syscall.Mkfifo(path, 0o600) },
				"not a regular file"))
		if os.Geteuid() == 0 {
			all = append(all, wrong{
				file, "another's", func(path string) error { return os.Chown(path, nobody, -1) },
				func(path string) error { return os.Chown(path, 0, -1) }, "belongs to the user",
			})
		}
	}
	for _, file := range secret {
		all = append(all, mode(file, 0o604, "other users can read"), mode(file, 0o660, "change"),
			instead(file, "a link to an open file", func(path string) error {
				text, err := os.ReadFile(path + ".good")
				if err == nil {
					err = os.WriteFile(path+".open", text, 0o600)
				}
				if err == nil {
					err = os.Chmod(path+".open", 0o644)
				}
				if err == nil {
					err = os.Symlink(path+".open", path)
				}
				return err
			}, "other users can read"))
	}
	all = append(all, mode("keys/journal.key", 0o640, "other users can read"))
	for _, folder := range []string{"etc/", "keys/", "lib/"} {
		all = append(all, mode(folder, 0o757, "write to the folder"), mode(folder, 0o777, "write to the folder"))
		if os.Geteuid() == 0 && folder != "lib/" { // whoever has the journal's folder runs the table
			all = append(all, wrong{
				folder, "another's", func(path string) error { return os.Chown(path, nobody, -1) },
				func(path string) error { return os.Chown(path, 0, -1) }, "belongs to the user",
			})
		}
	}
	return all
}

// checksEvery says that check-config, which judges as sabotd does, is asked about each so many wrongs: enough that it
// meets each way in which a file can be wrong.
var checksEvery = tier.Times(5, 1)

// TestAttackModes: check-config, a start and a reload refuse what other users can read, change or replace, in the same
// words.
func TestAttackModes(t *testing.T) {
	tier.Soak(t, "a built program is attacked for seconds")
	tier.Landing(t, "it is wrong in some sixty ways")
	t.Parallel()
	f := newFiles(t, openFolder(t))
	if ended := processes.Run(t, f.sabot, "config", "check", f.config); ended.Status != exitOK {
		t.Fatalf("with all modes right: %+v", ended)
	}
	running := processes.Start(t, sabotd(t), "--config", f.config)
	tries, through := 0, 0
	passed := func(w wrong, how string, got any) {
		through++
		t.Errorf("%s, %s: %s takes it: %v", w.file, w.how, how, got)
	}
	for i, w := range wrongs() {
		path := f.at(w.file)
		if err := w.do(path); err != nil {
			t.Fatalf("%s, %s: %v", w.file, w.how, err)
		}
		tries += 2
		started, ready := tryStart(t, f.config)
		if ready || !strings.Contains(started, w.says) {
			passed(w, "sabotd", started)
		}
		said, taken := reloads(t, running)
		if taken || "sabotd: the configuration cannot be used:\n"+said+"\n" != started &&
			!strings.Contains(w.how, "pipe") {
			passed(w, "a reload", said)
		}
		if i%checksEvery == 0 {
			tries++
			checked := processes.Run(t, f.sabot, "config", "check", f.config)
			if checked.Status == exitOK || strings.TrimPrefix(checked.Err, "sabot: ") != strings.TrimPrefix(started,
				"sabotd: ") {
				passed(w, "check-config", checked)
			}
		}
		if err := w.undo(path); err != nil {
			t.Fatal(err)
		}
	}
	if said, taken := reloads(t, running); !taken {
		t.Errorf("with all modes right again: %s", said)
	}
	running.Stop()
	attacks.Report(t, "files and folders open to other users", tries, through)
}

// openFolder is a folder that other users can enter: what is in one that they cannot is out of their reach.
func openFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "sabot-modes-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// tryStart has sabotd start, in this process, with a configuration that it should refuse: ready says that it did not.
func tryStart(t *testing.T, config string) (said string, ready bool) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out := ending{until: "sabotd ready", stop: stop}
	var log system.Text
	status := run(ctx, []string{"--config", config}, &out, &log)
	return log.String(), out.seen || status == exitOK
}

// reloads has a table read its configuration again, and returns what it says of it.
func reloads(t *testing.T, p *processes.Process) (said string, taken bool) {
	t.Helper()
	before := len(reloadsIn(p.Log()))
	if err := syscall.Kill(p.PID(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	brokertest.Until(t, "the table says what came of the reload", func() bool {
		return len(reloadsIn(p.Log())) > before
	})
	last := reloadsIn(p.Log())[before]
	return last.Err, last.Err == ""
}

type reloadLine struct{ Msg, Err string }

func reloadsIn(log string) (all []reloadLine) {
	for line := range strings.Lines(log) {
		var one reloadLine
		if strings.HasSuffix(line, "\n") && json.Unmarshal([]byte(line), &one) == nil &&
			strings.Contains(one.Msg, "reloaded") {
			all = append(all, one)
		}
	}
	return all
}

// TestAttackOldModes: what an earlier version left open to other users is put right by the start and by a reload, and
// is told once each.
func TestAttackOldModes(t *testing.T) {
	tier.Soak(t, "a built program is attacked for seconds")
	t.Parallel()
	f := newFiles(t, openFolder(t))
	processes.Start(t, sabotd(t), "--config", f.config).Stop()
	kept := []string{"lib/journal.people", "lib/journal.screens", "lib/journal.heard", "lib/journal.lock"}
	for _, name := range kept[:3] {
		if err := os.Remove(f.at(name)); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	write(t, f.at("lib/journal.screens"), "[]\n")
	write(t, f.at("lib/journal.people"), "{}\n")
	if err := os.MkdirAll(f.at("lib/journal/set-aside-x"), 0o755); err != nil {
		t.Fatal(err)
	}
	tries, through := 0, 0
	for _, bad := range []os.FileMode{0o044, 0o066} {
		opened := f.openAll(bad)
		checked := processes.Run(t, f.sabot, "config", "check", f.config)
		if checked.Status != exitOK || !strings.Contains(checked.Out, "sabotd puts right when it starts") {
			t.Errorf("check-config says of them: %+v", checked)
		}
		p := processes.Start(t, sabotd(t), "--config", f.config)
		tries, through = tries+opened, through+f.stillOpen()
		tells(t, p, 1, opened)
		opened = f.openAll(bad)
		if said, taken := reloads(t, p); !taken {
			t.Error(said)
		}
		tries, through = tries+opened, through+f.stillOpen()
		tells(t, p, 2, opened)
		p.Stop()
	}
	attacks.Report(t, "journals that were left open", tries, through)
}

// openAll opens the journal, and what is beside it, to other users.
func (f *files) openAll(more os.FileMode) (opened int) {
	f.t.Helper()
	f.walk(func(path string, info os.FileInfo) {
		now := info.Mode().Perm() | more
		if info.IsDir() {
			now |= 0o011
		}
		if err := os.Chmod(path, now); err != nil {
			f.t.Fatal(err)
		}
		opened++
	})
	return opened
}

func (f *files) stillOpen() (open int) {
	f.t.Helper()
	f.walk(func(path string, info os.FileInfo) {
		if info.Mode().Perm()&0o027 != 0 {
			f.t.Errorf("%s is still open: %v", path, info.Mode())
			open++
		}
	})
	return open
}

// walk visits the journal and what is beside it, but for what the running table replaces by itself after it has looked
// at the parts.
func (f *files) walk(each func(path string, info os.FileInfo)) {
	f.t.Helper()
	err := filepath.Walk(f.at("lib"), func(path string, info os.FileInfo, err error) error {
		looked := strings.HasPrefix(filepath.Base(path), "journal"+journal.PartsEnd)
		if err == nil && path != f.at("lib") && !looked {
			each(path, info)
		}
		return err
	})
	if err != nil {
		f.t.Fatal(err)
	}
}

// tells wants the warning so often, the last time about so many files.
func tells(t *testing.T, p *processes.Process, often, files int) {
	t.Helper()
	const warning = "other users could read or change files"
	var all []string
	brokertest.Until(t, "the log tells it in a whole line", func() bool {
		all = strings.Split(p.Log(), warning)[1:]
		return len(all) >= often && strings.Contains(all[often-1], "\n")
	})
	if len(all) != often {
		t.Errorf("the log tells it %d times, not %d:\n%s", len(all), often, p.Log())
	}
	if line, _, _ := strings.Cut(all[often-1], "\n"); !strings.Contains(line, `"files":`+strconv.Itoa(files)+",") {
		t.Errorf("the log does not speak of %d files: %s", files, line)
	}
}

// TestAttackLinks: a link that was put where the table writes a file does not lead it to another file, nor keep it from
// starting.
func TestAttackLinks(t *testing.T) {
	tier.Soak(t, "a built program is attacked for seconds")
	t.Parallel()
	n := newNetwork(t)
	n.certify(time.Now().Add(time.Hour * 24 * 300))
	victim := filepath.Join(n.dir, "victim")
	tries, through := 0, 0
	const dear = "[]\n"
	for _, end := range []string{".screens", ".screens.new", ".people", ".people.new", ".heard.new"} {
		write(t, victim, dear)
		if end == ".people" {
			write(t, victim, "{}\n")
		}
		want, err := os.ReadFile(victim)
		if err != nil {
			t.Fatal(err)
		}
		_ = os.Remove(n.path + end)
		if err := os.Symlink(victim, n.path+end); err != nil {
			t.Fatal(err)
		}
		p := n.start()
		n.ask(n.enter(n.keys["dealer"], http.StatusOK), "/dealer", fmt.Sprintf(`{"name":"dora %d"}`, tries),
			http.StatusOK)
		n.stop(p)
		got, err := os.ReadFile(victim)
		if err != nil {
			t.Fatal(err)
		}
		if tries++; string(got) != string(want) {
			through++
			t.Errorf("through %s the table wrote %q", end, got)
		}
		if err := os.Remove(n.path + end); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	write(t, victim, dear)
	if err := os.Remove(n.path + ".lock"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(victim, n.path+".lock"); err != nil {
		t.Fatal(err)
	}
	said, ready := tryStart(t, n.config)
	got, err := os.ReadFile(victim)
	if err != nil {
		t.Fatal(err)
	}
	if tries++; string(got) != dear {
		through++
		t.Errorf("with a link as lock: %q, %s", got, said)
	}
	if !ready || !strings.Contains(said, "journal.lock was not a regular file: it was put aside") {
		t.Errorf("with a link as lock the table does not start (%t), or does not tell of it:\n%s", ready, said)
	}
	attacks.Report(t, "links where the table writes", tries, through)
}

// TestAttackPasswordInClear: the broker's password does not cross a network without TLS, unless the configuration says
// so.
func TestAttackPasswordInClear(t *testing.T) {
	t.Parallel()
	f := newFiles(t, t.TempDir())
	encrypted := fmt.Sprintf("ssl://127.0.0.1:1\", username: bj-1, password_file: %s, ca_file: %s",
		f.at("keys/password"), f.at("etc/ca.crt"))
	tries, through := 0, 0
	for i, broker := range []string{
		"192.0.2.1:1883", "broker.invalid:1883", "[2001:db8::1]:1883", "0.0.0.0:1883",
		"localhost.invalid:1883",
	} {
		clear := fmt.Sprintf("tcp://%s\", username: bj-1, password_file: %s", broker, f.at("keys/password"))
		text := strings.Replace(f.text(), encrypted, clear, 1)
		write(t, f.config, text)
		said, ready := tryStart(t, f.config)
		if i%checksEvery == 0 {
			tries++
			if checked := processes.Run(t, f.sabot, "config", "check", f.config); strings.TrimPrefix(checked.Err,
				"sabot: ") != strings.TrimPrefix(said, "sabotd: ") {
				through++
				t.Errorf("%s: check-config says %+v", broker, checked)
			}
		}
		if tries++; !strings.Contains(said, f.config+
			":6:16: mqtt.broker: the broker's password would cross the network") {
			through++
			t.Errorf("%s: %s", broker, said)
		}
		if ready {
			through++
			t.Errorf("%s: the table started", broker)
		}
		write(t, f.config, strings.Replace(text, clear, clear+", password_in_clear: true", 1))
		if _, err := config.Load(f.config, profile.Built()); err != nil {
			t.Errorf("%s is refused although the configuration says so: %v", broker, err)
		}
	}
	attacks.Report(t, "the broker's password in clear text", tries, through)
}

// TestAttackPasswordElsewhere: whoever changes the broker, the user or the authority in the file does not have the
// broker's password sent there, unless its file says so.
func TestAttackPasswordElsewhere(t *testing.T) {
	t.Parallel()
	f := newFiles(t, t.TempDir())
	if said, ready := tryStart(t, f.config); !ready {
		t.Fatal(said)
	}
	same, err := os.ReadFile(f.at("etc/ca.crt"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, f.at("etc/other.crt"), string(same))
	tries, through := 0, 0
	for old, other := range map[string]string{
		"ssl://127.0.0.1:1": "ssl://127.0.0.2:1",
		"username: bj-1":    "username: bj-2", "etc/ca.crt": "etc/other.crt",
	} {
		text := strings.Replace(f.text(), old, other, 1)
		write(t, f.config, text)
		said, ready := tryStart(t, f.config)
		checked := processes.Run(t, f.sabot, "config", "check", f.config)
		if tries++; ready || !strings.Contains(said, "was kept for ssl://127.0.0.1:1 as bj-1") ||
			strings.TrimPrefix(checked.Err, "sabot: ") != strings.TrimPrefix(said, "sabotd: ") {
			through++
			t.Errorf("%s: it starts: %v, and says %s; check-config says %+v", other, ready, said, checked)
		}
	}
	attacks.Report(t, "the broker's password at a changed broker", tries, through)
	later := time.Now().Add(time.Minute)
	if err := os.Chtimes(f.at("keys/password"), later, later); err != nil {
		t.Fatal(err)
	}
	if said, ready := tryStart(t, f.config); !ready {
		t.Errorf("its file was touched, and it is refused: %s", said)
	}
}

// TestAsInstalled: a table runs as docs/operations.md installs it, with the configuration of root and readable by the
// daemon's group, and root's check-config says so.
func TestAsInstalled(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Fatal("this test starts a program as another user, which only root can: run it as root")
	}
	f := newFiles(t, openFolder(t))
	binary := f.at("sabotd")
	system.Install(t, sabotd(t), binary)
	var err error
	for _, name := range []string{"lib", "keys/shoe.key", "keys/journal.key", "keys/password", "keys/page.key"} {
		if err == nil {
			err = os.Chown(f.at(name), nobody, nobody)
		}
	}
	for _, name := range []string{"etc/own.yaml", "etc/page.crt", "etc/ca.crt"} {
		if err == nil {
			err = os.Chmod(f.at(name), 0o644)
		}
	}
	if err == nil {
		err = os.Chown(f.config, 0, nobody)
	}
	if err == nil {
		err = os.Chmod(f.config, 0o640)
	}
	if err != nil {
		t.Fatal(err)
	}
	if ended := processes.Run(t, f.sabot, "config", "check", f.config); ended.Status != exitOK {
		t.Errorf("check-config says %+v", ended)
	}
	p := processes.StartAs(t, nobody, binary, "--config", f.config)
	if said, taken := reloads(t, p); !taken {
		t.Error(said)
	}
	p.Stop()
}
