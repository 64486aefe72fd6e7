package deploy_test

import (
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/attack"
)

// TestAttackKioskKey: whoever reads the log of the kiosk or the list of processes does not find the key of its screen, and the
// file that leads the browser there is its user's alone.
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
	scripts, err := filepath.Abs("package/sabot-kiosk")
	if err != nil {
		t.Fatal(err)
	}
	run := func(script, address string) string {
		c := exec.Command(filepath.Join(scripts, script))
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
	attack.Report(t, "a screen's key in the kiosk's log and processes", strings.Count(said+string(seen), "\n"), strings.Count(said+string(seen), key))

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
	if seen, err = os.ReadFile(filepath.Join(home, "seen")); err != nil || !strings.HasSuffix(string(seen), " "+page+"\n") {
		t.Errorf("an address without a key is not opened itself:\n%s, %v", seen, err)
	}
}
