package board

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// project is where the project's packages are.
const project = "github.com/sabot-table/sabot/"

// Build compiles programs of the project, by their folders, for a processor (amd64, arm64 or armv7), and returns their
// paths. They are built like a release.
func Build(ctx context.Context, dir, arch string, programs ...string) (paths map[string]string, err error) {
	args := []string{"build", "-trimpath", "-ldflags=-s -w", "-o", dir + "/"}
	paths = make(map[string]string)
	for _, p := range programs {
		args = append(args, project+p)
		paths[filepath.Base(p)] = filepath.Join(dir, filepath.Base(p))
	}
	return paths, compile(ctx, arch, args)
}

// BuildTests compiles the tests of a package that have a build tag.
func BuildTests(ctx context.Context, dir, arch, tag, pkg string) (path string, err error) {
	path = filepath.Join(dir, filepath.Base(pkg)+".test")
	return path, compile(ctx, arch, []string{"test", "-c", "-trimpath", "-tags=" + tag, "-o", path, project + pkg})
}

func compile(ctx context.Context, arch string, args []string) error {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch)
	if arch == "armv7" {
		cmd.Env = append(cmd.Env, "GOARCH=arm", "GOARM=7")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s for %s: %w\n%s", strings.Join(args, " "), arch, err, out)
	}
	return nil
}
