package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// sizes begins the names of the figures of the programs as they are released for a table's computer.
const sizes = "arm.size."

// programSizes builds them as make build does, and looks how large they are.
func programSizes(root string) (rows []row, err error) {
	folder, err := os.MkdirTemp("", "sabot-figures-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	names := []string{"sabotd", "sabot", "sabot-pit", "sabot-demo"}
	args := []string{
		"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o",
		folder + string(filepath.Separator),
	}
	for _, name := range names {
		args = append(args, "./cmd/"+name)
	}
	build := exec.Command("go", args...)
	build.Dir, build.Env = root, append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=arm64")
	if said, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", build, err, said)
	}
	for _, name := range names {
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		rows = append(rows, newRow(sizes+name, "MiB of the program for linux/arm64, stripped",
			[]float64{float64(info.Size()) / (1 << 20)}))
	}
	return rows, nil
}
