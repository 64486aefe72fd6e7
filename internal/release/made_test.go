//go:build packages

package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

var fresh = flag.Bool("fresh", false, "build the second time without anything of the first, which takes minutes")

// root is the folder of the source.
const root = "../.."

// The version and time of the packages that the tests make, and of a later one.
const (
	version, later, epoch = "v1.2.3", "v1.2.4", "1795436194"
	arch                  = "amd64"
)

// madeIn is the folder in which packages are made once for all tests.
var madeIn string

func TestMain(m *testing.M) {
	flag.Parse()
	var err error
	if madeIn, err = os.MkdirTemp("", "packages-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	if err := os.RemoveAll(madeIn); err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

// pack makes packages with the source in a folder.
func pack(source, version, out string, env ...string) error {
	return packFor(arch, source, version, out, env...)
}

// packFor makes them for processors, by dpkg's names.
func packFor(arch, source, version, out string, env ...string) error {
	cmd := exec.Command("go", "run", "./internal/release", "packages", "--version", version, "--arch", arch,
		"--out", out)
	cmd.Dir, cmd.Env = source, append(os.Environ(), append([]string{"SOURCE_DATE_EPOCH=" + epoch}, env...)...)
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, said)
	}
	return nil
}

var made = sync.OnceValue(func() error { return pack(root, version, filepath.Join(madeIn, version)) })

// packages returns the folder with the packages of this source.
func packages(t *testing.T) string {
	t.Helper()
	if err := made(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(madeIn, version)
}

// file is a package of a version in its folder.
func (r row) file(folder, version string) string {
	return filepath.Join(folder, fmt.Sprintf("%s_%s_%s.deb", r.name, strings.TrimPrefix(version, "v"),
		r.archs([]string{arch})[0]))
}

// output runs a tool, and returns what it prints.
func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}
