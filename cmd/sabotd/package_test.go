//go:build packages

package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/board"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// packages has sabot in two versions, as "make package-test" makes them.
var packages = flag.String("packages", "", "the `folder` with the packages of two versions")

const older, newer = "1.2.3", "1.2.4"

// installed is a table on a computer of its own, whose programs come from packages.
type installed struct {
	*world
	*board.Debian
	rounds uint64
}

// newInstalled starts a computer without Sabot, with a shoe beside it.
func newInstalled(t *testing.T) *installed {
	t.Helper()
	folder, err := filepath.Abs(*packages)
	if err != nil || *packages == "" {
		t.Fatalf("give -packages FOLDER, or run make package-test: %v", err)
	}
	shoe, err := shoesim.New(shoesim.Options{
		Kind: shoesim.Sabot, Listen: "127.0.0.1:0", Decks: 6, Seed: 3, Jokers: 1,
		Continuous: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shoe.Close() })
	p := &installed{world: newWorldOn(t, shoe.Path()), Debian: board.BootDebian(t, folder)}
	p.shoe = shoe
	return p
}

// begins installs a version and begins a table with it.
func (p *installed) begins(version string) {
	p.t.Helper()
	p.install(version)
	p.configure()
	p.Run("systemctl", "restart", "sabotd")
}

// TestPackageLife: a table is installed, deals, is upgraded, rolled back, removed, purged and
// installed again. Its configuration and journal are kept as they should be.
func TestPackageLife(t *testing.T) {
	p := newInstalled(t)
	p.install(older)
	p.isPrepared()
	p.state("enabled", "active") // without a configuration it asks the questions of the first start
	p.configure()
	p.Run("systemctl", "restart", "sabotd")
	p.deals(older, 3)
	config := p.read("/etc/sabot/sabot.yaml")

	p.install(newer)
	p.deals(newer, 2)
	p.install(older)
	p.deals(older, 2)
	p.isKept(config)

	p.Run("apt-get", "remove", "--yes", "sabot")
	if out, err := p.Try("pgrep", "-x", "sabotd"); err == nil {
		t.Errorf("sabotd runs without its package: %s", out)
	}
	p.isKept(config)
	p.install(newer)
	p.deals(newer, 1)
	p.isKept(config)

	p.purge()
	p.install(newer)
	p.state("enabled", "active")
	p.configure()
	p.Run("systemctl", "restart", "sabotd")
	p.deals(newer, 1)
	p.isKept(config)
}

// install installs a version, above or below the one that is there, as a technician does.
func (p *installed) install(version string) {
	p.t.Helper()
	p.Run("apt-get", "install", "--yes", "--no-install-recommends", "--allow-downgrades", "/given/sabot_"+version+
		"_amd64.deb")
	if said := p.Run("sabotd", "--version"); said != "sabotd v"+version+"\n" {
		p.t.Errorf("after %s was installed it says %q", version, said)
	}
}

// isPrepared: user, groups and folders are there, with these modes.
func (p *installed) isPrepared() {
	p.t.Helper()
	groups := strings.Fields(p.Run("id", "-nG", "sabot"))
	for _, group := range []string{"sabot", "dialout", "gpio", "i2c"} {
		if !strings.Contains(" "+strings.Join(groups, " ")+" ", " "+group+" ") {
			p.t.Errorf("sabot is in %v, not in %s", groups, group)
		}
	}
	const want = "2770 root sabot /etc/sabot\n750 sabot sabot /var/lib/sabot\n"
	if got := p.Run("stat", "--format", "%a %U %G %n", "/etc/sabot", "/var/lib/sabot"); got != want {
		p.t.Errorf("the folders are\n%s", got)
	}
}

func (p *installed) state(enabled, active string) {
	p.t.Helper()
	for ask, want := range map[string]string{"is-enabled": enabled, "is-active": active} {
		if got, _ := p.Try("systemctl", ask, "sabotd"); strings.TrimSpace(got) != want { // the status is in the word
			p.t.Errorf("systemctl %s sabotd says %q, not %s", ask, got, want)
		}
	}
}

// configure writes the configuration as a technician does, and has it checked.
func (p *installed) configure() {
	p.t.Helper()
	const key = "/var/lib/sabot/journal.key"
	if _, err := os.Stat(p.Path(key)); err != nil {
		p.Run("runuser", "-u", "sabot", "--", "sabot", "key", "journal", key)
	}
	p.unsealed = true // the world's own key is on this computer
	text := strings.Replace(p.text("/var/lib/sabot/journal", p.page), "journal: {path: /var/lib/sabot/journal",
		"journal: {path: /var/lib/sabot/journal, key_file: "+key, 1)
	p.Run("sh", "-c", `umask 0027; rm -f /etc/sabot/sabot.yaml; cat > /etc/sabot/sabot.yaml <<'END'
`+text+"END\n")
	p.Run("sabot", "config", "check", "--user", "sabot", "/etc/sabot/sabot.yaml")
}

// deals deals rounds at the table, which is run by this version, and audits all so far.
func (p *installed) deals(version string, rounds uint64) {
	p.t.Helper()
	p.state("enabled", "active")
	p.deal(rounds).finish()
	p.rounds += rounds
	if said := p.Run("journalctl", "--unit", "sabotd", "--no-pager", "--output=cat"); !strings.Contains(said,
		"sabotd ready: table bj-1") {
		p.t.Errorf("the log of sabotd:\n%s", said)
	}
	running := strings.TrimSpace(p.Run("systemctl", "show", "--property=MainPID", "--value", "sabotd"))
	if got := p.Run("sh", "-c", "/proc/"+running+"/exe --version"); got != "sabotd v"+version+"\n" {
		p.t.Errorf("the table is run by %q", got)
	}
	p.audits()
}

// audited finds in the report of sabot journal audit how many rounds there are.
var audited = regexp.MustCompile(`(\d+) rounds?`)

func (p *installed) audits() {
	p.t.Helper()
	said := p.Run("sabot", "journal", "audit", "/var/lib/sabot/journal")
	if found := audited.FindStringSubmatch(said); found == nil || found[1] != fmt.Sprint(p.rounds) {
		p.t.Errorf("the journal should have %d rounds:\n%s", p.rounds, said)
	}
}

// isKept: the configuration is as it was, and the journal is whole.
func (p *installed) isKept(config string) {
	p.t.Helper()
	if got := p.read("/etc/sabot/sabot.yaml"); got != config {
		p.t.Errorf("the configuration has become\n%s", got)
	}
	if _, err := os.Stat(p.Path("/var/lib/sabot/journal/part-000001.jsonl")); err != nil {
		p.t.Error(err)
	}
}

// purge takes the configuration and no other file, and says what it leaves.
func (p *installed) purge() {
	p.t.Helper()
	p.Run("touch", "/etc/sabot/house.yaml", "/etc/sabot/mqtt-password.0001", "/etc/sabot/sabot.yaml.before-restore")
	before := p.Run("find", "/var/lib/sabot", "-type", "f")
	said := p.Run("apt-get", "purge", "--yes", "sabot")
	for _, want := range []string{
		"/etc/sabot stays, with what it holds: house.yaml",
		"/var/lib/sabot stays, with what it holds:", "journal.key",
	} {
		if !strings.Contains(said, want) {
			p.t.Errorf("apt-get purge does not say %q:\n%s", want, said)
		}
	}
	if after := p.Run("find", "/var/lib/sabot", "-type", "f"); after != before {
		p.t.Errorf("of\n%sthere is\n%s", before, after)
	}
	if left := p.Run("sh", "-c",
		"ls /etc/sabot; dpkg -l sabot 2>&1 | grep ^.[cic] || true; find /etc/systemd "+
			"/var/lib/systemd/deb-systemd-helper* -name 'sabotd*'"); left != "house.yaml\n" {
		p.t.Errorf("after the purge there is\n%s", left)
	}
}

func (p *installed) read(path string) string {
	p.t.Helper()
	text, err := os.ReadFile(p.Path(path))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}
