package image

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// uboot is Debian's U-Boot for QEMU.
const uboot = "/usr/lib/u-boot/qemu_arm64/u-boot.bin"

// TestScript has a real U-Boot run boot.cmd from a card whose slots are empty: it tries both, each with the kernel's command line
// that a technician's screen.txt asks for.
func TestScript(t *testing.T) {
	for _, c := range []struct{ name, screen, want, said string }{
		{"none", "", "console=tty1  ", ""},
		{"from Windows", "video=HDMI-A-1:800x480@60\r\n", "console=tty1 video=HDMI-A-1:800x480@60 ", ""},
		{"wrong", "vide=HDMI-A-1:800x480@60\n", "console=tty1  ", "screen.txt DOES NOT SAY video="},
		{"sets nothing else", "BOOT_SLOT=b\nmore=init=/bin/sh\nvideo=Virtual-1:1280x800\n", "console=tty1 video=Virtual-1:1280x800 ", "slots: a works"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			said := starts(t, c.screen)
			if !strings.Contains(said, c.said) {
				t.Errorf("U-Boot does not say %q:\n%s", c.said, said)
			}
			for i, args := range arguments.FindAllStringSubmatch(said, 2) {
				slot := string("ab"[i])
				if !strings.HasSuffix(args[1], c.want) || !strings.Contains(args[1], " sabot.slot="+slot+" ") {
					t.Errorf("slot %s is started with %q, which does not end with %q", slot, args[1], c.want)
				}
			}
		})
	}
}

// arguments are what U-Boot would start a kernel with.
var arguments = regexp.MustCompile(`(?m)^bootargs=(.*?)\r?$`)

// starts returns what U-Boot says until it has tried both slots.
func starts(t *testing.T, screen string) string {
	t.Helper()
	card := empty(t, screen)
	// U-Boot starts anew for ever; a test that has heard enough ends it.
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	qemu := exec.CommandContext(ctx, "qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a72", "-m", "512", "-bios", uboot, "-nodefaults", "-display", "none",
		"-drive", "if=none,id=card,format=raw,file="+card, "-device", "virtio-blk-pci,drive=card", "-serial", "stdio")
	out, err := qemu.StdoutPipe()
	if err == nil {
		err = qemu.Start()
	}
	if err != nil {
		t.Fatalf("%v; apt-get install qemu-system-arm u-boot-qemu", err)
	}
	said := hear(out, "SLOT b DOES NOT START")
	stop()
	_ = qemu.Wait() // it was killed
	if arguments.FindString(said) == "" || !strings.Contains(said, "SLOT b DOES NOT START") {
		t.Fatalf("U-Boot has not tried both slots:\n%s", said)
	}
	return said
}

// hear reads until something was said, or to the end.
func hear(from io.Reader, what string) string {
	var said strings.Builder
	buffer := make([]byte, 4096)
	for !strings.Contains(said.String(), what) {
		n, err := from.Read(buffer)
		said.Write(buffer[:n])
		if err != nil {
			break
		}
	}
	return said.String()
}

// empty makes a card without systems, whose script says with what it would start them.
func empty(t *testing.T, screen string) (card string) {
	t.Helper()
	b := builder{ctx: t.Context(), work: t.TempDir()}
	at := func(name string) string { return filepath.Join(b.work, name) }
	cmd := strings.Replace(recipeText(t, "boot/boot.cmd"), "\tif load ${devtype} ${devnum}:${part} ", "\tprintenv bootargs\n\tif load ${devtype} ${devnum}:${part} ", 1)
	run := func(name string, args ...string) {
		t.Helper()
		if _, err := b.run(name, args...); err != nil {
			t.Fatal(err)
		}
	}
	files := []string{at("boot.scr")}
	if screen != "" {
		files = append(files, at("screen.txt"))
	}
	if err := errors.Join(os.WriteFile(at("boot.cmd"), []byte(cmd), 0o600), os.WriteFile(at("screen.txt"), []byte(screen), 0o600),
		truncate(at("fat.img"), fatSize), truncate(at("card.img"), cardSize)); err != nil {
		t.Fatal(err)
	}
	run("mkimage", "-A", "arm64", "-T", "script", "-C", "none", "-n", "slots", "-d", at("boot.cmd"), at("boot.scr"))
	run("mkfs.vfat", "-F", "32", "-n", "SABOT", at("fat.img"))
	run("mcopy", append(append([]string{"-i", at("fat.img")}, files...), "::")...)
	if err := errors.Join(b.partition(at("card.img")), b.state(), place(at("card.img"), at("fat.img"), FirmwareAt), place(at("card.img"), at("slots.env"), SectorAt)); err != nil {
		t.Fatal(err)
	}
	return at("card.img")
}
