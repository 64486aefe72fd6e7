package board

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

func newCache(t *testing.T) *cache {
	t.Helper()
	c, err := openCache(func(what string) { t.Log(what) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.close)
	return c
}

// What a killed run left, and what has not been used for long, is removed; the rest stays.
func TestTidy(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	c := newCache(t)
	long := time.Now().Add(-unusedLast - time.Hour)
	for path, unused := range map[string]bool{
		"pc-6.1.0-56-amd64-01": false, "pc-6.1.0-50-amd64-02": true, "unfinished-123": false, "apt": true,
		"packages/new.deb": false, "packages/old.deb": true,
	} {
		path = filepath.Join(c.dir, path)
		if err := writeFile(filepath.Join(path, "file"), "text"); err != nil {
			t.Fatal(err)
		}
		if unused {
			if err := os.Chtimes(path, long, long); err != nil {
				t.Fatal(err)
			}
		}
	}
	c.close()
	c = newCache(t)
	var left []string
	for _, pattern := range []string{"*", "packages/*"} {
		found, err := filepath.Glob(filepath.Join(c.dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			left = append(left, strings.TrimPrefix(path, c.dir+"/"))
		}
	}
	if want := []string{
		"apt", "lock", "packages", "pc-6.1.0-56-amd64-01",
		"packages/new.deb",
	}; !slices.Equal(left, want) {
		t.Errorf("the cache has %q, not %q", left, want)
	}
}

// One run has the cache at a time, and releases it.
func TestOneAtATime(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	c := newCache(t)
	another, err := os.Open(c.lock.Name())
	if err != nil {
		t.Fatal(err)
	}
	defer another.Close()
	take := func() error { return syscall.Flock(int(another.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
	if err := take(); !errors.Is(err, syscall.EWOULDBLOCK) {
		t.Errorf("a second run takes the cache: %v", err)
	}
	c.close()
	if err := take(); err != nil {
		t.Errorf("nobody has the cache, but: %v", err)
	}
}

// Another version of a package, or another board, has a folder of its own.
func TestFolder(t *testing.T) {
	c := &cache{dir: "/cache"}
	set := packages{release: "6.1.0-56-amd64", files: []file{{name: "linux_1.deb", hash: "SHA256:01"}}}
	is := c.folder(PC, set)
	if !strings.HasPrefix(is, "/cache/pc-6.1.0-56-amd64-") {
		t.Errorf("the folder is %s", is)
	}
	newer := set
	newer.files = []file{{name: "linux_1.deb", hash: "SHA256:02"}}
	if c.folder(PC, newer) == is || c.folder(Pi, set) == is || c.folder(PC, set) != is {
		t.Error("the folder does not distinguish packages or boards")
	}
}
