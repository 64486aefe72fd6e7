package board

import (
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
)

// tools are the programs that the boards need, each with Debian's package.
var tools = map[string]string{
	"apt-cache": "apt", "apt-get": "apt", "depmod": "kmod", "dpkg-deb": "dpkg", "fdtput": "device-tree-compiler",
	"gcc": "gcc", "go": "golang, or the version of go.mod from go.dev", "make": "make", "modprobe": "kmod",
	"qemu-arm": "qemu-user", "qemu-system-aarch64": "qemu-system-arm", "qemu-system-x86_64": "qemu-system-x86",
	"readelf": "binutils", "sh": "dash", "tar": "tar", "xz": "xz-utils",
}

// ErrNoTool: the machine lacks a program that the boards need.
var ErrNoTool = errors.New("the emulated boards cannot be made without it")

// Tools says which programs are missing, and the command that installs them.
func Tools() error {
	var missing, from []string
	for _, name := range slices.Sorted(maps.Keys(tools)) {
		if _, err := findTool(name); err != nil {
			missing, from = append(missing, name), append(from, tools[name])
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("%s: not found, and %w: apt-get install %s", strings.Join(missing, ", "), ErrNoTool,
		strings.Join(slices.Compact(from), " "))
}

// findTool returns a program's path. It also searches the folders of administrators' programs.
func findTool(name string) (string, error) {
	for _, folder := range []string{"", "/usr/sbin/", "/sbin/"} {
		if path, err := exec.LookPath(folder + name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s: not found, and %w: apt-get install %s", name, ErrNoTool, tools[name])
}
