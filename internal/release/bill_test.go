package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"

	"github.com/sabot-table/sabot/internal/testkit/processes"
)

// built is a program of Sabot's, and what is in it.
func built(t *testing.T) (string, []Part) {
	t.Helper()
	program := processes.Binary(t, "sabotd")
	build := Build{Root: "../..", Packages: []string{"./cmd/sabotd"}, Env: []string{"CGO_ENABLED=0"}}
	parts, err := Parts(build, program)
	if err != nil {
		t.Fatal(err)
	}
	return program, parts
}

// TestParts: what Go says is in a program is in its bill and in its file of copyrights, with
// terms of its own.
func TestParts(t *testing.T) {
	program, parts := built(t)
	said, err := exec.Command("go", "version", "-m", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	var modules []string
	for line := range strings.Lines(string(said)) {
		if fields := strings.Fields(line); fields[0] == "dep" {
			modules = append(modules, fields[1]+"@"+fields[2])
		}
	}
	if len(modules) < 10 {
		t.Fatalf("go version -m names %q", modules)
	}
	of := Subject{"sabot", "1.2.3", "arm64", time.Unix(1795436194, 0)}
	text, err := Materials(of, parts)
	if err != nil {
		t.Fatal(err)
	}
	var bom cdx.BOM
	if err := cdx.NewBOMDecoder(bytes.NewReader(text), cdx.BOMFileFormatJSON).Decode(&bom); err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, c := range *bom.Components {
		listed = append(listed, strings.TrimPrefix(c.PackageURL, "pkg:golang/"))
		if c.Licenses == nil || len(*c.Licenses) == 0 {
			t.Errorf("%s has no licence", c.PackageURL)
		}
	}
	copyright := Copyright(2026, parts)
	for _, module := range modules {
		if !slices.Contains(listed, module) {
			t.Errorf("the bill of materials lacks %s", module)
		}
		if !strings.Contains(copyright, "\nFiles: "+module+"/*\n") {
			t.Errorf("the file of copyrights lacks %s", module)
		}
	}
	if len(listed) != len(modules)+1 || !slices.ContainsFunc(listed, func(s string) bool {
		return strings.HasPrefix(s, "std@1.")
	}) {
		t.Errorf("besides the modules, the bill has not Go's own library alone: %q", listed)
	}
	if again, err := Materials(of, parts); err != nil || !bytes.Equal(text, again) {
		t.Errorf("the bill of materials is not the same twice, %v", err)
	}
}

const mit = `MIT License

Copyright (c) 2026 Somebody

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`

// TestNoLicence: a part without a licence that is recognised is an error.
func TestNoLicence(t *testing.T) {
	reader, err := newReader()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		files map[string]string
		want  []string // the files that are found; none for an error
	}{
		{map[string]string{"README": mit}, nil},
		{map[string]string{"LICENSE": "You may do what you like on Tuesdays."}, nil},
		{map[string]string{"license.go": mit, "licenses.txt": mit}, nil},
		{map[string]string{"AUTHORS": "Somebody", "NOTICE": "Take notice."}, nil},
		{map[string]string{"LICENSE": mit, "AUTHORS": "Somebody"}, []string{"AUTHORS", "LICENSE"}},
		{map[string]string{"licence.txt": mit}, []string{"licence.txt"}},
		{map[string]string{"a/b/LICENSE-MIT": mit, "c/LICENSE": mit}, []string{"a/b/LICENSE-MIT"}},
	} {
		root := t.TempDir()
		for _, folder := range []string{"a/b", "c"} {
			if err := os.MkdirAll(filepath.Join(root, folder), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		for name, text := range c.files {
			if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		found, err := reader.of(source{root, []string{filepath.Join(root, "a", "b")}})
		var files []string
		for _, l := range found {
			files = append(files, l.File)
		}
		if c.want == nil && !errors.Is(err, errNoLicence) || c.want != nil &&
			(err != nil || !slices.Equal(files, c.want)) {
			t.Errorf("%v: found %q, %v", c.files, files, err)
		}
	}
}

// TestCopyright: terms are passed on word for word, as Debian's form wants it.
func TestCopyright(t *testing.T) {
	text := Copyright(2026, []Part{{
		Path: "go.example/x", Version: "v1.0.0",
		Licences: []Licence{{
			File: "LICENSE", Names: []string{"MIT"}, Holders: []string{"Copyright (c) 2026 Somebody"},
			Text: mit,
		}},
	}})
	for _, want := range []string{
		"\nFiles: *\nCopyright: 2026 The authors of Sabot\nLicense: Apache-2.0\n",
		"\nFiles: go.example/x@v1.0.0/*\nCopyright: Copyright (c) 2026 Somebody\nLicense: Expat~go.example-x\n " +
			"[LICENSE]\n .\n MIT License\n .\n Copyright",
		"\n SOFTWARE.\n\nLicense: Apache-2.0\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
}
