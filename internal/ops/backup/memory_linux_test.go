package backup

import (
	"bufio"
	"os"
	"strings"
	"testing"
)

// TestInMemory: the kernel's word on each file system here is what its list of mounts says.
func TestInMemory(t *testing.T) {
	mounts, err := os.Open("/proc/self/mounts")
	if err != nil {
		t.Fatal(err)
	}
	defer mounts.Close()
	last := map[string]string{} // what is mounted last on a folder hides what was there
	lines := bufio.NewScanner(mounts)
	for lines.Scan() {
		if f := strings.Fields(lines.Text()); len(f) > 2 && !strings.Contains(f[1], `\`) {
			last[f[1]] = f[2]
		}
	}
	for folder, kind := range last {
		got, err := inMemory(folder)
		if err != nil || kind == "devtmpfs" || kind == "autofs" {
			continue // not everything may be looked at, and the kernel calls devtmpfs one of the others
		}
		want := ""
		if kind == "tmpfs" || kind == "ramfs" || kind == "overlay" {
			want = kind
		}
		if got != want {
			t.Errorf("%s is on %s, and is taken for %q", folder, kind, got)
		}
	}
	if _, err := inMemory("/proc/self/nothing-there"); err == nil {
		t.Error("a folder that is not there is on a file system")
	}
}
