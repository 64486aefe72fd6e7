//go:build packages

package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestOtherProcessors: the packages for a Raspberry Pi are made of the same source, and their programs run on such a
// processor, which is emulated.
func TestOtherProcessors(t *testing.T) {
	out := t.TempDir()
	emulators := map[string]string{"arm64": "qemu-aarch64-static", "armhf": "qemu-arm-static"}
	for arch, emulator := range emulators {
		if err := packFor(arch, root, version, out); err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if len(r.programs) == 0 {
				continue
			}
			file := filepath.Join(out, r.name+"_"+strings.TrimPrefix(version, "v")+"_"+arch+".deb")
			if got := strings.TrimSpace(output(t, "dpkg-deb", "-f", file, "Architecture")); got != arch {
				t.Errorf("%s is for %s", file, got)
			}
			folder := t.TempDir()
			output(t, "dpkg-deb", "-x", file, folder)
			for _, name := range r.programs {
				said := output(t, emulator, filepath.Join(folder, "usr/bin", name), versionArgument(name))
				if !strings.Contains(said, strings.TrimPrefix(version, "v")) {
					t.Errorf("%s for %s says %q", name, arch, said)
				}
			}
		}
	}
}

// versionArgument asks a program which version it is.
func versionArgument(name string) string {
	if name == "sabot" {
		return "version"
	}
	return "--version"
}
