package board

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The archive is read back as the kernel reads it.
func TestInitramfs(t *testing.T) {
	parts := t.TempDir()
	for name, text := range map[string]string{
		"modules": "usbcore.ko\nxhci.ko\n", "usbcore.ko": "core",
		"xhci.ko": "xhci!", "busybox": "box", "sabotd": "daemon",
	} {
		if err := writeFile(filepath.Join(parts, name), text); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := writeInitramfs(&b, parts, map[string]string{"sabotd": filepath.Join(parts, "sabotd")}); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"40755 bin 0", "40755 dev 0", "40755 etc 0", "40755 lib 0", fmt.Sprintf("100755 init %d", len(initScript)),
		"100755 bin/busybox 3",
		"100755 lib/usbcore.ko 4", "100755 lib/xhci.ko 5", "100644 etc/modules 29", "100755 bin/sabotd 6",
		"0 TRAILER!!! 0",
	}
	if got := listArchive(t, b.Bytes()); !slices.Equal(got, want) {
		t.Errorf("the archive has\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !bytes.Contains(b.Bytes(), []byte("/lib/usbcore.ko\n/lib/xhci.ko\n")) {
		t.Error("the modules are not listed in their order")
	}
}

func TestInitramfsLacks(t *testing.T) {
	parts := t.TempDir()
	if err := writeFile(filepath.Join(parts, "modules"), "usbcore.ko\n"); err != nil {
		t.Fatal(err)
	}
	if err := writeInitramfs(&bytes.Buffer{}, parts, nil); !os.IsNotExist(err) ||
		!strings.Contains(err.Error(), "busybox") {
		t.Errorf("without busybox: %v", err)
	}
}

// listArchive lists mode, name and size of what is in an archive.
func listArchive(t *testing.T, text []byte) (list []string) {
	t.Helper()
	padded := func(n int) int { return (n + 3) / 4 * 4 }
	for len(text) > 0 {
		var fields [13]int
		if string(text[:6]) != "070701" {
			t.Fatalf("no file begins at %q", text[:6])
		}
		for i := range fields {
			if _, err := fmt.Sscanf(string(text[6+8*i:14+8*i]), "%x", &fields[i]); err != nil {
				t.Fatal(err)
			}
		}
		mode, size, named := fields[1], fields[6], fields[11]
		name := string(text[110 : 110+named-1])
		list = append(list, fmt.Sprintf("%o %s %d", mode, name, size))
		text = text[padded(110+named):]
		text = text[padded(size):]
	}
	return list
}
