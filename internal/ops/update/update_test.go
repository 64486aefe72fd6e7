package update

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aead.dev/minisign"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// machine is a folder in which a real dpkg has its database, and a table that works as well as what is installed.
type machine struct {
	t       *testing.T
	dir     string
	private minisign.PrivateKey

	boot  uint64
	works bool
	hangs bool
	// rounds is how many looks a round stays open.
	rounds int
	// unread is why whether a round is open cannot be read.
	unread error
	// opens is how many looks a round stays open that begins while a slot is written.
	opens int
	// until is after how many more events the power is cut; negative for never.
	until int
	// slots says that the update is of a slot, of which dpkg knows nothing.
	slots bool
	// seen is what was installed when the round's end was asked for, steps how far the update said that it was.
	seen  []string
	steps []Step
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	if first.machine == nil {
		m := makeMachine(t, "machine")
		m.dpkg(m.build("1.0", "all", "good"))
		first.machine = m
	}
	return first.machine.copy(t)
}

// copy is another machine that is like this one.
func (m *machine) copy(t *testing.T) *machine {
	t.Helper()
	other := *m
	other.t, other.dir = t, tabletest.FastDir(t)
	if err := os.CopyFS(other.dir, os.DirFS(m.dir)); err != nil {
		t.Fatal(err)
	}
	return &other
}

// makeMachine makes the machine of which others are copies. Nothing is installed on it.
func makeMachine(t *testing.T, name string) *machine {
	t.Helper()
	public, private, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{t: t, dir: filepath.Join(first.folder, name), private: private, until: -1, works: true, boot: 7}
	for _, folder := range []string{
		"root/var/lib/dpkg/info", "root/var/lib/dpkg/updates", "root/var/lib/dpkg/triggers",
		"own", "requests", "packages",
	} {
		if err := os.MkdirAll(m.at(folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	m.write("root/var/lib/dpkg/status", "")
	m.write("root/var/lib/dpkg/available", "")
	m.write("keys", "untrusted comment: the key of a test\n"+public.String()+"\n")
	return m
}

func (m *machine) at(name string) string { return filepath.Join(m.dir, name) }

func (m *machine) write(name, text string) {
	m.t.Helper()
	if err := os.WriteFile(m.at(name), []byte(text), 0o600); err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) dpkg(file string) {
	m.t.Helper()
	if out, err := exec.CommandContext(m.t.Context(), "dpkg", "--root="+m.at("root"), "--force-unsafe-io", "--install",
		file).CombinedOutput(); err != nil {
		m.t.Fatalf("%v\n%s", err, out)
	}
}

// build makes a signed package with a daemon that works as it is told.
func (m *machine) build(version, arch, daemon string) string {
	return m.buildOf("sabot", version, arch, daemon)
}

func (m *machine) buildOf(name, version, arch, daemon string) string {
	m.t.Helper()
	tree := m.t.TempDir()
	for path, text := range map[string]string{
		"DEBIAN/control": fmt.Sprintf("Package: %s\nVersion: %s\nArchitecture: %s\nMaintainer: a test "+
			"<test@example.org>\nDescription: a test\n", name, version, arch),
		"usr/bin/sabotd": daemon,
	} {
		if err := os.MkdirAll(filepath.Join(tree, filepath.Dir(path)), 0o755); err != nil {
			m.t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(tree, path), []byte(text), 0o755); err != nil {
			m.t.Fatal(err)
		}
	}
	file := m.at("packages/" + name + "_" + version + "_" + arch + ".deb")
	m.pack(tree, file)
	return file
}

// pack makes a signed package of a folder; packing it tightly would take time.
func (m *machine) pack(tree, file string) {
	m.t.Helper()
	if err := os.Chmod(tree, 0o755); err != nil {
		m.t.Fatal(err)
	}
	build := exec.CommandContext(m.t.Context(), "dpkg-deb", "-Znone", "--root-owner-group", "--build", tree, file)
	if out, err := build.CombinedOutput(); err != nil {
		m.t.Fatalf("%v\n%s", err, out)
	}
	m.sign(file, m.private)
}

func (m *machine) sign(file string, by minisign.PrivateKey) {
	m.t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		m.t.Fatal(err)
	}
	r := minisign.NewReader(bytes.NewReader(text))
	if _, err := io.Copy(io.Discard, r); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(file+SignatureEnd, r.Sign(by), 0o600); err != nil {
		m.t.Fatal(err)
	}
}

// errCut is a power cut.
var errCut = errors.New("the power was cut")

// event is a moment at which the power may be cut.
func (m *machine) event() {
	if m.until == 0 {
		panic(errCut)
	}
	m.until--
}

func (m *machine) Open() (bool, error) {
	m.event()
	m.rounds--
	if !m.slots {
		m.seen = append(m.seen, m.installed())
	}
	st, err := Look(m.at("own"))
	if err != nil {
		m.t.Fatal(err)
	}
	m.steps = append(m.steps, st.Step)
	return m.rounds >= 0, m.unread
}

func (m *machine) Boot() (uint64, error) { m.event(); return m.boot, nil }

func (m *machine) Ready(_ context.Context, after uint64) error {
	m.event()
	if !m.works || m.boot <= after {
		return errors.New("it does not answer")
	}
	return nil
}

func (m *machine) Restart(ctx context.Context) error {
	m.event()
	if m.starts(); m.hangs {
		<-ctx.Done() // as systemctl does, until systemd's own patience ends
		return ctx.Err()
	}
	m.event()
	return nil
}

// starts is what systemd does, at a restart and after a power cut.
func (m *machine) starts() {
	text, err := os.ReadFile(m.at("root/usr/bin/sabotd"))
	m.works, m.hangs = err == nil && string(text) == "good", string(text) == "never ready"
	if m.works || string(text) == "bad, but opens" {
		m.boot++
	}
}

func (m *machine) installed() string {
	version, whole, err := m.system().installed(m.t.Context())
	if err != nil || !whole {
		m.t.Fatalf("dpkg says %s, whole %v, %v", version, whole, err)
	}
	return version
}

// logged is a moment, too: each step is logged before it is done.
type logged struct {
	slog.Handler
	m *machine
}

func (l logged) Enabled(context.Context, slog.Level) bool { return true }

func (l logged) Handle(ctx context.Context, r slog.Record) error {
	l.m.event()
	if r.Message == slotWritten && l.m.opens > 0 {
		l.m.rounds, l.m.opens = l.m.opens, 0
	}
	return l.Handler.Handle(ctx, r)
}

func (m *machine) system() *System {
	return &System{
		Folder: m.at("own"), Requests: m.at("requests"), KeyFile: m.at("keys"), Root: m.at("root"), Table: m,
		Patience: 10 * time.Millisecond, Pause: time.Millisecond, Now: func() time.Time {
			return time.Unix(1_790_000_000, 0)
		},
		Log: slog.New(logged{slog.DiscardHandler, m}),
	}
}

func (m *machine) desk() Desk { return Desk{Folder: m.at("own"), Requests: m.at("requests")} }

// ask asks for a package, with the one of version 1.0 to go back to.
func (m *machine) ask(file string) {
	m.t.Helper()
	if _, err := m.desk().putRequest(file, m.at("packages/sabot_1.0_all.deb"), "anna"); err != nil {
		m.t.Fatal(err)
	}
}

// run runs to the end, or until the power is cut.
func (m *machine) run() (cut bool, err error) {
	defer func() {
		if r := recover(); r != nil {
			if r != errCut {
				panic(r)
			}
			cut = true
		}
	}()
	return false, m.system().Run(m.t.Context())
}

// ends wants the machine as it should be after an update.
func (m *machine) ends(version, note string) {
	m.t.Helper()
	if got := m.installed(); got != version || !m.works {
		m.t.Errorf("version %s is installed, not %s, and the table works: %v", got, version, m.works)
	}
	st, err := Look(m.at("own"))
	if err != nil || st.Step != Done {
		m.t.Errorf("the state is %+v, %v", st, err)
	}
	notes, err := Notes(m.at("own"))
	if err != nil || len(notes) != 1 || notes[0].What != note || notes[0].Who != "anna" {
		m.t.Errorf("the notes are %+v, %v", notes, err)
	}
	if _, err := os.Stat(m.at("own/" + HelperFile)); err == nil {
		m.t.Error("the helper is left over")
	}
	if left, err := os.ReadDir(m.at("requests")); err != nil || len(left) > 0 {
		m.t.Errorf("of the request is left %v, %v", left, err)
	}
}

// TestUpdate installs a newer version once no round is open, and keeps the one before.
func TestUpdate(t *testing.T) {
	m := newMachine(t)
	m.rounds = 3
	m.ask(m.build("1.1", "all", "good"))
	if _, err := m.run(); err != nil {
		t.Fatal(err)
	}
	m.ends("1.1", "update-installed")
	if strings.Join(m.seen, " ") != "1.0 1.0 1.0 1.0" {
		t.Errorf("while the round was open, %v were installed", m.seen)
	}
	if p, err := m.system().describe(t.Context(), m.at("own/"+previousFile)); err != nil || p.Version != "1.0" {
		t.Errorf("the package from before is %+v, %v", p, err)
	}
	if _, err := m.desk().putRequest(m.build("1.2~rc1", "all", "good"), "", "anna"); err != nil {
		t.Fatal(err)
	}
	if _, err := m.run(); err != nil { // the package to go back to is kept by now
		t.Error(err)
	}
}

// TestGoesBack: a version with which the table is not ready, in whatever way, is taken back.
func TestGoesBack(t *testing.T) {
	for _, daemon := range []string{"bad", "bad, but opens", "never ready"} {
		m := newMachine(t)
		m.ask(m.build("1.1", "all", daemon))
		_, err := m.run()
		if err == nil || !strings.Contains(err.Error(), "version 1.1 ") ||
			!strings.Contains(err.Error(), "the table was not ready within 10ms") ||
			!strings.Contains(err.Error(), "version 1.0 is installed again") {
			t.Errorf("it says %v", err)
		}
		m.ends("1.0", "update-went-back")
	}
}

// TestRefused: nothing is installed that is not signed, not newer, or not for this machine.
func TestRefused(t *testing.T) {
	_, stranger, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct {
		file func(m *machine) string
		says string
	}{
		"unsigned": {func(m *machine) string {
			f := m.build("1.1", "all", "good")
			m.write("packages/"+filepath.Base(f)+SignatureEnd, "")
			return f
		}, "not signed by any key"},
		"by a stranger": {func(m *machine) string {
			f := m.build("1.1", "all", "good")
			m.sign(f, stranger)
			return f
		}, "not signed by any key"},
		"changed": {func(m *machine) string {
			f := m.build("1.1", "all", "good")
			text, _ := os.ReadFile(f)
			text[len(text)/2] ^= 1
			m.write("packages/"+filepath.Base(f), string(text))
			return f
		}, "not signed by any key"},
		"older":    {func(m *machine) string { return m.build("0.9", "all", "good") }, "not newer than 1.0"},
		"the same": {func(m *machine) string { return m.build("1.0", "all", "good") }, "not newer than 1.0"},
		"older by a tilde": {
			func(m *machine) string { return m.build("1.0~rc9", "all", "good") },
			"not newer than 1.0",
		},
		"another machine": {
			func(m *machine) string { return m.build("1.1", "s390x", "good") },
			"the package is for s390x",
		},
		"another package": {
			func(m *machine) string { return m.buildOf("other", "1.1", "all", "good") },
			"is not the package sabot, but \"other\": only the table is updated between two rounds; install any " +
				"other package with apt",
		},
		"no package": {
			func(m *machine) string {
				m.write("packages/x.deb", "no package")
				m.sign(m.at("packages/x.deb"), m.private)
				return m.at("packages/x.deb")
			},
			"/next.deb is signed, but is no package of Debian: give a file sabot_VERSION_PROCESSOR.deb, or tell the " +
				"maker of the release",
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			m.ask(row.file(m))
			if _, err := m.run(); err == nil || !strings.Contains(err.Error(), row.says) {
				t.Errorf("it says %v, not %q", err, row.says)
			} else if strings.ContainsAny(err.Error(), "\n$") {
				t.Errorf("it is not one sentence: %v", err)
			}
			m.ends("1.0", "update-refused")
			if m.boot != 7 {
				t.Error("the table was restarted")
			}
			if _, err := m.run(); err != nil {
				t.Errorf("the request is done again: %v", err)
			}
		})
	}
}

// TestNothingToGoBackTo: without the package that is installed nothing is begun.
func TestNothingToGoBackTo(t *testing.T) {
	m := newMachine(t)
	if _, err := m.desk().putRequest(m.build("1.1", "all", "good"), "", "anna"); err != nil {
		t.Fatal(err)
	}
	if _, err := m.run(); err == nil || !strings.Contains(err.Error(), "give it with --previous") {
		t.Errorf("it says %v", err)
	}
	m.ends("1.0", "update-refused")
}

// TestLinks: what lies in the folder of requests leads root nowhere.
func TestLinks(t *testing.T) {
	for _, name := range []string{RequestPackage, RequestPackage + SignatureEnd, RequestFile} {
		m := newMachine(t)
		m.ask(m.build("1.1", "all", "good"))
		path := m.at("requests/" + name)
		if err := os.Rename(path, m.at("elsewhere")); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(m.at("elsewhere"), path); err != nil {
			t.Fatal(err)
		}
		if _, err := m.run(); err == nil {
			t.Errorf("root followed the link %s", name)
		}
		if got := m.installed(); got != "1.0" {
			t.Errorf("version %s is installed", got)
		}
	}
}

// cutEvery is how many moments lie between two at which the power is cut: make soak cuts it at each. Updates that end
// in another way are cut at other ones.
func cutEvery() int { return tier.Times(4, 1) }

// TestPowerCuts cuts the power at each moment of an update that succeeds, and of one that does not: the machine comes
// to the same end, with one note of it.
func TestPowerCuts(t *testing.T) {
	for n, row := range []struct{ daemon, version, note string }{
		{"good", "1.1", "update-installed"}, {"bad", "1.0", "update-went-back"},
	} {
		asked := newMachine(t)
		asked.ask(asked.build("1.1", "all", row.daemon))
		for at := n; ; at += cutEvery() {
			m := asked.copy(t)
			m.until = at
			cut, err := m.run()
			if !cut {
				if at < 6 {
					t.Errorf("there were only %d moments: %v, %d left", at, err, m.until)
				}
				break
			}
			m.until = -1
			m.starts() // the power is back
			if _, err := m.run(); (err == nil) != (row.daemon == "good") {
				t.Errorf("%s, cut at %d: %v", row.daemon, at, err)
			}
			m.ends(row.version, row.note)
			if t.Failed() {
				t.Fatalf("the power was cut at moment %d of an update to %s", at, row.daemon)
			}
		}
	}
}

// TestWaitsAgain: a power cut before dpkg has begun has the table deal on, and the update wait for the end of the
// round.
func TestWaitsAgain(t *testing.T) {
	m := newMachine(t)
	m.ask(m.build("1.1", "all", "good"))
	for at := 0; ; at++ {
		m.until = at
		if cut, err := m.run(); !cut {
			t.Fatalf("it is never about to install: %v", err)
		}
		if st, err := Look(m.at("own")); err == nil && st.Step == Installing {
			break
		}
	}
	m.until, m.rounds, m.seen = -1, 2, nil
	m.starts()
	if _, err := m.run(); err != nil {
		t.Fatal(err)
	}
	if strings.Join(m.seen, " ") != "1.0 1.0 1.0" {
		t.Errorf("while the round was open, %v were installed", m.seen)
	}
	m.ends("1.1", "update-installed")
}

// TestNotedOnce: an update whose power is cut after its note is noted once, and the next one has a note of its own.
func TestNotedOnce(t *testing.T) {
	m := newMachine(t)
	m.ask(m.build("1.1", "all", "good"))
	if _, err := m.run(); err != nil {
		t.Fatal(err)
	}
	st, err := Look(m.at("own"))
	if err != nil {
		t.Fatal(err)
	}
	st.Step = Trying
	m.desk().says(t, st)
	if _, err := m.run(); err != nil {
		t.Fatal(err)
	}
	m.ends("1.1", "update-installed")
	m.ask(m.build("1.1", "all", "good"))
	if _, err := m.run(); err == nil {
		t.Error("the same version is installed again")
	}
	notes, err := Notes(m.at("own"))
	if err != nil || len(notes) != 2 || notes[0].Name() == notes[1].Name() || notes[1].N != 2 {
		t.Errorf("the notes are %+v, %v", notes, err)
	}
}

// TestKeys: keys that others than root may replace are none, and Debian's minisign makes the same signatures.
func TestKeys(t *testing.T) {
	m := newMachine(t)
	if err := os.Chmod(m.at("keys"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Keys(m.at("keys")); err == nil {
		t.Error("keys that everybody may change are taken")
	}
	if _, err := Keys(m.at("none")); err == nil || !strings.Contains(err.Error(), "no key of releases is known") {
		t.Errorf("without keys it says %v", err)
	}
	file := m.build("1.1", "all", "good")
	run := func(args ...string) {
		t.Helper()
		if out, err := exec.CommandContext(t.Context(), "minisign", args...).CombinedOutput(); err != nil {
			t.Fatalf("minisign %v: %v\n%s", args, err, out)
		}
	}
	run("-G", "-W", "-p", m.at("debian.pub"), "-s", m.at("debian.key"))
	run("-S", "-s", m.at("debian.key"), "-m", file)
	keys, err := Keys(m.at("debian.pub"))
	if err != nil {
		t.Fatal(err)
	}
	if err := signed(file, keys); err != nil {
		t.Error(err)
	}
}
