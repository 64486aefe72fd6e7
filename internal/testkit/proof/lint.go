package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
)

// tagged are packages with files of a build tag, which only their own runs compile.
var tagged = []struct{ tags, packages string }{
	{"board,packages,image", "./cmd/sabotd ./internal/release"},
	{"uart", "./device"},
	{"ext4", "./table/journal"},
	{"onetable", "./cmd/sabot-demo"},
	{"gpiosim", "./device/gpio ./device/inventory"},
}

// lint looks at packages with go vet and staticcheck, and at the form of all files.
func lint(ctx context.Context, out io.Writer, packages []string) error {
	lines := []command{
		{name: "go", args: append([]string{"vet"}, packages...), env: landingEnv},
		{name: "go", args: append([]string{"tool", "staticcheck"}, packages...), env: landingEnv},
	}
	if len(packages) == 1 && packages[0] == "./..." {
		for _, t := range tagged {
			args := append([]string{"vet", "-tags", t.tags}, strings.Fields(t.packages)...)
			lines = append(lines, command{name: "go", args: args, env: landingEnv})
		}
	}
	var red error
	for _, line := range lines {
		red = errors.Join(red, line.run(ctx, out))
	}
	return errors.Join(red, formatted(ctx), narrow(ctx))
}

// formatted says whether all files are as gofumpt writes them.
func formatted(ctx context.Context) error {
	badly, err := command{name: "go", args: []string{"tool", "gofumpt", "-l", "."}, env: landingEnv}.output(ctx)
	if err != nil {
		return err
	}
	if badly != "" {
		return fmt.Errorf("not formatted, run go tool gofumpt -w .:\n%s", badly)
	}
	return nil
}
