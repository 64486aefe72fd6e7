package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// check is make check: vet, staticcheck, form, and the tests of the packages that the change since a commit reaches.
func check(ctx context.Context, base string, out io.Writer) error {
	files, err := changedFiles(ctx, base)
	if err != nil {
		return err
	}
	all, err := listed(ctx)
	if err != nil {
		return err
	}
	changed := map[string]bool{}
	var others []string
	for _, file := range files {
		folder := packageOf(all, file)
		if folder != "" {
			changed[folder] = true
		}
		if folder == "" || slices.Contains(ofPages, path.Ext(file)) {
			others = append(others, file)
		}
	}
	if len(others) > 0 {
		fmt.Fprintf(out, "make test also looks at what belongs to no package, and at the pages: %s\n",
			strings.Join(others, " "))
	}
	packages := reached(all, changed)
	fmt.Fprintf(out, "%d files changed since %s, in %d packages; they reach %d\n", len(files), base, len(changed),
		len(packages))
	if len(packages) == 0 {
		return errors.Join(formatted(ctx), narrow(ctx))
	}
	tested, later := split(packages, changed)
	if len(later) > 0 {
		fmt.Fprintf(out, "make test also runs what starts built programs: %s\n", strings.Join(later, " "))
	}
	t := newTally(out)
	err = stages(ctx, out, []stage{
		{"lint", func(ctx context.Context) error { return lint(ctx, out, packages) }},
		{"go", func(ctx context.Context) error {
			env := append([]string{tier.Variable + "=check"}, landingEnv...)
			return t.stage(ctx, env, append([]string{"-vet=off", linked, "-p", "3", "-timeout", "5m"}, tested...)...)
		}},
	})
	t.slowest(10)
	fmt.Fprintf(out, "%d passed, %d failed, %d skipped; %d tests belong to another tier\n", t.passed, t.failed,
		t.skipped, t.elsewhere)
	return err
}

// ofPages is how the names of files end that a browser runs or shows: the tests of the pages look at them.
var ofPages = []string{".mjs", ".js", ".css"}

// split takes from the packages whose tests are run those that start built programs, unless they have changed
// themselves: nearly every change reaches them, and they take longer than all others.
func split(packages []string, changed map[string]bool) (tested, later []string) {
	for _, one := range packages {
		folder := strings.TrimPrefix(one, "./")
		command := strings.HasPrefix(folder, "cmd/")
		if (command || folder == "docs" || strings.HasPrefix(folder, "internal/release")) && !changed[folder] {
			later = append(later, one)
		} else {
			tested = append(tested, one)
		}
	}
	return tested, later
}

// changedFiles are the files that differ from a commit, and those that git does not know yet. Where nothing differs,
// they are those of the last commit.
func changedFiles(ctx context.Context, base string) ([]string, error) {
	git := func(args ...string) ([]string, error) {
		text, err := command{name: "git", args: args}.output(ctx)
		return strings.Fields(text), err
	}
	files, err := git("diff", "--name-only", base)
	if err != nil {
		return nil, err
	}
	fresh, err := git("ls-files", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	if files = append(files, fresh...); len(files) > 0 {
		return files, nil
	}
	return git("diff", "--name-only", base+"~1")
}

// packageOf is the folder of the package that a file belongs to: the nearest one around it.
func packageOf(all map[string]pkg, file string) string {
	for folder := path.Dir(file); folder != "."; folder = path.Dir(folder) {
		if _, is := all[folder]; is {
			return folder
		}
	}
	return ""
}
