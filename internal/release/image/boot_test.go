package image

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// uboot is Debian's U-Boot for QEMU.
const uboot = "/usr/lib/u-boot/qemu_arm64/u-boot.bin"

// TestScript has a real U-Boot run boot.cmd from a card whose slots are empty: it tries both, in the order that the
// sector of the slots asks for, and writes that sector only while a slot is tried.
func TestScript(t *testing.T) {
	cases := []struct{ name, state, order, after string }{
		{"b is tried", "BOOT_SLOT=a\nBOOT_TRY=b\nBOOT_TRIES=2\n", "ba", "BOOT_SLOT=a BOOT_TRIES=1 BOOT_TRY=b"},
		{"nothing else is taken from it", "BOOT_SLOT=a\nmore=init=/bin/sh\n", "ab", ""},
		// make soak tries these, too.
		{"a works", "BOOT_SLOT=a\n", "ab", ""},
		{"b works", "BOOT_SLOT=b\n", "ba", ""},
		{
			"b is tried once more", "BOOT_SLOT=a\nBOOT_TRY=b\nBOOT_TRIES=1\n", "ba",
			"BOOT_SLOT=a BOOT_TRIES=0 BOOT_TRY=b",
		},
		{"b did not work", "BOOT_SLOT=a\nBOOT_TRY=b\nBOOT_TRIES=0\n", "aa", "BOOT_SLOT=a"},
		{"a is tried", "BOOT_SLOT=b\nBOOT_TRY=a\nBOOT_TRIES=2\n", "ab", "BOOT_SLOT=b BOOT_TRIES=1 BOOT_TRY=a"},
		{"what works is not tried", "BOOT_SLOT=a\nBOOT_TRY=a\nBOOT_TRIES=2\n", "ab", ""},
		{"the sector says nothing", "", "ab", ""},
	}
	for _, c := range cases[:tier.Times(2, len(cases))] {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			card := empty(t, c.state)
			before := sectorOf(t, card)
			order := ""
			for _, args := range arguments.FindAllStringSubmatch(starts(t, card), 2) {
				order += slotIn.FindStringSubmatch(args[1])[1]
				if strings.Contains(args[1], "init=") {
					t.Errorf("the kernel is started with %q", args[1])
				}
			}
			if order != c.order {
				t.Errorf("the slots are tried in the order %s, not %s", order, c.order)
			}
			switch after := sectorOf(t, card); {
			case c.after == "" && after != before:
				t.Errorf("the sector is written, and says %q", after)
			case c.after != "" && variables(after) != c.after:
				t.Errorf("the sector says %q, not %q", variables(after), c.after)
			}
		})
	}
}

// sectorOf is the sector of the slots, as it is on a card.
func sectorOf(t *testing.T, card string) string {
	t.Helper()
	f, err := os.Open(card)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text := make([]byte, sector)
	if _, err := f.ReadAt(text, SectorAt); err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// variables are those in a sector, after its checksum of four bytes.
func variables(text string) string {
	all := strings.FieldsFunc(text[4:], func(r rune) bool { return r == 0 })
	slices.Sort(all)
	return strings.Join(all, " ")
}

// slotIn is the slot that a kernel is told.
var slotIn = regexp.MustCompile(` sabot\.slot=(\w) `)

// arguments are what U-Boot would start a kernel with.
var arguments = regexp.MustCompile(`(?m)^bootargs=(.*?)\r?$`)

// starts returns what U-Boot says until it has tried both slots.
func starts(t *testing.T, card string) string {
	t.Helper()
	// U-Boot starts anew for ever; a test that has heard enough ends it.
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	// Its clock counts instructions, so that its pauses take few.
	qemu := exec.CommandContext(ctx, "qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a72", "-m", "512",
		"-icount", "shift=10,sleep=off", "-bios", uboot, "-nodefaults", "-display", "none",
		"-drive", "if=none,id=card,format=raw,file="+card, "-device", "virtio-blk-pci,drive=card", "-serial", "stdio")
	out, err := qemu.StdoutPipe()
	if err == nil {
		err = qemu.Start()
	}
	if err != nil {
		t.Fatalf("%v; apt-get install qemu-system-arm u-boot-qemu", err)
	}
	said := hear(out, "SLOT a DOES NOT START", "SLOT b DOES NOT START")
	stop()
	_ = qemu.Wait() // it was killed
	if len(arguments.FindAllString(said, 2)) != 2 {
		t.Fatalf("U-Boot has not tried both slots:\n%s", said)
	}
	return said
}

// hear reads until all of it was said, or to the end.
func hear(from io.Reader, all ...string) string {
	var said strings.Builder
	buffer := make([]byte, 4096)
	for slices.ContainsFunc(all, func(what string) bool { return !strings.Contains(said.String(), what) }) {
		n, err := from.Read(buffer)
		said.Write(buffer[:n])
		if err != nil {
			break
		}
	}
	return said.String()
}

// empty makes a card without systems, whose script says with what it would start them. state is what its sector of the
// slots says.
func empty(t *testing.T, state string) (card string) {
	t.Helper()
	b := builder{ctx: t.Context(), work: t.TempDir()}
	at := func(name string) string { return filepath.Join(b.work, name) }
	cmd := strings.Replace(recipeText(t, "boot/boot.cmd"), "\tif load ${devtype} ${devnum}:${part} ",
		"\tprintenv bootargs\n\tif load ${devtype} ${devnum}:${part} ", 1)
	run := func(name string, args ...string) {
		t.Helper()
		if _, err := b.run(name, args...); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.WriteFile(at("boot.cmd"), []byte(cmd), 0o600),
		os.WriteFile(at("slots.txt"), []byte(state), 0o600),
		truncate(at("fat.img"), fatSize), truncate(at("card.img"), cardSize)); err != nil {
		t.Fatal(err)
	}
	run("mkimage", "-A", "arm64", "-T", "script", "-C", "none", "-n", "slots", "-d", at("boot.cmd"), at("boot.scr"))
	run("mkfs.vfat", "-F", "32", "-n", "SABOT", at("fat.img"))
	run("mcopy", "-i", at("fat.img"), at("boot.scr"), "::")
	run("mkenvimage", "-s", fmt.Sprint(sector), "-o", at("slots.env"), at("slots.txt"))
	if err := errors.Join(b.partition(at("card.img")), place(at("card.img"), at("fat.img"), FirmwareAt),
		place(at("card.img"), at("slots.env"), SectorAt)); err != nil {
		t.Fatal(err)
	}
	return at("card.img")
}
