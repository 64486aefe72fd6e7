package update

import (
	"context"
	"crypto/sha256"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// card is a computer with slots: files that are its partitions, the sector that fw_setenv writes, and a U-Boot that
// does what boot.cmd does. A slot's content is its version and how well its table works.
type card struct {
	*machine
	// reboots is how often the update has asked for a start, inRound how often from a working table in mid-round.
	reboots, inRound int
	// wasCut says that the last update's power was cut.
	wasCut bool
	// stays is why the computer cannot be started anew.
	stays error
}

// mostReboots is more than any update needs.
const mostReboots = 8

func newCard(t *testing.T) *card {
	t.Helper()
	if first.card == nil {
		first.card = makeCard(t)
	}
	return first.card.copy(t)
}

// copy is another card that is like this one.
func (c *card) copy(t *testing.T) *card {
	t.Helper()
	other := &card{machine: c.machine.copy(t)}
	other.write("fw_env.config", other.at("sector")+" 0x0 0x200\n")
	return other
}

// makeCard makes the card of which others are copies.
func makeCard(t *testing.T) *card {
	t.Helper()
	c := &card{machine: makeMachine(t, "card")}
	c.slots, c.rounds = true, -1
	c.write("slot-a", "1.0 good")
	c.write("slot-b", "")
	c.write("fw_env.config", c.at("sector")+" 0x0 0x200\n")
	c.write("env", "BOOT_SLOT=a\n")
	if out, err := exec.CommandContext(t.Context(), "mkenvimage", "-s", "512", "-o", c.at("sector"),
		c.at("env")).CombinedOutput(); err != nil {
		t.Fatalf("mkenvimage: %v: %s; apt-get install u-boot-tools", err, out)
	}
	c.powerOn()
	return c
}

// slot makes a signed package with a slot.
func (c *card) slot(version, arch, content string) string {
	c.t.Helper()
	tree := c.t.TempDir()
	if err := os.MkdirAll(filepath.Join(tree, "DEBIAN"), 0o755); err != nil {
		c.t.Fatal(err)
	}
	for name, text := range map[string]string{
		"DEBIAN/control": "Package: sabot-slot\nVersion: " + version + "\nArchitecture: " + arch +
			"\nMaintainer: a test <test@example.org>\nDescription: a test\n",
		"slot.ext4": content,
	} {
		if err := os.WriteFile(filepath.Join(tree, name), []byte(text), 0o644); err != nil {
			c.t.Fatal(err)
		}
	}
	file := c.at("packages/sabot-slot_" + version + ".deb")
	c.pack(tree, file)
	return file
}

func (c *card) both() *Slots {
	return &Slots{
		VersionFile: c.at("version"), CommandLine: c.at("cmdline"), Config: c.at("fw_env.config"),
		Devices: map[string]string{"a": c.at("slot-a"), "b": c.at("slot-b")},
		Reboot: func(context.Context) error {
			c.event()
			if c.stays != nil {
				return c.stays
			}
			if c.reboots++; c.works && c.rounds >= 0 {
				c.inRound++
			}
			return nil
		},
	}
}

func (c *card) variable(name string) string {
	c.t.Helper()
	return c.variables()[name]
}

// variables are all of U-Boot's.
func (c *card) variables() map[string]string {
	c.t.Helper()
	text, err := output(c.t.Context(), "fw_printenv", "--config", c.at("fw_env.config"))
	if err != nil {
		c.t.Fatal(err)
	}
	values := map[string]string{}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		values[name] = value
	}
	return values
}

// powerOn is boot.cmd, and the start of the slot.
func (c *card) powerOn() {
	c.t.Helper()
	all := c.variables()
	works, try, tries := all[bootSlot], all[bootTry], all[bootTries]
	order := []string{works, map[string]string{"a": "b", "b": "a"}[works]}
	if try == order[1] {
		next := map[string]string{"2": "1", "1": "0"}[tries]
		if next != "" {
			order[0], order[1] = order[1], order[0]
			c.set(bootTries + "=" + next)
		} else {
			c.set(bootTry+"=", bootTries+"=")
		}
	}
	for _, slot := range order {
		text, err := os.ReadFile(c.at("slot-" + slot))
		if err != nil {
			c.t.Fatal(err)
		}
		version, daemon, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
		if daemon == "" {
			continue // no kernel
		}
		c.write("version", version+"\n")
		c.write("cmdline", "quiet sabot.slot="+slot+" ro\n")
		c.works = daemon == "good"
		if c.works {
			c.boot++
		}
		if daemon == "panics" {
			c.powerOn()
		}
		return
	}
	c.t.Fatal("neither slot starts")
}

func (c *card) set(lines ...string) {
	c.t.Helper()
	if err := c.both().set(c.t.Context(), lines...); err != nil {
		c.t.Fatal(err)
	}
}

// update runs to the end, over as many starts as it takes; from is after how many events the power is cut once,
// negative for never.
func (c *card) update(from int) error {
	c.t.Helper()
	c.wasCut = false
	for c.until = from; c.reboots < mostReboots; c.until = -1 {
		was := c.reboots
		cut, err := c.runSlots()
		if !cut && c.reboots == was {
			return err
		}
		c.wasCut = c.wasCut || cut
		c.until = -1
		c.powerOn()
	}
	return errors.New("it starts anew for ever")
}

func (c *card) runSlots() (cut bool, err error) {
	defer func() {
		if r := recover(); r != nil {
			if r != errCut {
				panic(r)
			}
			cut = true
		}
	}()
	s := c.system()
	s.Slots = c.both()
	return false, s.Run(c.t.Context())
}

// is wants a slot to run, to be the one that works, and nothing to be tried.
func (c *card) is(slot, version, note string) {
	c.t.Helper()
	running, _, err := c.both().runs()
	got, _, wrong := c.both().version(c.t.Context())
	if err != nil || wrong != nil || running != slot || got != version {
		c.t.Errorf("slot %s runs with version %s, not %s with %s, %v, %v", running, got, slot, version, err, wrong)
	}
	if all := c.variables(); all[bootSlot] != slot || all[bootTry] != "" || all[bootTries] != "" {
		c.t.Errorf("slot %s works, %q is tried, %q times", all[bootSlot], all[bootTry], all[bootTries])
	}
	st, err := Look(c.at("own"))
	if err != nil || st.Step != Done {
		c.t.Errorf("the state is %+v, %v", st, err)
	}
	notes, err := Notes(c.at("own"))
	if err != nil || len(notes) != 1 || notes[0].What != note {
		c.t.Errorf("the notes are %+v, %v", notes, err)
	}
	if _, err := os.Lstat(c.at("own/" + nextFile)); err == nil && note == "update-installed" {
		c.t.Error("the package is left over")
	}
}

func (c *card) want(file string) {
	c.t.Helper()
	if _, err := c.desk().putRequest(file, "", "anna"); err != nil {
		c.t.Fatal(err)
	}
}

// TestSlots: the other slot is written, tried, and kept if the table is ready with it; then the first is the other one.
func TestSlots(t *testing.T) {
	for content, row := range map[string]struct{ slot, version, note, says string }{
		"1.1 good":   {"b", "1.1", "update-installed", ""},
		"1.1 bad":    {"a", "1.0", "update-went-back", "was not ready within"},
		"1.1 panics": {"a", "1.0", "update-went-back", "does not start with it"},
		"1.1":        {"a", "1.0", "update-went-back", "does not start with it"},
	} {
		t.Run(content, func(t *testing.T) {
			c := newCard(t)
			c.want(c.slot("1.1", "all", content))
			err := c.update(-1)
			if (err == nil) != (row.says == "") || err != nil && !strings.Contains(err.Error(), row.says) {
				t.Errorf("it says %v, not %q", err, row.says)
			}
			c.is(row.slot, row.version, row.note)
		})
	}
}

// TestSlotsWait: a round that begins while the other slot is written is played to its end before the computer starts
// anew, and the state says what is waited for. Nothing is waited for on the way back.
func TestSlotsWait(t *testing.T) {
	for content, row := range map[string]struct{ slot, version, note string }{
		"1.1 good": {"b", "1.1", "update-installed"},
		"1.1 bad":  {"a", "1.0", "update-went-back"},
	} {
		c := newCard(t)
		c.opens = 3
		c.want(c.slot("1.1", "all", content))
		if err := c.update(-1); (err == nil) != (row.note == "update-installed") {
			t.Errorf("%s: %v", content, err)
		}
		if c.inRound > 0 || !slices.Equal(c.steps, []Step{Waiting, Waiting, Waiting, Waiting, Trying}) {
			t.Errorf("%s: the computer was started anew %d times in mid-round; at the looks the steps were %v", content,
				c.inRound, c.steps)
		}
		c.is(row.slot, row.version, row.note)
	}
}

// TestSlotsWaitAgain: a round that is opened after the slot was about to be tried is waited for, too.
func TestSlotsWaitAgain(t *testing.T) {
	c := newCard(t)
	c.want(c.slot("1.1", "all", "1.1 good"))
	c.until = -1
	for at := 0; c.variable(bootTries) != mostTries || step(t, c.machine) != Trying; at++ {
		c.until = at
		if cut, err := c.runSlots(); !cut {
			t.Fatalf("it never is about to start anew: %v", err)
		}
	}
	c.until, c.rounds = -1, 2
	if _, err := c.runSlots(); err != nil || c.reboots != 1 || c.inRound > 0 || c.rounds >= 0 {
		t.Errorf("it started anew %d times, in mid-round %d times, %v", c.reboots, c.inRound, err)
	}
	c.powerOn()
	if err := c.update(-1); err != nil {
		t.Error(err)
	}
	c.is("b", "1.1", "update-installed")
}

func step(t *testing.T, m *machine) Step {
	t.Helper()
	st, err := Look(m.at("own"))
	if err != nil {
		t.Fatal(err)
	}
	return st.Step
}

// TestSlotNotWritten: a slot that cannot be written leaves the table as it is.
func TestSlotNotWritten(t *testing.T) {
	c := newCard(t)
	if err := os.Remove(c.at("slot-b")); err != nil {
		t.Fatal(err)
	}
	c.want(c.slot("1.1", "all", "1.1 good"))
	err := c.update(-1)
	if err == nil || !strings.Contains(err.Error(), "could not be installed") ||
		strings.Contains(err.Error(), "DOES NOT WORK EITHER") || c.reboots > 0 {
		t.Errorf("after %d starts it says %v", c.reboots, err)
	}
	c.is("a", "1.0", "update-went-back")
}

// TestSlotsTwice: after an update the slot from before takes the next one.
func TestSlotsTwice(t *testing.T) {
	c := newCard(t)
	for _, version := range []string{"1.1", "1.2"} {
		c.want(c.slot(version, "all", version+" good"))
		if err := c.update(-1); err != nil {
			t.Fatal(err)
		}
	}
	if running, _, err := c.both().runs(); err != nil || running != "a" {
		t.Errorf("slot %s runs, %v", running, err)
	}
}

// TestSlotsRefused: a computer with slots takes nothing else, and one without takes no slot.
func TestSlotsRefused(t *testing.T) {
	for name, row := range map[string]struct {
		file func(c *card) string
		says string
	}{
		"a package": {
			func(c *card) string { return c.build("1.1", "all", "good") },
			"is not the package sabot-slot, but \"sabot\": this table runs from a card",
		},
		"older": {func(c *card) string { return c.slot("0.9", "all", "0.9 good") }, "not newer than 1.0"},
		"another machine": {
			func(c *card) string { return c.slot("1.1", "s390x", "1.1 good") },
			"the package is for s390x",
		},
		"changed": {func(c *card) string {
			f := c.slot("1.1", "all", "1.1 good")
			text, err := os.ReadFile(f)
			if err != nil {
				c.t.Fatal(err)
			}
			text[len(text)/2] ^= 1
			c.write("packages/"+filepath.Base(f), string(text))
			return f
		}, "not signed by any key"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCard(t)
			c.want(row.file(c))
			if err := c.update(-1); err == nil || !strings.Contains(err.Error(), row.says) {
				t.Errorf("it says %v, not %q", err, row.says)
			}
			c.is("a", "1.0", "update-refused")
			if text, err := os.ReadFile(c.at("slot-b")); err != nil || len(text) > 0 {
				t.Errorf("slot b was written: %s, %v", text, err)
			}
		})
	}
	m := newMachine(t)
	c := &card{machine: m}
	m.ask(c.slot("1.1", "all", "1.1 good"))
	if _, err := m.run(); err == nil || !strings.Contains(err.Error(),
		"is not the package sabot, but \"sabot-slot\": this table does not run from a card") {
		t.Errorf("it says %v", err)
	}
}

// TestSlotsPowerCuts cuts the power at each moment: the computer comes to an end at which one slot works, and the slot
// that ran when the update was asked for is only ever written after another has taken its place.
func TestSlotsPowerCuts(t *testing.T) {
	for n, daemon := range []string{"good", "bad", "panics"} {
		asked := newCard(t)
		asked.opens = 1
		asked.want(asked.slot("1.1", "all", "1.1 "+daemon))
		for at := n; ; at += cutEvery() {
			c := asked.copy(t)
			err := c.update(at)
			if c.reboots >= mostReboots {
				t.Fatalf("cut at %d: %v", at, err)
			}
			if text, err := os.ReadFile(c.at("slot-a")); err != nil || string(text) != "1.0 good" {
				t.Fatalf("cut at %d: the slot from before was written: %s, %v", at, text, err)
			}
			if c.inRound > 0 {
				t.Errorf("the computer was started anew in mid-round")
			}
			if daemon == "good" {
				c.is("b", "1.1", "update-installed")
			} else {
				c.is("a", "1.0", "update-went-back")
			}
			if t.Failed() {
				t.Fatalf("the power was cut at moment %d of an update to %s", at, daemon)
			}
			if !c.wasCut {
				if at < 10 {
					t.Errorf("an update to %s has only %d moments", daemon, at)
				}
				break
			}
		}
	}
}

// TestWornCard: a card that does not keep what is written to it is found out.
func TestWornCard(t *testing.T) {
	c := newCard(t)
	c.write("slot-b", "1.1 good")
	f, err := os.OpenFile(c.at("slot-b"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sum := sha256.New()
	sum.Write([]byte("1.1 good"))
	if err := sameAgain(f, 8, sum); err != nil {
		t.Error(err)
	}
	if _, err := f.WriteAt([]byte("b"), 4); err != nil {
		t.Fatal(err)
	}
	if err := sameAgain(f, 8, sum); err == nil || !strings.Contains(err.Error(), "the card is worn out") {
		t.Errorf("it says %v", err)
	}
}
