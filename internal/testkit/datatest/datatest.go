// Package datatest runs the files of datadriven that a test embeds. The cache of go test knows what is in them; of
// files that a test opens it knows only when they were written, which every checkout does anew.
package datatest

import (
	"embed"
	"flag"
	"path"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// Run is datadriven.RunTest for an embedded file. With -rewrite it writes the file itself anew.
func Run(t *testing.T, files embed.FS, file string, do func(t *testing.T, d *datadriven.TestData) string) {
	t.Helper()
	if flag.Lookup("rewrite").Value.String() == "true" {
		datadriven.RunTest(t, file, do)
		return
	}
	text, err := files.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if t.Failed() {
			t.Logf("the lines above are those of %s", file)
		}
	}()
	datadriven.RunTestFromString(t, string(text), do)
}

// Each runs a test of its own for each file of an embedded folder, by its name without its ending.
func Each(t *testing.T, files embed.FS, folder string, test func(t *testing.T, file string)) {
	t.Helper()
	entries, err := files.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		t.Run(strings.TrimSuffix(e.Name(), path.Ext(e.Name())), func(t *testing.T) {
			if file := path.Join(folder, e.Name()); e.IsDir() {
				Each(t, files, file, test)
			} else {
				test(t, file)
			}
		})
	}
}
