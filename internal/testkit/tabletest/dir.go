package tabletest

import (
	"os"
	"testing"
)

// FastDir returns a folder for a journal whose durability is not under test: in
// memory where the system offers that, since a shift's hundreds of thousands of
// fsyncs wear a disk. It goes with the test.
func FastDir(t testing.TB) string {
	t.Helper()
	const memory = "/dev/shm"
	if info, err := os.Stat(memory); err != nil || !info.IsDir() {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(memory, "sabot-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Errorf("removing the test's journal: %v", err)
		}
	})
	return dir
}
