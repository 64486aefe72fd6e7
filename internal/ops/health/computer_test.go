//go:build linux

package health

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
)

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLook(t *testing.T) {
	journal, sys := t.TempDir(), t.TempDir()
	write(t, filepath.Join(journal, "part-000001.jsonl"), "12345")
	write(t, filepath.Join(journal, "part-000002.jsonl"), "1234")
	write(t, filepath.Join(journal, "deeper", "x.zst"), "678")
	long := time.Now().Add(-25 * time.Hour)
	if err := os.Chtimes(filepath.Join(journal, "part-000001.jsonl"), long, long); err != nil {
		t.Fatal(err)
	}
	s := Look(Where{Journal: journal, Sys: sys})
	if s.Celsius != nil || s.Power != nil || s.Wear != nil || *s.JournalBytes != 12 || *s.JournalDay != 4 {
		t.Fatalf("without a sensor: %+v, journal %v, of the day %v", s, s.JournalBytes, s.JournalDay)
	}
	if s.DiskFree == nil || s.DiskSize == nil || *s.DiskFree > *s.DiskSize || *s.DiskSize < 1<<20 {
		t.Errorf("the disk is %v of %v", s.DiskFree, s.DiskSize)
	}
	if days, known := s.DaysLeft(); !known || days != float64(*s.DiskFree)/4 {
		t.Errorf("it lasts for %v days, %v", days, known)
	}
	s = Look(Where{Journal: filepath.Join(journal, "gone"), Sys: filepath.Join(sys, "gone")})
	if _, known := s.DaysLeft(); known || s.DiskFree != nil || s.JournalBytes != nil {
		t.Errorf("of nothing it tells %+v", s)
	}
}

func TestSensors(t *testing.T) {
	sys := t.TempDir()
	for i, text := range []string{"48312\n", "61999\n", "-40000\n", "255000\n", "none\n", "0\n"} {
		write(t, filepath.Join(sys, "class/thermal", "thermal_zone"+string(rune('0'+i)), "temp"), text)
	}
	if got := hottest(sys); got == nil || *got != 61 {
		t.Errorf("it is %v °C", got)
	}
	throttled, volts := filepath.Join(sys, "devices/platform/soc/soc:firmware/get_throttled"),
		filepath.Join(sys, "class/hwmon/hwmon1")
	for text, want := range map[string]*Power{
		"0\n": {}, "50005\n": {Low: true, Slowed: true, WasLow: true, WasSlowed: true}, "0x10000": {WasLow: true},
		"80008": {Slowed: true, WasSlowed: true}, "": nil, "soon": nil,
	} {
		write(t, throttled, text)
		if got := power(sys); (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("%q is %+v, not %+v", text, got, want)
		}
	}
	write(t, throttled, "")
	write(t, filepath.Join(volts, "name"), "rpi_volt\n")
	write(t, filepath.Join(volts, "in0_lcrit_alarm"), "1\n")
	if got := power(sys); got == nil || !got.Low || !got.WasLow {
		t.Errorf("the kernel's alarm: %+v", got)
	}
	write(t, filepath.Join(volts, "name"), "cpu_thermal\n")
	if got := power(sys); got != nil {
		t.Errorf("another sensor's alarm: %+v", got)
	}
}

func TestWear(t *testing.T) {
	for _, c := range []struct {
		life, end string
		want      *Wear
	}{
		{"0x01 0x01\n", "0x01\n", &Wear{Percent: 10}},
		{"0x03 0x0b\n", "0x03\n", &Wear{Percent: 110, Urgent: true}},
		{"0x00 0x00\n", "0x00\n", nil},
		{"0xff 0x00\n", "0x01\n", nil},
		{"", "", nil},
	} {
		sys := t.TempDir()
		write(t, filepath.Join(sys, "block/mmcblk0/device/life_time"), c.life)
		write(t, filepath.Join(sys, "block/mmcblk0/device/pre_eol_info"), c.end)
		if got := wear(sys); (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
			t.Errorf("%q and %q are %+v, not %+v", c.life, c.end, got, c.want)
		}
	}
}

// Whatever the kernel's files hold, what is told of them is possible.
func TestAnySensor(t *testing.T) {
	sys := t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`(0x)?[0-9a-f]{0,9}( 0x[0-9a-f]{2})?\n`)).Draw(r,
			"text")
		for _, file := range []string{
			"class/thermal/thermal_zone0/temp",
			"devices/platform/soc/soc:firmware/get_throttled", "block/mmcblk0/device/life_time",
		} {
			write(t, filepath.Join(sys, file), text)
		}
		if c := hottest(sys); c != nil && (*c < 1 || *c > 129) {
			r.Fatalf("%q is %d °C", text, *c)
		}
		if w := wear(sys); w != nil && (w.Percent < 10 || w.Percent > 110) {
			r.Fatalf("%q is worn to %d percent", text, w.Percent)
		}
		power(sys)
	})
}
