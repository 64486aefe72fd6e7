package main

import (
	"crypto/ed25519"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sabot-table/sabot/cmd/internal/rig"
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
)

// TestDemo runs the demonstration, tries to run it once more on the same ports, and
// interrupts it. Nothing of it stays.
func TestDemo(t *testing.T) {
	t.Parallel()
	tmp := t.TempDir()
	w := &world{t: t, page: freeAddress(t)}
	broker := freeAddress(t)
	process := rig.StartIn(t, tmp, sabotd(t), "--demo", "--pace", "1ms", "--web", w.page, "--broker", broker)
	look := w.look()
	look.await("a round", func(v display.View) bool { return v.Round >= 1 })

	again := rig.Run(t, sabotd(t), "--demo", "--web", freeAddress(t), "--broker", broker)
	if again.Status != exitFailed || again.Out != "" {
		t.Errorf("a second demonstration ended with %+v", again)
	}
	contains(t, again.Err, broker, "another program has port", "--broker gives another address")
	again = rig.Run(t, sabotd(t), "--demo", "--web", w.page, "--broker", "127.0.0.1:0")
	if again.Status != exitFailed || again.Out != "" {
		t.Errorf("a second demonstration ended with %+v", again)
	}
	contains(t, again.Err, w.page, "is taken", "--web in the demonstration")

	v := look.await("a view", func(display.View) bool { return true })
	look.await("the first one's next round", func(now display.View) bool { return now.Round > v.Round })
	if status := process.End(syscall.SIGINT); status != exitOK {
		t.Errorf("the demonstration ended with status %d:\n%s", status, process.Log())
	}
	contains(t, process.Out(), "everything on it simulated", "\nround 1: ")
	if log := process.Log(); log != "" {
		t.Errorf("the demonstration complains:\n%s", log)
	}
	nothingIn(t, tmp)
}

// TestDemoOfSomeRounds ends by itself, and keeps the journal that it was told to.
func TestDemoOfSomeRounds(t *testing.T) {
	t.Parallel()
	const rounds = 4
	tmp, path := t.TempDir(), filepath.Join(t.TempDir(), "kept.db")
	process := rig.StartIn(t, tmp, sabotd(t), "--demo", "--pace", "0s", "--rounds", "4", "--seed", "9",
		"--web", "127.0.0.1:0", "--broker", "127.0.0.1:0", "--journal", path)
	if status := process.Wait(); status != exitOK || process.Log() != "" {
		t.Errorf("the demonstration ended with status %d:\n%s", status, process.Log())
	}
	if n := strings.Count(process.Out(), "\nround "); n != rounds {
		t.Errorf("%d rounds were printed, not %d:\n%s", n, rounds, process.Out())
	}
	nothingIn(t, tmp)
	j, err := journal.OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	key, err := journal.ReadKeyFile(path + ".key")
	if err != nil {
		t.Fatal(err)
	}
	report, err := audit.Run(t.Context(), j, audit.Options{Book: profile.Built(), Key: key.Public().(ed25519.PublicKey)})
	if err != nil || !report.Well() {
		t.Errorf("the audit says %+v, %v", report, err)
	}
	finished := 0
	for r, err := range j.Records(1) {
		if err != nil {
			t.Fatal(err)
		}
		finished += strings.Count(string(r.Outputs), `{"out":"finished"`)
	}
	if finished != rounds {
		t.Errorf("the journal has %d rounds, not %d", finished, rounds)
	}
}

// TestDemoOfEachShoe deals with the other makes of shoe, and with one that is none.
func TestDemoOfEachShoe(t *testing.T) {
	t.Parallel()
	for _, shoe := range []string{"bee-tek", "angel-eye"} {
		process := rig.Start(t, sabotd(t), "--demo", "--shoe", shoe, "--pace", "0s", "--rounds", "3", "--web", "127.0.0.1:0", "--broker", "127.0.0.1:0")
		if status := process.Wait(); status != exitOK || process.Log() != "" || strings.Count(process.Out(), "\nround ") != 3 {
			t.Errorf("%s: the demonstration ended with status %d:\n%s%s", shoe, status, process.Out(), process.Log())
		}
		contains(t, process.Out(), "shoe, "+shoe)
	}
	if no := rig.Run(t, sabotd(t), "--demo", "--shoe", "slipper"); no.Status != exitUsage {
		t.Errorf("an unknown shoe ended with %+v", no)
	} else {
		contains(t, no.Err, `slipper`, "bee-tek")
	}
}

// nothingIn checks that nothing was left in the folder for temporary files.
func nothingIn(t *testing.T, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range left {
		t.Errorf("%s was left behind", e.Name())
	}
}
