package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/ops/doctor"
	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
)

// sickSystem plants troubles in a system of files: a Raspberry Pi whose table's user, programs, screen, supply, card
// and unit are not as they should be.
func sickSystem(t *testing.T) (root string) {
	t.Helper()
	root = t.TempDir()
	for path, text := range map[string]string{
		"etc/passwd":    "root:x:0:0:root:/root:/bin/sh\nsabot:x:998:998::/var/lib/sabot:/usr/sbin/nologin\n",
		"etc/group":     "root:x:0:\ndialout:x:20:\nsabot:x:998:\n",
		"proc/1/comm":   "systemd\n",
		"proc/812/comm": "ModemManager\n",
		"proc/813/comm": "chronyd\n",
		"proc/814/comm": "systemd-timesyn\n",
		"usr/lib/udev/rules.d/90-brltty-device.rules":         `ENV{PRODUCT}=="403/6001/*", ENV{BRLTTY_BRAILLE_DRIVER}="at", GOTO="brltty_usb_run"` + "\n",
		"etc/systemd/logind.conf":                             "[Login]\nIdleAction=suspend\n",
		"lib/systemd/system/sabotd.service":                   "[Unit]\n",
		"sys/devices/platform/soc/soc:firmware/get_throttled": "50005\n",
		"sys/class/thermal/thermal_zone0/temp":                "85000\n",
		"sys/block/mmcblk0/device/life_time":                  "0x0b 0x0b\n",
		"var/lib/sabot-update/state.json":                     "{}",
	} {
		at := filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, at, text)
	}
	return root
}

// TestDoctor: sabot doctor, as it was built, finds and names all troubles of a running table at once: those of the
// system, which are planted in files, and real ones: a broker that drops, a shoe that is gone, a certificate that ends,
// a disk that is too small.
func TestDoctor(t *testing.T) {
	t.Parallel()
	n := newNetwork(t)
	n.hurry()
	n.certify(time.Now().AddDate(0, 0, 10))
	process := n.start()
	sabot := processes.Binary(t, "sabot")
	key := filepath.Join(n.dir, "view.key")
	write(t, key, n.keys["view"].String()+"\n")
	drops(n, process)
	n.shoe.Close()

	// The same table, with a shoe at a converter and more room asked for than there is.
	config := filepath.Join(n.dir, "doctor.yaml")
	text := strings.Replace(n.text(n.path, n.page), "port: "+n.port, "port: usb:0403:6001", 1)
	write(t, config, strings.Replace(text, "journal: {", "journal: {free_min: 900000 GB, ", 1))
	if err := os.Chmod(n.path+".lock", 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"doctor", "--config", config, "--root", sickSystem(t), "--key", key}
	want := []health.Code{
		"port-probed", "port-seized", "group-missing", "device-unusable", "shoe-offline", "pit-drops",
		"certificate-ends", "disk-low",
		"card-worn", "hot", "undervoltage", "throttled", "clock-contested", "screen-blanks", "unit-disabled",
		"files-open", "held",
	}
	var page doctor.Page
	brokertest.Until(t, "everything is found", func() bool {
		got := processes.Run(t, sabot, append(args, "--json")...)
		if err := json.Unmarshal([]byte(got.Out), &page); err != nil || got.Status != exitFailed {
			t.Fatalf("it ended with %+v, %v", got, err)
		}
		for _, code := range want {
			if !page.Holds(code) {
				return false
			}
		}
		return true
	})
	got := processes.Run(t, sabot, args...)
	for _, code := range want {
		if !strings.Contains(got.Out, fmt.Sprintf("\nWRONG  %s: ", code)) {
			t.Errorf("%s is not named", code)
		}
	}
	contains(t, got.Out, "table test/bj-1", "ModemManager", "IdleAction=suspend", "sudo usermod -aG dialout sabot")
	if lines := strings.Count(got.Out, "\n"); got.Status != exitFailed || got.Err != "" || lines > 85 {
		t.Errorf("it ended with %d and %d lines: %s", got.Status, lines, got.Err)
	}
	t.Log(got.Out)

	n.asksWithoutKey(sabot, config)
	n.stop(process)
	if got := processes.Run(t, sabot, "doctor", "--config", n.config); got.Status != exitFailed ||
		!strings.Contains(got.Out, "STOPS  daemon-silent") {
		t.Errorf("of a table that does not run it says %+v", got)
	}
}

// drops has the broker's connection lost a few times.
func drops(n *network, process *processes.Process) {
	n.t.Helper()
	logs(n.t, process, `msg="MQTT connection to the pit"`) // what is not there yet cannot be lost
	for i := range 4 {
		n.gate.Shut()
		n.gate.Open()
		name := fmt.Sprintf("the connection is back for the %d. time", i+1)
		brokertest.Until(n.t, name, func() bool {
			return strings.Count(process.Log(), "the MQTT connection to the pit is back") > i
		})
	}
}

// asksWithoutKey: without a screen's key the daemon's own word is missing, and that is said.
func (n *network) asksWithoutKey(sabot, config string) {
	n.t.Helper()
	if got := processes.Run(n.t, sabot, "doctor", "--config", config); !strings.Contains(got.Out,
		"daemon (its health): it answers 401: give a screen's key") {
		n.t.Errorf("without a key it says %+v", got)
	}
}
