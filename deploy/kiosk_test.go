package deploy_test

import (
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/system"
)

// TestAttackKioskKey: whoever reads the log of the kiosk or the list of processes does not find the key of its screen,
// and the file that leads the browser there is its user's alone.
func TestAttackKioskKey(t *testing.T) {
	const key = "ABCD-EFGH"
	home, programs := t.TempDir(), t.TempDir()
	// Each notes what it is started with; curl reaches the page at its second try.
	for name, text := range map[string]string{
		"curl":     "echo \"$@\" >>seen; test -e tried || { touch tried; exit 1; }",
		"sleep":    ":",
		"chromium": "echo \"$@\" >>seen",
	} {
		if err := os.WriteFile(filepath.Join(programs, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	const page = "https://127.0.0.1:8443/enter?lang=de&again=1"
	run := func(script, address string) string {
		c := exec.Command(system.File(t, filepath.Join("package/sabot-kiosk", script)))
		c.Dir = home
		c.Env = []string{"PATH=" + programs + ":" + os.Getenv("PATH"), "HOME=" + home, "SABOT_PAGE=" + address}
		said, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", script, err, said)
		}
		return string(said)
	}
	said := run("wait-for-page", page+"#"+key) + run("show-page", page+"#"+key)
	seen, err := os.ReadFile(filepath.Join(home, "seen"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(said, "waiting for "+page) || strings.Count(string(seen), page) < 2 {
		t.Fatalf("the page was not waited for:\n%s%s", said, seen)
	}
	attack.Report(t, "a screen's key in the kiosk's log and processes", strings.Count(said+string(seen), "\n"),
		strings.Count(said+string(seen), key))

	first := filepath.Join(home, "first.html")
	info, err := os.Stat(first)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the page with the key: %v, %v", info, err)
	}
	leads, err := os.ReadFile(first)
	if err != nil || !strings.Contains(html.UnescapeString(string(leads)), `content="0; url=`+page+"#"+key+`"`) {
		t.Errorf("the browser is led elsewhere: %s, %v", leads, err)
	}
	run("show-page", page)
	if seen, err = os.ReadFile(filepath.Join(home, "seen")); err != nil ||
		!strings.HasSuffix(string(seen), " "+page+"\n") {
		t.Errorf("an address without a key is not opened itself:\n%s, %v", seen, err)
	}
}

// TestKioskStarts: what locks the browser's profile is gone before each start, and a browser that has ended three times
// within a minute starts with a fresh profile; one that ends now and then keeps its own.
func TestKioskStarts(t *testing.T) {
	home, programs := t.TempDir(), t.TempDir()
	chromium := "#!/bin/sh\nls \"$HOME/browser\" >>\"$HOME/seen\"\nmkdir -p \"$HOME/browser\"\n" +
		"ln -sf another-computer-7 \"$HOME/browser/SingletonLock\"\ntouch \"$HOME/browser/kept\"\n"
	if err := os.WriteFile(filepath.Join(programs, "chromium"), []byte(chromium), 0o755); err != nil {
		t.Fatal(err)
	}
	script := system.File(t, "package/sabot-kiosk/show-page")
	for _, c := range []struct {
		uptime string
		fresh  bool
	}{
		{"20.11 5.0", true},
		{"22.50 5.0", false},
		{"25.00 5.0", false},
		{"79.99 5.0", true},
		{"81.00 5.0", false},
		// Started anew, and then now and then.
		{"9.00 5.0", false},
		{"100.00 5.0", false},
		{"200.00 5.0", false},
		{"300.00 5.0", false},
	} {
		uptime := filepath.Join(home, "uptime")
		if err := os.WriteFile(uptime, []byte(c.uptime+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(home, "seen")); err != nil {
			t.Fatal(err)
		}
		run := exec.Command(script)
		run.Env = []string{
			"PATH=" + programs + ":" + os.Getenv("PATH"), "HOME=" + home,
			"SABOT_PAGE=http://127.0.0.1:8080/", "UPTIME=" + uptime,
		}
		said, err := run.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		seen, err := os.ReadFile(filepath.Join(home, "seen"))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(seen), "SingletonLock") || strings.Contains(string(seen), "kept") == c.fresh {
			t.Errorf("at %s the browser finds %q: %s", c.uptime, seen, said)
		}
		if told := strings.Contains(string(said), "a fresh profile"); told != (c.fresh && c.uptime != "20.11 5.0") {
			t.Errorf("at %s it says %q", c.uptime, said)
		}
	}
}
