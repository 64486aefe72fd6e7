package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// row is a package. What is in it, and where, says deploy/package/NAME.yaml.
type row struct {
	name string
	// programs are those of cmd/ that it holds; without any it is for all processors.
	programs []string
}

var rows = []row{
	{"sabot", []string{"sabotd", "sabot"}},
	{"sabot-pit", []string{"sabot-pit"}},
	{"sabot-kiosk", nil},
}

// processor is one for which programs are built.
type processor struct {
	// debian is its name for dpkg.
	debian string
	// env has Go build for it.
	env []string
}

var processors = []processor{
	{"amd64", []string{"GOARCH=amd64"}},
	{"arm64", []string{"GOARCH=arm64"}},
	{"armhf", []string{"GOARCH=arm", "GOARM=7"}},
}

// everyProcessor is dpkg's name for packages without programs.
const everyProcessor = "all"

// maker makes packages.
type maker struct {
	// root is the folder of the source, out that of the packages, both absolute.
	root, out string
	edition   edition
	// for which processors, by dpkg's names
	archs []string
}

// make builds every package, lists them in SHA256SUMS, and returns the names of the files.
func (m maker) make(ctx context.Context) (files []string, err error) {
	if err := os.MkdirAll(m.out, 0o755); err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp(m.out, ".unfinished-")
	if err != nil {
		return nil, err
	}
	defer func() {
		if gone := os.RemoveAll(work); err == nil {
			err = gone
		}
	}()
	pages, err := m.manual(ctx, work)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		for _, arch := range r.archs(m.archs) {
			s := stage{maker: m, row: r, arch: arch, folder: filepath.Join(work, r.name+"_"+arch), pages: pages}
			file, err := s.pack(ctx)
			if err != nil {
				return nil, fmt.Errorf("package %s for %s: %w", r.name, arch, err)
			}
			files = append(files, file)
		}
	}
	slices.Sort(files)
	return files, writeSums(m.out, files)
}

// archs are the processors for which a package is made, of those that are asked for.
func (r row) archs(asked []string) []string {
	if r.programs == nil {
		return []string{everyProcessor}
	}
	return asked
}

// processorsNamed checks a list of dpkg's names; an empty one means all.
func processorsNamed(list string) (names []string, _ error) {
	for _, p := range processors {
		names = append(names, p.debian)
	}
	if list == "" {
		return names, nil
	}
	asked := strings.Split(list, ",")
	for _, name := range asked {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("%q is no processor: name some of %s", name, strings.Join(names, ", "))
		}
	}
	return asked, nil
}
