//go:build image

package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"aead.dev/minisign"

	"github.com/sabot-table/sabot/internal/ops/update"
	layout "github.com/sabot-table/sabot/internal/release/image"
	computer "github.com/sabot-table/sabot/internal/testkit/board"
)

// slots makes later versions of the card's slot, each signed by a key of its own that the card is given.
type slots struct {
	t       *testing.T
	folder  string
	version string
	public  minisign.PublicKey
	private minisign.PrivateKey
}

func newSlots(t *testing.T) *slots {
	t.Helper()
	s := &slots{t: t, folder: t.TempDir()}
	var err error
	if s.public, s.private, err = minisign.GenerateKey(nil); err != nil {
		t.Fatal(err)
	}
	file := newest(t, layout.SlotPackage+"_*.deb")
	s.version = strings.TrimSpace(s.does("dpkg-deb", "--field", file, "Version"))
	s.does("dpkg-deb", "--raw-extract", file, s.at("first"))
	return s
}

func (s *slots) at(name string) string { return filepath.Join(s.folder, name) }

func (s *slots) does(name string, args ...string) string {
	s.t.Helper()
	out, err := exec.CommandContext(s.t.Context(), name, args...).CombinedOutput()
	if err != nil {
		s.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// trust has a system take what the key has signed.
func (s *slots) trust(root string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(root, "etc/sabot-release.pub"), []byte(s.public.String()+"\n"),
		0o644); err != nil {
		s.t.Fatal(err)
	}
}

// make makes a later version whose root was changed, and signs it. It returns its version and its package.
func (s *slots) make(name string, change func(root string)) (version, file string) {
	s.t.Helper()
	version = s.version + "+" + name
	s.does("cp", "--archive", "--sparse=always", s.at("first"), s.at(name))
	computer.Mounted(s.t, s.at(name+"/slot.ext4"), 0, func(root string) {
		s.trust(root)
		if err := os.WriteFile(filepath.Join(root, "usr/lib/sabot/slot"), []byte(version+"\n"), 0o644); err != nil {
			s.t.Fatal(err)
		}
		change(root)
	})
	s.does("sed", "-i", "s/^Version: .*/Version: "+version+"/", s.at(name+"/DEBIAN/control"))
	file = s.at(name + ".deb")
	s.does("dpkg-deb", "--root-owner-group", "-Zzstd", "-z3", "--build", s.at(name), file)
	if err := os.RemoveAll(s.at(name)); err != nil {
		s.t.Fatal(err)
	}
	s.sign(file)
	return version, file
}

func (s *slots) sign(file string) {
	s.t.Helper()
	f, err := os.Open(file)
	if err != nil {
		s.t.Fatal(err)
	}
	defer f.Close()
	r := minisign.NewReader(f)
	if _, err := io.Copy(io.Discard, r); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(file+update.SignatureEnd, r.Sign(s.private), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// older makes a package with the card's own version, and signs it.
func (s *slots) older() (file string) {
	s.t.Helper()
	s.does("mkdir", "-p", s.at("older"))
	s.does("cp", "--archive", s.at("first/DEBIAN"), s.at("older/"))
	s.does("truncate", "--size=4096", s.at("older/slot.ext4"))
	file = s.at("older.deb")
	s.does("dpkg-deb", "--root-owner-group", "--build", s.at("older"), file)
	s.sign(file)
	return file
}

// replaced puts a text into the place of a file of a slot.
func (s *slots) replaced(name, text string) func(root string) {
	return func(root string) {
		path := filepath.Join(root, name)
		if _, err := os.Lstat(path); err != nil {
			s.t.Fatal(err)
		}
		if err := errors.Join(os.Remove(path), os.WriteFile(path, []byte(text), 0o755)); err != nil {
			s.t.Fatal(err)
		}
	}
}

// updating is a technician who updates a computer.
type updating struct {
	t     *testing.T
	c     *computer.Computer
	began time.Time
}

// refused asks for what must not be installed.
func (u *updating) refused(file, says string) {
	u.t.Helper()
	folder := u.send(file)
	if out, err := u.c.Try("sabot update " + folder + filepath.Base(file)); err == nil ||
		!strings.Contains(err.Error(), says) {
		u.t.Fatalf("%s: sabot update says %q, %v, not %q", filepath.Base(file), out, err, says)
	}
}

func (u *updating) send(file string) (folder string) {
	u.t.Helper()
	return u.c.Send(file, file+update.SignatureEnd)
}

// ask asks for an update.
func (u *updating) ask(file string) {
	u.t.Helper()
	u.began = time.Now()
	u.c.Run("systemctl stop sabot-kiosk") // the browser takes most of an emulated processor, and none of this needs it
	folder := u.send(file)
	u.t.Logf("%s: there after %s", filepath.Base(file), u.since())
	if err := os.Remove(file); err != nil {
		u.t.Fatal(err)
	}
	u.t.Log(strings.TrimSpace(u.c.Run("rm -f " + folder + "older.deb; sabot update --no-wait " +
		folder + filepath.Base(file))))
	u.c.Run("rm " + folder + filepath.Base(file) + "*")
}

func (u *updating) since() time.Duration { return time.Since(u.began).Round(time.Second) }

// state is how far the update has come, as far as the computer can be asked.
func (u *updating) state() (st update.State) {
	if out, err := u.c.Try("cat " + update.Folder + "/state.json"); err == nil {
		_ = json.Unmarshal([]byte(out), &st) // of a table without updates
	}
	return st
}

// cutWhileWritten cuts the power while the other slot is written.
func (u *updating) cutWhileWritten() {
	u.t.Helper()
	u.c.Await("the slot being written", func() bool { return u.state().Step == update.Installing })
	u.c.Cut()
	u.t.Logf("the power was cut after %s, while the slot was written", u.since())
	u.c.On()
}

// ends waits until the update to a version has ended; says is why it did not come about, "" if it did.
func (u *updating) ends(version, says string) {
	u.t.Helper()
	u.c.Await("the end of the update to "+version, func() bool {
		st := u.state()
		return st.Step == update.Done && st.To == version
	})
	st := u.state()
	u.t.Logf("the update to %s ended after %s: %q", version, u.since(), st.Failed)
	if (st.Failed == "") != (says == "") || !strings.Contains(st.Failed, says) ||
		strings.Contains(st.Failed, "DOES NOT WORK EITHER") {
		u.t.Fatalf("the update to %s ended with %q, not %q", version, st.Failed, says)
	}
}

var slotOf = regexp.MustCompile(`sabot\.slot=(\w)`)

// runs is the slot that the computer was started from, and its version.
func (u *updating) runs() (slot, version string) {
	u.t.Helper()
	found := slotOf.FindStringSubmatch(u.c.Run("cat /proc/cmdline"))
	if found == nil {
		u.t.Fatal("the kernel's command line names no slot")
	}
	return found[1], strings.TrimSpace(u.c.Run("cat /usr/lib/sabot/slot"))
}

// settled: the slot works, and no other is tried.
func (u *updating) settled(slot, version string) {
	u.t.Helper()
	nowSlot, nowVersion := u.runs()
	said := u.c.Run("fw_printenv")
	u.t.Logf("slot %s runs with %s: %q", nowSlot, nowVersion, said)
	if nowSlot != slot || nowVersion != version || strings.TrimSpace(said) != "BOOT_SLOT="+slot {
		u.t.Fatalf("slot %s runs with %s, and the sector says %q; not slot %s with %s alone", nowSlot, nowVersion, said,
			slot, version)
	}
}

// TestImageUpdate gives sabot update whole slots: one that works stays, through a power cut while it is written; one
// that does not start, stops as it starts, or whose table is not ready is given up by the computer itself. All of it is
// on record.
func TestImageUpdate(t *testing.T) {
	s := newSlots(t)
	w, c := newImage(t, true)
	c.Mounted(layout.SlotAAt, s.trust)
	c.On()
	c.Ready()
	u := updating{t: t, c: c}

	older := s.older()
	u.refused(older, "is not newer than")
	if err := os.WriteFile(older, []byte("changed"), 0o644); err != nil {
		t.Fatal(err)
	}
	u.refused(older, "is not signed by any key")

	good, file := s.make("1", func(string) {})
	u.ask(file)
	u.cutWhileWritten()
	u.ends(good, "")
	u.settled("b", good)
	want := []string{"update-refused", "update-installed " + s.version + " " + good}

	for _, broken := range []struct {
		name   string
		change func(root string)
		says   string
	}{
		{"2.kernel", s.replaced("vmlinuz", "no kernel"), "the computer does not start with it"},
		{"3.init", s.replaced("sbin/init", "no program"), "the computer does not start with it"},
		{"4.table", s.replaced("usr/bin/sabotd", "#!/bin/sh\nexit 1\n"), "was not ready within"},
	} {
		version, file := s.make(broken.name, broken.change)
		u.ask(file)
		u.ends(version, broken.says)
		u.settled("b", good)
		want = append(want, "update-went-back "+good+" "+version)
	}
	t.Log(c.Console())
	// The daemon looks every 20 s for what came of updates.
	c.Await("the record", func() bool {
		said, err := c.Try("sabot journal transcript /var/lib/sabot/journal | grep -c update-went-back")
		return err == nil && strings.TrimSpace(said) == "3"
	})
	w.fetchCard(c)
	inputs, _ := w.records()
	var got []string
	for _, found := range updateNote.FindAllStringSubmatch(inputs, -1) {
		got = append(got, found[1])
	}
	if !slices.Equal(got, want) {
		t.Errorf("on record is\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	t.Logf("on record:\n%s", strings.Join(got, "\n"))
}

var updateNote = regexp.MustCompile(`"in":"note".*"code":"(update-[^"]*)"`)
