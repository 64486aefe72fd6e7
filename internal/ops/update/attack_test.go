package update

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"aead.dev/minisign"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// evil is what a daemon says that nobody has signed.
const evil = "evil"

// asked puts a request by hand, as whoever may write to the folder of requests can: files of any kind, in any order.
func (m *machine) asked(files map[string]string) {
	m.t.Helper()
	for name, text := range files {
		m.write("requests/"+name, text)
	}
	m.write("requests/"+RequestFile, `{"id":"0123456789abcdef","who":"anna"}`)
}

func (m *machine) text(path string) string {
	m.t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		m.t.Fatal(err)
	}
	return string(text)
}

// through reports whether something was installed, or done to the table, that is not the version from before.
func (m *machine) through() bool {
	m.t.Helper()
	return m.installed() != "1.0" || m.text(m.at("root/usr/bin/sabotd")) != "good" || m.boot != 7
}

// TestAttackUpdates: whoever may write to the folder of requests, or hands a package over, has nothing installed that
// no key of the releases signed, that is older, or that is another file by the time it is installed; and leads root
// nowhere.
func TestAttackUpdates(t *testing.T) {
	tries, through := 0, 0
	try := func(what string, m *machine) {
		t.Helper()
		if tries++; m.through() {
			through++
			t.Errorf("%s: version %s is installed, with %q, boot %d", what, m.installed(),
				m.text(m.at("root/usr/bin/sabotd")), m.boot)
		}
	}
	m := newMachine(t)
	good, wicked := m.build("1.1", "all", "good"), m.build("1.2", "all", evil)
	_, stranger, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	m.sign(wicked, stranger)
	older := m.build("0.9", "all", "good")
	previous := map[string]string{
		RequestPrevious:                m.text(m.at("packages/sabot_1.0_all.deb")),
		RequestPrevious + SignatureEnd: m.text(m.at("packages/sabot_1.0_all.deb" + SignatureEnd)),
	}
	request := func(pack, signature string) map[string]string {
		files := map[string]string{RequestPackage: pack, RequestPackage + SignatureEnd: signature}
		for name, text := range previous {
			files[name] = text
		}
		return files
	}
	pack, signature := m.text(good), m.text(good+SignatureEnd)
	bad, badly := m.text(wicked), m.text(wicked+SignatureEnd)
	cases := map[string]map[string]string{
		"a stranger's": request(bad, badly), "another's signature": request(bad, signature),
		"no signature":            request(bad, ""),
		"a signature without end": request(bad, strings.Repeat(signature, 100)),
		"two signatures":          request(bad, signature+badly),
		"one added to":            request(pack+bad, signature), "two in one": request(bad+pack, signature),
		"cut":   request(pack[:len(pack)-1], signature),
		"empty": request("", signature), "older": request(m.text(older), m.text(older+SignatureEnd)),
		"the one from before, again": request(previous[RequestPrevious], previous[RequestPrevious+SignatureEnd]),
	}
	for n := range tier.Times(24, 400) {
		at := n * (len(pack) - 1) / tier.Times(24, 400)
		changed := []byte(pack)
		changed[at] ^= 1 << (n % 8)
		cases[fmt.Sprintf("a bit at %d", at)] = request(string(changed), signature)
	}
	lines := strings.SplitAfter(signature, "\n")
	for n := range len(lines) {
		cases[fmt.Sprintf("without line %d of the signature", n)] = request(bad,
			strings.Join(append(append([]string{}, lines[:n]...), lines[n+1:]...), ""))
	}
	for what, files := range cases {
		m.asked(files)
		if _, err := m.run(); err == nil && m.installed() == "1.0" && strings.Contains(what, "signature") {
			t.Errorf("%s: nobody says why nothing was installed", what)
		}
		try(what, m)
	}
	tries2, through2 := attackFolder(t, m, wicked)
	attack.Report(t, "updates: signatures, older ones, changed ones", tries, through)
	attack.Report(t, "updates: links, pipes and files that change meanwhile", tries2, through2)
}

// attackFolder puts other things than files into the folder of requests, and exchanges them while they are judged.
func attackFolder(t *testing.T, m *machine, wicked string) (tries, through int) {
	t.Helper()
	secret := m.at("secret")
	m.write("secret", "of root alone")
	names := []string{RequestFile, RequestPackage, RequestPackage + SignatureEnd, RequestPrevious}
	file := m.build("1.1", "all", "good")
	for _, name := range names {
		for what, put := range map[string]func(path string) error{
			"a link to what is root's": func(path string) error { return os.Symlink(secret, path) },
			"a link to itself":         func(path string) error { return os.Symlink(path, path) },
			"a pipe":                   func(path string) error { return syscall.Mkfifo(path, 0o600) },
			"a folder":                 func(path string) error { return os.Mkdir(path, 0o700) },
			"a link to a device":       func(path string) error { return os.Symlink("/dev/zero", path) },
			"a file without end":       func(path string) error { return hole(path, 1<<40) },
		} {
			if strings.Contains(what, "without end") && (name == RequestPackage || name == RequestPrevious) {
				continue // a gigabyte is taken of these, and no more
			}
			m.ask(file)
			path := m.at("requests/" + name)
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := put(path); err != nil {
				t.Fatal(err)
			}
			_, err := m.run()
			copied := false
			for _, one := range []string{RequestFile, nextFile, previousFile} {
				text, unread := os.ReadFile(m.at("own/" + one))
				copied = copied || unread == nil && bytes.Contains(text, []byte("of root alone"))
			}
			if tries++; m.through() || copied || err != nil && strings.Contains(err.Error(), "of root alone") {
				through++
				t.Errorf("%s in the place of %s: %v", what, name, err)
			}
			for _, left := range names {
				if err := os.RemoveAll(m.at("requests/" + left)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	linked, got := elsewhere(t)
	tries, through = tries+linked, through+got
	more, came := exchanged(t, wicked)
	return tries + more, through + came
}

// elsewhere makes the folder of requests a link to what is root's, before and while root looks: nothing there goes.
func elsewhere(t *testing.T) (tries, through int) {
	t.Helper()
	for _, at := range []string{RequestFile, "anything else"} {
		m := newMachine(t)
		kept := []string{RequestPrevious, RequestPackage, RequestPackage + SignatureEnd}
		for _, name := range kept {
			m.write("own/"+name, "root's")
		}
		m.write("own/"+at, `{"id":"0123456789abcdef","who":"anna"}`)
		if err := os.Rename(m.at("requests"), m.at("aside")); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(m.at("own"), m.at("requests")); err != nil {
			t.Fatal(err)
		}
		if _, err := m.run(); err == nil || !strings.Contains(err.Error(), "is no folder") {
			t.Errorf("of a link in the place of the folder it says %v", err)
		}
		for _, name := range kept {
			tries++
			if text, err := os.ReadFile(m.at("own/" + name)); err != nil || string(text) != "root's" {
				through++
				t.Errorf("%s of root's folder is gone: %v", name, err)
			}
		}
		if _, err := os.Lstat(m.at("requests")); err == nil {
			t.Error("the link is left: it would be looked at again and again")
		}
	}
	// A name that leads elsewhere once the folder was found.
	m := newMachine(t)
	m.write("own/"+RequestPrevious, "root's")
	s := m.system()
	done, err := s.openRequests()
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if err := os.Rename(m.at("requests"), m.at("aside")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(m.at("own"), m.at("requests")); err != nil {
		t.Fatal(err)
	}
	if tries++; s.drop(nil) != nil || m.text(m.at("own/"+RequestPrevious)) != "root's" {
		through++
		t.Error("what was asked for is removed where the name leads since")
	}
	return tries, through
}

// hole is a file that has no bytes, and so many that can be read.
func hole(path string, size int64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Truncate(size)
}

// exchanged has somebody exchange the package and its signature all the time while they are judged, as a stick could.
func exchanged(t *testing.T, wicked string) (tries, through int) {
	t.Helper()
	for range tier.Times(3, 60) {
		m := newMachine(t)
		bad, err := os.ReadFile(wicked)
		if err != nil {
			t.Fatal(err)
		}
		file := m.build("1.1", "all", "good")
		m.ask(file)
		good := []byte(m.text(file))
		done, ended := make(chan struct{}), sync.WaitGroup{}
		ended.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-done:
					return
				default:
				}
				text := good
				if n%2 == 0 {
					text = bad
				}
				// Once another file takes its name, and once it is overwritten in place.
				draft := filepath.Join(m.dir, "draft")
				if os.WriteFile(draft, text, 0o600) != nil || n%3 > 0 &&
					os.Rename(draft, m.at("requests/"+RequestPackage)) != nil {
					return
				}
				if n%3 == 0 {
					_ = os.WriteFile(m.at("requests/"+RequestPackage), text, 0o600) // it may be gone
				}
			}
		})
		_, _ = m.run() // it is refused, or installed whole
		close(done)
		ended.Wait()
		if tries++; m.text(m.at("root/usr/bin/sabotd")) != "good" {
			through++
			t.Errorf("what was exchanged is installed: %s", m.installed())
		}
	}
	return tries, through
}
