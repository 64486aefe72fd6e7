//go:build packages

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// listed matches a line of dpkg-deb -c: mode, owner, size, date, name.
var listed = regexp.MustCompile(`(?m)^(\S+) (\S+) +\d+ (\S+ \S+) \.(\S+)$`)

// TestContents: each package holds what its list says, with these modes. Pages of the manual are
// in no list: TestManual compares them with the commands.
func TestContents(t *testing.T) {
	for _, r := range rows {
		var got strings.Builder
		for _, f := range listed.FindAllStringSubmatch(output(t, "dpkg-deb", "-c", r.file(packages(t), version)), -1) {
			if !strings.HasPrefix(f[1], "d") && !strings.HasPrefix(f[4], "/usr/share/man/") {
				got.WriteString(f[1] + " " + f[4] + "\n")
			}
			if f[2] != "root/root" || f[3] != "2026-11-23 12:16" {
				t.Errorf("%s: %s belongs to %s, and is of %s", r.name, f[4], f[2], f[3])
			}
			if strings.HasPrefix(f[1], "d") && f[1] != "drwxr-xr-x" {
				t.Errorf("%s: the folder %s is %s", r.name, f[4], f[1])
			}
		}
		path := filepath.Join("testdata", r.name+".contents")
		if rewrite() {
			if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(path); err != nil || string(want) != got.String() {
			t.Errorf("%s holds, %v\n%s", r.name, err, &got)
		}
	}
}

// unpack unpacks a package, and returns the folder.
func unpack(t *testing.T, r row) string {
	t.Helper()
	folder := t.TempDir()
	output(t, "dpkg-deb", "-x", r.file(packages(t), version), folder)
	return folder
}

// TestManual: there is a page for each program and each of its commands.
func TestManual(t *testing.T) {
	for _, r := range rows {
		folder := unpack(t, r)
		for _, name := range r.programs {
			p, err := Ask(filepath.Join(folder, "usr/bin", name), name)
			if err != nil {
				t.Fatal(err)
			}
			for _, page := range p.Pages(Edition{}) {
				section := filepath.Ext(page.File)[1:]
				if _, err := os.Stat(filepath.Join(folder, "usr/share/man/man"+section, page.File+".gz")); err != nil {
					t.Error(err)
				}
			}
			if said := output(t, filepath.Join(folder, "usr/bin", name), versionFlag(name)); said != name+" "+
				version+"\n" {
				t.Errorf("%s says %q", name, said)
			}
		}
	}
}

// versionFlag is how a program is asked for its version.
func versionFlag(program string) string {
	if program == "sabot" {
		return "version"
	}
	return "--version"
}

// TestLintian: Debian's own checks find no error and no warning.
func TestLintian(t *testing.T) {
	for _, r := range rows {
		out, err := exec.Command("lintian", "--allow-root", "--fail-on", "error,warning", "--tag-display-limit", "0",
			r.file(packages(t), version)).CombinedOutput()
		if err != nil {
			t.Errorf("lintian %s: %v\n%s; apt-get install lintian", r.name, err, out)
		}
	}
}

// TestSums: sha256sum agrees with what is signed.
func TestSums(t *testing.T) {
	cmd := exec.Command("sha256sum", "--check", "--strict", sumsFile)
	cmd.Dir = packages(t)
	if out, err := cmd.CombinedOutput(); err != nil || bytes.Count(out, []byte(": OK")) != len(rows) {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestReproducible: the same source gives the same bytes from another folder, in another time
// zone, with other rights for new files.
func TestReproducible(t *testing.T) {
	source := filepath.Join(t.TempDir(), "another place", "sabot")
	copySource(t, source)
	env := []string{"TZ=Pacific/Auckland", "LANG=C", "LC_ALL=C", "GOMAXPROCS=1"}
	if *fresh {
		env = append(env, "GOCACHE="+t.TempDir())
	}
	out := t.TempDir()
	if err := pack(source, version, out, env...); err != nil {
		t.Fatal(err)
	}
	one, err := os.ReadFile(filepath.Join(packages(t), sumsFile))
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile(filepath.Join(out, sumsFile))
	if err != nil || !bytes.Equal(one, other) {
		t.Errorf("two builds differ, %v\n%s\n%s", err, one, other)
	}
}

// copySource copies the files that git knows, for their owner alone and with today's date.
func copySource(t *testing.T, to string) {
	t.Helper()
	for name := range strings.SplitSeq(strings.TrimRight(output(t, "git", "-C", root, "ls-files", "-z"), "\x00"),
		"\x00") {
		from, copied := filepath.Join(root, name), filepath.Join(to, name)
		info, err := os.Stat(from)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(copied), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copied, text, info.Mode().Perm()&0o700); err != nil {
			t.Fatal(err)
		}
	}
}
