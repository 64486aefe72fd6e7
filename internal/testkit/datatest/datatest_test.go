package datatest

import (
	"embed"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

//go:embed testdata/files
var testdata embed.FS

// TestEach: every file of a folder is run, to its last line.
func TestEach(t *testing.T) {
	var ran []string
	Each(t, testdata, "testdata/files", func(t *testing.T, file string) {
		Run(t, testdata, file, func(t *testing.T, d *datadriven.TestData) string {
			ran = append(ran, file+" "+d.Cmd)
			return strings.ToUpper(d.Input) + "\n"
		})
	})
	want := []string{"testdata/files/a.txt one", "testdata/files/a.txt two", "testdata/files/b/c three"}
	if !slices.Equal(ran, want) {
		t.Errorf("ran %q", ran)
	}
}
