package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/journal"
)

// copies is a world whose table is backed up.
type copies struct {
	*world
	sabot, target, identity, recipients, public string
}

func newCopies(t *testing.T) *copies {
	t.Helper()
	c := &copies{world: newWorld(t, nil), target: processes.FastDir(t)}
	sabot := processes.Binary(t, "sabot")
	c.sabot = sabot
	safe := t.TempDir()
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	c.identity, c.recipients, c.public = filepath.Join(safe, "identity"), filepath.Join(safe, "recipients"),
		filepath.Join(safe, "bj-1.pub")
	write(t, c.identity, identity.String()+"\n")
	write(t, c.recipients, identity.Recipient().String()+"\n")
	write(t, c.public, journal.PublicLine(c.world.public)+"\n")
	return c
}

// backup makes one, which must succeed, and returns up to which record.
func (c *copies) backup() uint64 {
	c.t.Helper()
	got := processes.Run(c.t, c.sabot, "backup", "--config", c.config, "--recipients", c.recipients,
		"--same-disk", c.target)
	if got.Status != 0 {
		c.t.Fatalf("the backup ended with %+v", got)
	}
	return upTo(c.t, got.Out)
}

var upToRecord = regexp.MustCompile(`up to record ([0-9]+)`)

func upTo(t *testing.T, text string) uint64 {
	t.Helper()
	found := upToRecord.FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("it does not say up to which record: %s", text)
	}
	n, err := strconv.ParseUint(found[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (c *copies) restore(more ...string) processes.Ended {
	c.t.Helper()
	args := append([]string{"restore", "--config", c.config, "--identity", c.identity, "--key", c.public}, more...)
	return processes.Run(c.t, c.sabot, append(args, c.target)...)
}

// fresh takes the card away: what a new one has instead is what the package installs.
func (c *copies) fresh() {
	c.t.Helper()
	old := processes.FastDir(c.t)
	all, err := filepath.Glob(filepath.Join(c.dir, "*"))
	if err != nil {
		c.t.Fatal(err)
	}
	for _, path := range all {
		if err := os.Rename(path, filepath.Join(old, filepath.Base(path))); err != nil {
			c.t.Fatal(err)
		}
	}
	write(c.t, c.config, "site: example\n")
}

// pitHas waits until the broker has heard of the journal's last record.
func (c *copies) pitHas(record uint64) {
	c.t.Helper()
	brokertest.Until(c.t, fmt.Sprintf("the pit has heard up to record %d", record), func() bool {
		text, err := os.ReadFile(c.path + ".heard")
		found := regexp.MustCompile(`"record":([0-9]+)`).FindSubmatch(text)
		if err != nil || found == nil {
			return false
		}
		n, err := strconv.ParseUint(string(found[1]), 10, 64)
		return err == nil && n >= record
	})
}

// TestTheTableComesBack deals while the table is backed up again and again, loses the card, and goes on from the backup
// on a new one: the same journal, in the middle of the same round. A backup that is older than what the pit has heard
// is refused.
func TestTheTableComesBack(t *testing.T) {
	t.Parallel()
	c := newCopies(t)
	process := c.start()
	d := c.deal(4)
	var older uint64
	for n := range 4 {
		d.stop(5)
		older = c.backup()
		if n < 3 {
			d.goOn(nil)
		}
	}
	d.goOn(nil)
	d.stop(6)
	process.Stop() // it tells the pit
	c.pitHas(older + 1)

	c.fresh()
	before, err := os.ReadFile(c.config)
	if err != nil {
		t.Fatal(err)
	}
	refused := c.restore()
	contains(t, refused.Err, "nothing was restored", "records are missing", "--although-the-pit-may-have-more")
	if after, err := os.ReadFile(c.config); refused.Status != 1 || err != nil || string(after) != string(before) {
		t.Errorf("the restore ended with %+v and changed the configuration", refused)
	}
	if _, err := os.Stat(c.path); err == nil {
		t.Error("the restore left a journal")
	}
	c.gate.Shut()
	contains(t, c.restore().Err, "the pit could not be asked", "--noted")
	c.gate.Open()

	got := c.restore("--although-the-pit-may-have-more")
	if got.Status != 0 {
		t.Fatalf("the restore ended with %+v", got)
	}
	contains(t, got.Out, "THE PIT HAS OR MAY HAVE MORE", "sabot.yaml.before-restore", "never use the old card again")
	process = processes.Start(t, sabotd(t), "--config", c.config)
	logs(t, process, "THE JOURNAL LACKS WHAT THE PIT HAS HEARD OF")
	c.look().awaitHeld(irregularity.JournalBehind, irregularity.Accept)
	process.Kill()
}

// TestTheTableComesBackWhole loses the card after the last backup: the table goes on as if nothing had been.
func TestTheTableComesBackWhole(t *testing.T) {
	t.Parallel()
	c := newCopies(t)
	process := c.start()
	d := c.deal(3)
	d.stop(9)
	process.Stop()
	last := c.backup()
	c.pitHas(1)
	c.fresh()
	got := c.restore()
	if got.Status != 0 || upTo(t, got.Out) != last {
		t.Fatalf("the restore ended with %+v", got)
	}
	contains(t, got.Out, "the pit has heard up to record", "which is in the backup")
	process = processes.Start(t, sabotd(t), "--config", c.config)
	d.goOn(nil)
	c.check(d.finish(), 3)
	process.Stop()
	c.audited(3)
}

// TestKilledBackupsAndRestores kills both at random moments: the next one succeeds, and the table comes back.
func TestKilledBackupsAndRestores(t *testing.T) {
	tier.Soak(t, "it kills programs at random moments; internal/ops/backup ends at every step")
	t.Parallel()
	c := newCopies(t)
	process := c.start()
	c.deal(2).finish()
	process.Stop()
	chance := rand.New(rand.NewPCG(17, 6))
	killed := func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), c.sabot, args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(chance.IntN(60)) * time.Millisecond) // any moment is right
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	for range 12 {
		killed("backup", "--config", c.config, "--recipients", c.recipients, "--same-disk", c.target)
	}
	last := c.backup()
	c.fresh()
	for range 12 {
		killed("restore", "--config", c.config, "--identity", c.identity, "--key", c.public, c.target)
	}
	if _, err := os.Stat(c.path); err != nil { // none of them came to its end
		if got := c.restore(); got.Status != 0 || upTo(t, got.Out) != last {
			t.Fatalf("the restore ended with %+v", got)
		}
	}
	process = processes.Start(t, sabotd(t), "--config", c.config)
	if strings.Contains(process.Log(), "THE JOURNAL") {
		t.Errorf("the next start says\n%s", process.Log())
	}
	process.Stop()
	c.audited(2)
}
