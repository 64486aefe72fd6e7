// What follows says of what the built programs are made: their modules with versions and
// licences, as a bill of materials and as Debian's file of copyrights.
//
// It is apart from the making of packages: the text of licences and the format of bills are known here alone.

package main

import (
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Part is something that was made elsewhere and is in a program: a module, Go's own library,
// or a file that is embedded.
type Part struct {
	// Path names it, such as go.bug.st/serial; std for Go's own library.
	Path string
	// Version is such as v1.8.0.
	Version string
	// Sum is Go's hash of the module, such as h1:…, or "" for what has none.
	Sum string
	// Licences are the files with its terms, at least one.
	Licences []Licence
}

// Build says how programs were built.
type Build struct {
	// Root is the folder of the source.
	Root string
	// Packages are the programs' packages, such as ./cmd/sabot.
	Packages []string
	// Env is what was added to the environment, such as GOARCH=arm64.
	Env []string
}

// standard is the path of Go's own library, which buildinfo does not list.
const standard = "std"

// Parts lists what is in programs that were built: Go's own library, every module that the
// linker says it used, and what Sabot itself embeds of others. A part without a licence is an
// error.
func Parts(build Build, programs ...string) ([]Part, error) {
	parts, err := linked(programs)
	if err != nil {
		return nil, err
	}
	sources, err := materialsOf(build)
	if err != nil {
		return nil, err
	}
	reader, err := newReader()
	if err != nil {
		return nil, err
	}
	for i := range parts {
		src, known := sources[parts[i].Path]
		if !known {
			return nil, fmt.Errorf("%s is in a program, and go list does not know it", parts[i].Path)
		}
		if parts[i].Licences, err = reader.of(src); err != nil {
			return nil, fmt.Errorf("%s %s: %w", parts[i].Path, parts[i].Version, err)
		}
	}
	embedded, err := reader.embedded(sources[""])
	return append(parts, embedded...), err
}

// linked reads from programs which modules are in them.
func linked(programs []string) ([]Part, error) {
	found := map[string]Part{}
	for _, program := range programs {
		info, err := buildinfo.ReadFile(program)
		if err != nil {
			return nil, err
		}
		found[standard] = Part{Path: standard, Version: strings.TrimPrefix(info.GoVersion, "go")}
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			found[m.Path] = Part{Path: m.Path, Version: m.Version, Sum: m.Sum}
		}
	}
	parts := make([]Part, 0, len(found))
	for _, p := range found {
		parts = append(parts, p)
	}
	slices.SortFunc(parts, func(a, b Part) int { return strings.Compare(a.Path, b.Path) })
	return parts, nil
}

// source is where a module is on this machine, and which of its folders are linked.
type source struct {
	root    string
	folders []string
}

// materialsOf asks Go where the modules of programs are, Sabot itself under "".
func materialsOf(build Build) (map[string]source, error) {
	cmd := exec.Command("go", append([]string{"list", "-deps", "-json=Dir,Standard,Module"}, build.Packages...)...)
	cmd.Dir, cmd.Env = build.Root, append(os.Environ(), build.Env...)
	out, err := cmd.Output()
	if exit, is := errors.AsType[*exec.ExitError](err); is {
		return nil, fmt.Errorf("go list: %w\n%s", err, exit.Stderr)
	}
	found := map[string]source{}
	for decode := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			Dir      string
			Standard bool
			Module   *struct {
				Path, Dir string
				Main      bool
			}
		}
		if err := decode.Decode(&p); errors.Is(err, io.EOF) {
			return found, nil
		} else if err != nil {
			return nil, err
		}
		switch {
		case p.Standard: // one licence at the root of Go is for all of it
			found[standard] = source{root: p.Dir[:strings.LastIndex(p.Dir, "/src/")]}
		case p.Module.Main:
			found[""] = source{p.Module.Dir, append(found[""].folders, p.Dir)}
		default:
			found[p.Module.Path] = source{p.Module.Dir, append(found[p.Module.Path].folders, p.Dir)}
		}
	}
}

// versionIn finds the version that a script states of itself at its top.
var versionIn = regexp.MustCompile(`^/\*![^\n]*\(v([0-9.]+)\)`)

// embedded lists what others made and Sabot embeds: each is a script NAME.js with its
// terms in NAME.LICENSE beside it.
func (r *reader) embedded(sabot source) (parts []Part, _ error) {
	for _, folder := range sabot.folders {
		files, err := filepath.Glob(filepath.Join(folder, "assets", "*.LICENSE"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			script, err := os.ReadFile(strings.TrimSuffix(file, ".LICENSE") + ".js")
			if err != nil {
				return nil, err
			}
			version := versionIn.FindSubmatch(script)
			if version == nil {
				return nil, fmt.Errorf("%s: the script beside it does not state its version in the first line", file)
			}
			licence, err := r.read(sabot.root, file)
			if err != nil {
				return nil, err
			}
			name := strings.TrimSuffix(filepath.Base(file), ".LICENSE")
			parts = append(parts, Part{Path: name, Version: string(version[1]), Licences: []Licence{licence}})
		}
	}
	return parts, nil
}
