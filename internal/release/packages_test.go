//go:build packages

package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// listed matches a line of dpkg-deb -c: mode, owner, size, date, name.
var listed = regexp.MustCompile(`(?m)^(\S+) (\S+) +\d+ (\S+ \S+) \.(\S+)$`)

// TestContents: each package holds what deploy/package says, with these modes, and nothing else. Pages of the manual
// are left to TestManual, which compares them with the commands.
func TestContents(t *testing.T) {
	for _, r := range rows {
		wanted := contents(t, r)
		for _, f := range listed.FindAllStringSubmatch(output(t, "dpkg-deb", "-c", r.file(packages(t), version)), -1) {
			mode, name := f[1], f[4]
			if f[2] != "root/root" || f[3] != "2026-11-23 12:16" {
				t.Errorf("%s: %s belongs to %s, and is of %s", r.name, name, f[2], f[3])
			}
			want, ok := wanted[name]
			delete(wanted, name)
			switch {
			case strings.HasPrefix(mode, "d"):
				if mode != "drwxr-xr-x" {
					t.Errorf("%s: the folder %s is %s", r.name, name, mode)
				}
			case !strings.HasPrefix(name, "/usr/share/man/") && (!ok || mode != want):
				t.Errorf("%s: %s is %s, want %q", r.name, name, mode, want)
			}
		}
		for name := range wanted {
			t.Errorf("%s lacks %s", r.name, name)
		}
	}
}

// content matches what nfpm is to pack: source, destination, mode.
var content = regexp.MustCompile(`(?m)^  - \{src: "?([^",]+)"?, dst: ([^,]+),.*\bmode: (\d+)\}\}$`)

// contents are the modes of the files of a package, but for the manual's pages, by deploy/package.
func contents(t *testing.T, r row) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "deploy/package", r.name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	rows := content.FindAllStringSubmatch(string(text), -1)
	if n := bytes.Count(text, []byte("src:")); n == 0 || n != len(rows) {
		t.Fatalf("%d of the %d rows of %s.yaml can be read", len(rows), n, r.name)
	}
	modes := map[string]string{}
	for _, c := range rows {
		mode, err := strconv.ParseUint(c[3], 8, 32)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range r.expanded(t, c[1]) {
			modes[c[2]+name] = fs.FileMode(mode).String()
		}
	}
	return modes
}

// expanded are the names that a source adds to its destination: an empty one if it is one file, none for the manual.
func (r row) expanded(t *testing.T, src string) (names []string) {
	t.Helper()
	switch {
	case strings.HasPrefix(src, "${BUILT}/man/"):
		return nil
	case src == "${BUILT}/completion/*":
		return r.programs
	case !strings.Contains(src, "*"):
		return []string{""}
	}
	files, err := filepath.Glob(filepath.Join(root, src))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", src, len(files), err)
	}
	for _, file := range files {
		names = append(names, filepath.Base(file))
	}
	return names
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
