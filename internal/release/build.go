package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// stampAt is the variable from which programs know their version.
const stampAt = "github.com/sabot-table/sabot/internal/terminal.stamped"

// build builds programs into a folder. Nothing of this machine gets into them: no path, no
// time, no state of a repository.
func (m maker) build(ctx context.Context, folder string, env []string, programs []string) error {
	args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -X " + stampAt + "=" +
		m.edition.version, "-o", folder + string(filepath.Separator)}
	cmd := exec.CommandContext(ctx, "go", append(args, sourcesOf(programs)...)...)
	cmd.Dir, cmd.Env = m.root, m.environment(env)
	if printed, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, printed)
	}
	return nil
}

// environment is that of whoever makes packages, without what would change them.
func (m maker) environment(env []string) []string {
	return append(os.Environ(), append([]string{
		"CGO_ENABLED=0", "GOFLAGS=", "GOOS=linux", "GOAMD64=v1", "GOARM64=v8.0",
		"GOEXPERIMENT=",
	}, env...)...)
}

func sourcesOf(programs []string) (packages []string) {
	for _, p := range programs {
		packages = append(packages, "./cmd/"+p)
	}
	return packages
}

// manual builds the programs for this machine, and has them say what is in the manual.
func (m maker) manual(ctx context.Context, work string) (map[string]Program, error) {
	folder := filepath.Join(work, "here")
	var names []string
	for _, r := range rows {
		names = append(names, r.programs...)
	}
	slices.Sort(names)
	if err := m.build(ctx, folder, nil, names); err != nil {
		return nil, err
	}
	programs := map[string]Program{}
	for _, name := range names {
		p, err := Ask(filepath.Join(folder, name), name)
		if err != nil {
			return nil, err
		}
		programs[name] = p
	}
	return programs, nil
}
