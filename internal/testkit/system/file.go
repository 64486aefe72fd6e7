package system

import (
	"os"
	"path/filepath"
	"testing"
)

// File is the absolute path of a file of the module that another program is to read or to run. It is opened here, so
// that go test knows that its result depends on it and does not use a cached one when the file has changed.
func File(t testing.TB, path string) string {
	t.Helper()
	if _, err := os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return absolute
}
