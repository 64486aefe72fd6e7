//go:build unix

package journal

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/system"
)

// TestReadOnlyDisk reads a journal from a directory in which nothing can be created. Root may
// write everywhere, which proves nothing: as root the test runs itself as the user nobody.
func TestReadOnlyDisk(t *testing.T) {
	if os.Geteuid() == 0 {
		system.AsNobody(t)
		return
	}
	path := newPath(t)
	j := mustOpen(t, path)
	fill(t, j, 10)
	mustClose(t, j)
	dir := filepath.Dir(path)
	must(t, os.Chmod(dir, 0o555))
	defer os.Chmod(dir, 0o755)

	r, err := OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer mustClose(t, r)
	if got := len(records(t, r, 1)); got != 10 {
		t.Errorf("%d records, want 10", got)
	}
	must(t, os.Chmod(dir, 0o755))
	must(t, os.Remove(path+".lock"))
	must(t, os.Chmod(dir, 0o555))
	_, err = Open(path, Options{})
	if !errors.Is(err, os.ErrPermission) || !strings.Contains(err.Error(), "check owner and mode") {
		t.Errorf("to write: %v", err)
	}
}
