package computer

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// longest is more than the kernel writes into a file of one value.
const longest = 256

// value is the text of a file of the kernel's, without spaces around it; "" if there is none.
func value(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, longest))
	if err != nil {
		return "" // some sensors tell nothing while they sleep
	}
	return strings.TrimSpace(string(text))
}

// found lists the files that match a pattern below sys.
func found(sys, pattern string) []string {
	paths, err := filepath.Glob(filepath.Join(sys, pattern))
	if err != nil {
		return nil
	}
	return paths
}

// hottest is the highest temperature that the kernel's sensors tell, in degrees, nil for none. It writes
// thousandths of a degree. What no computer survives is a sensor that is broken, or not there.
func hottest(sys string) *uint64 {
	const thousandths, most = 1000, 130
	var highest *uint64
	for _, zone := range found(sys, "class/thermal/thermal_zone*/temp") {
		n, err := strconv.ParseInt(value(zone), 10, 64)
		if degrees := n / thousandths; err == nil && degrees > 0 && degrees < most &&
			(highest == nil || uint64(degrees) > *highest) {
			now := uint64(degrees)
			highest = &now
		}
	}
	return highest
}

// Power is what a computer that watches its supply says: now, and whether it was so at any time since it started.
type Power struct {
	// Low: the supply's voltage is too low. Slowed: the processor is slowed down, because of that or of heat.
	Low, Slowed bool
	// WasLow and WasSlowed say so of any time since the computer started.
	WasLow, WasSlowed bool
}

// The bits of a Raspberry Pi's get_throttled.
const (
	bitLow, bitCapped, bitThrottled, bitSoftLimit = 1 << 0, 1 << 1, 1 << 2, 1 << 3
	bitsSlowed                                    = bitCapped | bitThrottled | bitSoftLimit
	bitsSince                                     = 16
)

// power reads what the firmware of a Raspberry Pi tells, and the kernel's alarm of its supply.
func power(sys string) *Power {
	var p *Power
	for _, file := range found(sys, "devices/platform/soc*/soc*:firmware/get_throttled") {
		bits, err := strconv.ParseUint(strings.TrimPrefix(value(file), "0x"), 16, 32)
		if err == nil {
			since := bits >> bitsSince
			p = &Power{
				Low: bits&bitLow != 0, Slowed: bits&bitsSlowed != 0, WasLow: since&bitLow != 0,
				WasSlowed: since&bitsSlowed != 0,
			}
		}
	}
	for _, name := range found(sys, "class/hwmon/hwmon*/name") {
		alarm := value(filepath.Join(filepath.Dir(name), "in0_lcrit_alarm"))
		if value(name) != "rpi_volt" || alarm == "" {
			continue
		}
		if p == nil {
			p = &Power{}
		}
		if alarm != "0" {
			p.Low, p.WasLow = true, true
		}
	}
	return p
}

// Wear is how far the flash memory is worn that tells it most.
type Wear struct {
	// Percent is how much of its life is used up, in steps of ten; more than 100 is beyond what its maker promises.
	Percent uint64
	// Urgent says that it has nearly used up its spare blocks.
	Urgent bool
}

// wear reads what eMMC modules tell, and SD cards hardly ever do: life_time is two numbers, of tens of percent that are
// begun, and 0 for what is not known; pre_eol_info is 1 for normal, 2 for a warning, 3 for urgent.
func wear(sys string) *Wear {
	const most = 11 // 0x0b: beyond its life
	var worst *Wear
	for _, file := range found(sys, "block/mmcblk*/device/life_time") {
		for _, text := range strings.Fields(value(file)) {
			n, err := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, 8)
			if err != nil || n == 0 || n > most {
				continue
			}
			if worst == nil {
				worst = &Wear{}
			}
			worst.Percent = max(worst.Percent, n*10)
		}
		if n, err := strconv.ParseUint(strings.TrimPrefix(value(filepath.Join(filepath.Dir(file), "pre_eol_info")),
			"0x"), 16, 8); err == nil && worst != nil {
			worst.Urgent = worst.Urgent || n >= 2
		}
	}
	return worst
}
