package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/securefile"
)

// TestMirror: a tree has what the clone has after any change of it, and a file that has not changed keeps its time.
func TestMirror(t *testing.T) {
	clone, tree := t.TempDir(), filepath.Join(t.TempDir(), "tree")
	t.Chdir(clone)
	shell := func(line string) {
		t.Helper()
		if out, err := exec.Command("bash", "-ec", line).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	shell("git init -q; echo node_modules/ >.gitignore; echo dist/ >>.gitignore; echo 1 >same; echo 1 >changed; " +
		"echo 1 >deleted")
	shell("mkdir -p a/b was; echo 1 >a/b/c; echo 1 >was/folder; echo 1 >file; ln -s same link; echo 1 >run; chmod " +
		"755 run; git add .")
	mirrored := func() {
		t.Helper()
		if err := mirror(context.Background(), tree); err != nil {
			t.Fatal(err)
		}
		list := func(folder string) string {
			out, err := exec.Command("bash", "-ec", "cd '"+folder+
				"'; find . -path ./.git -prune -o -not -path '*/node_modules*' -not -path './dist*' "+
				"\\( -type f -o -type l \\) -printf '%P %m %l\\n' -exec cat {} \\; | sort").Output()
			if err != nil {
				t.Fatal(err)
			}
			return string(out)
		}
		if got, want := list(tree), list(clone); got != want || !strings.Contains(got, "same") {
			t.Errorf("the tree has\n%s\nand the clone\n%s", got, want)
		}
	}
	mirrored()
	before := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(filepath.Join(tree, "same"), before, before); err != nil {
		t.Fatal(err)
	}
	shell("mkdir -p '" + tree + "/x/node_modules' '" + tree + "/dist'; touch '" + tree + "/x/node_modules/kept' '" +
		tree + "/dist/kept' '" + tree + "/left'")
	shell("echo 2 >changed; rm deleted; rm -r was; echo 2 >was; rm file; mkdir file; echo 2 >file/in; ln -sf " +
		"changed link; chmod 644 run; mv a/b/c a/c")
	shell("touch same; mkdir -p node_modules; echo 1 >node_modules/ignored; echo 3 >untracked")
	mirrored()
	if info, err := os.Stat(filepath.Join(tree, "same")); err != nil || !info.ModTime().Equal(before) {
		t.Errorf("what has not changed was written: %v, %v", info.ModTime(), err)
	}
	for _, kept := range []string{"x/node_modules/kept", "dist/kept"} {
		if _, err := os.Stat(filepath.Join(tree, kept)); err != nil {
			t.Errorf("what was built is gone: %v", err)
		}
	}
}

// TestHold: a tree is one run's, until that leaves it.
func TestHold(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "some", "lock")
	leave, err := hold(lock)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := hold(lock); !errors.Is(err, securefile.ErrLocked) {
		t.Errorf("it is held twice: %v", err)
	}
	leave()
	leave, err = hold(lock)
	if err != nil {
		t.Fatal(err)
	}
	leave()
}
