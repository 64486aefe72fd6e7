package image

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// recipeText is a file of the recipe.
func recipeText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "deploy", "image", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestPartitions has sfdisk write the table and read it again: the partitions are where this program puts their file
// systems, none lies over another, and the sector of the slots is in none.
func TestPartitions(t *testing.T) {
	b := builder{ctx: t.Context()}
	card := filepath.Join(t.TempDir(), "card.img")
	if err := truncate(card, cardSize); err != nil {
		t.Fatal(err)
	}
	if err := b.partition(card); err != nil {
		t.Fatalf("%v; apt-get install fdisk", err)
	}
	text, err := b.run("sfdisk", "--json", card)
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		PartitionTable struct {
			Label, ID  string
			Partitions []struct {
				Start, Size int64
				Type        string
				Bootable    bool
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &read); err != nil {
		t.Fatal(err)
	}
	p := read.PartitionTable
	if p.Label != "dos" || p.ID != "0x"+fatID || len(p.Partitions) != 4 || p.Partitions[0].Type != "c" ||
		!p.Partitions[0].Bootable {
		t.Fatalf("the table is %+v", p)
	}
	end := int64(SectorAt + sector)
	for i, want := range [][2]int64{
		{FirmwareAt, fatSize},
		{SlotAAt, slotSize},
		{SlotBAt, slotSize},
		{DataAt, dataSize},
	} {
		at, size := p.Partitions[i].Start*sector, p.Partitions[i].Size*sector
		if [2]int64{at, size} != want || at < end || at%mib != 0 {
			t.Errorf("partition %d has %d bytes at %d, not %d at %d, behind %d and on a whole MiB", i+1, size, at,
				want[1], want[0], end)
		}
		end = at + size
	}
	if end != cardSize {
		t.Errorf("the last partition ends at %d, and the card at %d", end, int64(cardSize))
	}
}

// number is that in a text which a pattern's group matches.
func number(t *testing.T, text, pattern string, base int) int64 {
	t.Helper()
	found := regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1)
	if len(found) != 1 {
		t.Fatalf("%s is there %d times, not once", pattern, len(found))
	}
	n, err := strconv.ParseInt(found[0][1], base, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestSectorOfTheSlots: U-Boot and the system look for it where this program puts it.
func TestSectorOfTheSlots(t *testing.T) {
	boot, system := recipeText(t, "boot/boot.cmd"), recipeText(t, "root/etc/fw_env.config")
	for what, got := range map[string][2]int64{
		"boot.cmd: where":      {number(t, boot, `(?m)^setenv slots_at 0x(\w+)$`, 16) * sector, SectorAt},
		"boot.cmd: import":     {number(t, boot, `env import -c \S+ (\w+) `, 16), sector},
		"boot.cmd: export":     {number(t, boot, `env export -c -s (\w+) `, 16), sector},
		"fw_env.config: where": {number(t, system, `(?m)^/dev/sabot-card 0x(\w+) `, 16), SectorAt},
		"fw_env.config: size":  {number(t, system, `(?m)^/dev/sabot-card \S+ 0x(\w+)$`, 16), sector},
	} {
		if got[0] != got[1] {
			t.Errorf("%s is %d, and this program says %d", what, got[0], got[1])
		}
	}
}

// TestNamesOfPartitions: U-Boot, udev and fstab find the partitions of this program's table.
func TestNamesOfPartitions(t *testing.T) {
	for name, wants := range map[string][]string{
		"boot/boot.cmd": {`test "${slot}" = "a"; then setenv part 2; else setenv part 3; fi`, "root=PARTUUID=" + fatID +
			"-0${part} "},
		"root/etc/udev/rules.d/70-sabot-card.rules": {
			`ENV{ID_PART_TABLE_UUID}=="` + fatID + `", SYMLINK+="sabot-card"`,
			`ENV{ID_PART_ENTRY_UUID}=="` + fatID + `-02", SYMLINK+="sabot-slot-a"`,
			`ENV{ID_PART_ENTRY_UUID}=="` + fatID + `-03", SYMLINK+="sabot-slot-b"`,
		},
		"root/usr/libexec/sabot-card/grow": {"sfdisk --quiet --no-reread --no-tell-kernel -N 4 "},
		"root/etc/fstab": {"\nLABEL=sabot-data /data ", "\nPARTUUID=" + fatID +
			"-01 /boot/firmware "},
	} {
		for _, want := range wants {
			if !strings.Contains(recipeText(t, name), want) {
				t.Errorf("%s does not say %q", name, want)
			}
		}
	}
}

// TestWhatStays: each folder that stays is mounted over that of the root, and no other is.
func TestWhatStays(t *testing.T) {
	fstab := recipeText(t, "root/etc/fstab")
	for _, name := range staying {
		if line := fmt.Sprintf("\n/data/%s /%s none bind 0 0\n", name, name); !strings.Contains(fstab, line) {
			t.Errorf("fstab lacks %q", line)
		}
	}
	if n := strings.Count(fstab, " none bind "); n != len(staying) {
		t.Errorf("fstab mounts %d folders of the data, not %d", n, len(staying))
	}
}
