package image

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Where things are on the card, in bytes: the sector of the slots, of which deploy/image/boot/boot.cmd and
// etc/fw_env.config say the same, and the partitions.
const (
	SectorAt   = mib
	FirmwareAt = 4 * mib
	SlotAAt    = FirmwareAt + fatSize
	SlotBAt    = SlotAAt + slotSize
	DataAt     = SlotBAt + slotSize
)

const (
	fatSize  = 124 * mib
	dataSize = 256 * mib
	cardSize = DataAt + dataSize
	sector   = 512
)

// table is the partition table, for sfdisk. Its number is that by which boot.cmd finds the slots.
var table = fmt.Sprintf(`label: dos
label-id: 0x%s
unit: sectors
start=%d, size=%d, type=c, bootable
start=%d, size=%d, type=83
start=%d, size=%d, type=83
start=%d, size=%d, type=83
`, fatID, FirmwareAt/sector, fatSize/sector, SlotAAt/sector, slotSize/sector, SlotBAt/sector, slotSize/sector,
	DataAt/sector, dataSize/sector)

// card puts everything together.
func (b *builder) card() error {
	if b.Only {
		return nil
	}
	b.Told("making the card")
	for _, step := range []func() error{b.fat, b.state, b.keeping} {
		if err := step(); err != nil {
			return err
		}
	}
	card := filepath.Join(b.work, "card.img")
	if err := truncate(card, cardSize); err != nil {
		return err
	}
	if err := b.partition(card); err != nil {
		return err
	}
	for name, at := range map[string]int64{
		"slots.env": SectorAt, "fat.img": FirmwareAt, slotImage: SlotAAt,
		"data.ext4": DataAt,
	} {
		if err := place(card, filepath.Join(b.work, name), at); err != nil {
			return err
		}
	}
	path, err := b.finish(card, "sabot-card_%s_%s.img")
	b.made.Card = path
	return err
}

func (b *builder) partition(card string) error {
	path, err := find("sfdisk")
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(b.ctx, path, "--quiet", card)
	cmd.Stdin = strings.NewReader(table)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("sfdisk: %w\n%s", err, out)
	}
	return nil
}

// place copies a file into the card, except for what is zero anyway.
func place(card, file string, at int64) (err error) {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := os.OpenFile(card, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	buffer := make([]byte, mib)
	for {
		n, err := io.ReadFull(in, buffer)
		if n > 0 && !zero(buffer[:n]) {
			if _, err := out.WriteAt(buffer[:n], at); err != nil {
				return err
			}
		}
		at += int64(n)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func zero(block []byte) bool {
	for _, c := range block {
		if c != 0 {
			return false
		}
	}
	return true
}

// state makes the sector that says which slot works.
func (b *builder) state() error {
	text := filepath.Join(b.work, "slots.txt")
	if err := os.WriteFile(text, []byte("BOOT_SLOT=a\n"), 0o644); err != nil {
		return err
	}
	return b.environment(filepath.Join(b.work, "slots.env"), sector, text)
}

// piEnvironment is the size of the variables of Debian's U-Boot for a Pi, in bytes. With those on the card it waits for
// nobody to press a key: what it hears on the UART is the shoe.
const piEnvironment = 0x4000

// environment makes variables of U-Boot, with their checksum.
func (b *builder) environment(path string, size int, text string) error {
	_, err := b.run("mkenvimage", "-s", fmt.Sprint(size), "-o", path, text)
	return err
}

// keeping makes the partition of what stays.
func (b *builder) keeping() error {
	return b.ext4(filepath.Join(b.work, "data.ext4"), filepath.Join(b.work, "data"), "sabot-data", dataID,
		dataSize, "-m", "1")
}

// fat makes what a Pi's firmware reads, and U-Boot anywhere.
func (b *builder) fat() error {
	folder := filepath.Join(b.work, "fat")
	if err := os.Mkdir(folder, 0o755); err != nil {
		return err
	}
	files, err := b.firmwareFiles()
	if err != nil {
		return err
	}
	for from, to := range files {
		if _, err := b.run("cp", from, filepath.Join(folder, to)); err != nil {
			return err
		}
	}
	if err := b.freeUART(folder); err != nil {
		return err
	}
	script := filepath.Join(folder, "boot.scr")
	if _, err := b.run("mkimage", "-A", "arm64", "-T", "script", "-C", "none", "-n", "slots", "-d",
		b.in("boot/boot.cmd"), script); err != nil {
		return err
	}
	if err := b.environment(filepath.Join(folder, "uboot.env"), piEnvironment, b.in("boot/uboot.env.txt")); err != nil {
		return err
	}
	image := filepath.Join(b.work, "fat.img")
	if err := truncate(image, fatSize); err != nil {
		return err
	}
	if _, err := b.run("mkfs.vfat", "-F", "32", "-n", "SABOT", "-i", fatID, "--invariant", image); err != nil {
		return err
	}
	all, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return err
	}
	for _, path := range all {
		if err := os.Chtimes(path, b.Date, b.Date); err != nil {
			return err
		}
	}
	_, err = b.run("mcopy", append(append([]string{"-m", "-i", image}, all...), "::")...)
	return err
}

// firmwareFiles are the files of the first partition, and where they come from.
func (b *builder) firmwareFiles() (map[string]string, error) {
	files := map[string]string{b.in("boot/config.txt"): "config.txt"}
	from := filepath.Join(b.work, "firmware")
	for _, pattern := range []string{
		filepath.Join(from, "usr/lib/raspi-firmware/bootcode.bin"), filepath.Join(from, "usr/lib/raspi-firmware/*.elf"),
		filepath.Join(from, "usr/lib/raspi-firmware/*.dat"), filepath.Join(from, "usr/lib/u-boot/rpi_arm64/u-boot.bin"),
		b.at("usr/lib/linux-image-*/broadcom/bcm2837-rpi-*.dtb"),
		b.at("usr/lib/linux-image-*/broadcom/bcm2711-rpi-*.dtb"),
	} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("no file is %s: have Debian's packages changed?", pattern)
		}
		for _, path := range found {
			files[path] = filepath.Base(path)
		}
	}
	return files, nil
}

// freeUART takes Bluetooth off the first UART of a Pi 3 and 4, at which the shoe may be. Debian has none of the
// firmware's overlays, which would do it.
func (b *builder) freeUART(folder string) error {
	for _, tree := range []string{
		"bcm2837-rpi-3-b.dtb", "bcm2837-rpi-3-b-plus.dtb", "bcm2837-rpi-3-a-plus.dtb",
		"bcm2711-rpi-4-b.dtb",
	} {
		if _, err := b.run("fdtput", "-r", filepath.Join(folder, tree), "/soc/serial@7e201000/bluetooth"); err != nil {
			return err
		}
	}
	return nil
}
