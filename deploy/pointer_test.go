package deploy_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// udevKey is one key of a rule: what is compared by ==, or set by =.
var udevKey = regexp.MustCompile(`([A-Z]+)(?:\{(\w+)\})?(==|=)"([^"]*)"`)

// inputDevice is a device as udev sees it: the kernel's name, and the subsystems of itself and of what it is a part of.
type inputDevice struct {
	kernel     string
	subsystems []string
}

// met says whether a key that compares holds for the device.
func (d inputDevice) met(key, want string) bool {
	switch key {
	case "SUBSYSTEM":
		return d.subsystems[0] == want
	case "SUBSYSTEMS":
		return slices.Contains(d.subsystems, want)
	case "KERNEL":
		like, err := filepath.Match(want, d.kernel)
		return err == nil && like
	}
	return false
}

// sets are what rules set for a device.
func (d inputDevice) sets(rules string) map[string]string {
	set := map[string]string{}
	for line := range strings.Lines(rules) {
		keys := udevKey.FindAllStringSubmatch(line, -1)
		met := len(keys) > 0 && !strings.HasPrefix(line, "#")
		for _, k := range keys {
			met = met && (k[3] == "=" || d.met(k[1], k[4]))
		}
		for _, k := range keys {
			if met && k[3] == "=" {
				set[k[2]] = k[4]
			}
		}
	}
	return set
}

// TestKioskPointer: the kiosk's screen takes no arrow from a remote control, such as the television's, which would
// stand in the middle of the felt; a touch panel, a mouse and a keyboard work.
func TestKioskPointer(t *testing.T) {
	rules, err := os.ReadFile("package/sabot-kiosk/60-sabot-kiosk.rules")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		device  inputDevice
		ignored bool
	}{
		"HDMI-CEC of a Raspberry Pi": {inputDevice{"event0", []string{"input", "input", "rc", "platform"}}, true},
		"an infra-red receiver":      {inputDevice{"event12", []string{"input", "input", "rc", "usb", "usb"}}, true},
		"a touch panel by USB": {
			inputDevice{"event3", []string{"input", "input", "hid", "usb", "usb", "pci"}},
			false,
		},
		"the official touch display": {
			inputDevice{"event1", []string{"input", "input", "i2c", "i2c", "platform"}},
			false,
		},
		"a keyboard": {inputDevice{"event4", []string{"input", "input", "hid", "usb", "usb"}}, false},
		// libinput reads events alone
		"the old mouse of the CEC":   {inputDevice{"mouse0", []string{"input", "input", "rc", "platform"}}, false},
		"the receiver itself":        {inputDevice{"rc0", []string{"rc", "platform"}}, false},
		"the keys of a power button": {inputDevice{"event2", []string{"input", "input", "platform"}}, false},
	} {
		if got := c.device.sets(string(rules))["LIBINPUT_IGNORE_DEVICE"] == "1"; got != c.ignored {
			t.Errorf("%s is ignored: %v", name, got)
		}
	}
	packed, err := os.ReadFile("package/sabot-kiosk.yaml")
	if err != nil || !strings.Contains(string(packed),
		"package/sabot-kiosk/60-sabot-kiosk.rules, dst: /lib/udev/rules.d/") {
		t.Errorf("the rules are not in the package: %v", err)
	}
}
