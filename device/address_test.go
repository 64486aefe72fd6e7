package device

import (
	"strings"
	"testing"
)

func TestParseAddress(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"/dev/ttyUSB0", "/dev/ttyUSB0"},
		{"/dev/pts/3", "/dev/pts/3"},
		{"/dev/serial/by-path/platform-x:1.0", "/dev/serial/by-path/platform-x:1.0"},
		{"by-id:usb-FTDI_FT232R_A1-if00-port0", "by-id:usb-FTDI_FT232R_A1-if00-port0"},
		{"usb:0403:6001", "usb:0403:6001"},
		{"usb:2E8A:000a:E66058", "usb:2e8a:000a:E66058"},
		{"usb:0403:6001:a:b", "usb:0403:6001:a:b"},
		{"tcp://shoe.table4:4001", "tcp://shoe.table4:4001"},
		{"tcp://[::1]:04001", "tcp://[::1]:4001"},
	} {
		a, err := ParseAddress(tc.in)
		if err != nil {
			t.Errorf("ParseAddress(%q): %v", tc.in, err)
		} else if a.String() != tc.want {
			t.Errorf("ParseAddress(%q) = %q, want %q", tc.in, a, tc.want)
		}
	}
}

func TestParseAddressRefuses(t *testing.T) {
	for _, tc := range []struct{ in, why string }{
		{"", "is empty"},
		{" /dev/ttyUSB0", "space"},
		{"/dev/ttyUSB0\n", "control character"},
		{"/dev/", "folder"},
		{"/dev/bus/usb/001/004", "not its serial port"},
		{"ttyUSB0", "absolute path"},
		{"COM3", "absolute path"},
		{"by-id", "lacks a name"},
		{"by-id:", "lacks a name"},
		{"by-id:..", "lacks a name"},
		{"by-id:/dev/ttyUSB0", "lacks a name"},
		{"usb:", "lacks the product"},
		{"usb:0403", "lacks the product"},
		{"usb:403:6001", "four hex digits"},
		{"usb:0403:60g1", "four hex digits"},
		{"usb:+403:6001", "four hex digits"},
		{"usb:0403:6001:", "serial number"},
		{"tcp:host:1", "absolute path"},
		{"tcp://", "host and port"},
		{"tcp://host", "host and port"},
		{"tcp://:4001", "host and port"},
		{"tcp://a/b:4001", "host and port"},
		{"tcp://host:0", "1 to 65535"},
		{"tcp://host:65536", "1 to 65535"},
		{"tcp://host:http", "1 to 65535"},
	} {
		a, err := ParseAddress(tc.in)
		if err == nil {
			t.Errorf("ParseAddress(%q) = %q, want an error with %q", tc.in, a, tc.why)
			continue
		}
		if !strings.Contains(err.Error(), tc.why) || !strings.Contains(err.Error(), "write a path such as") {
			t.Errorf("ParseAddress(%q): %v; want %q in it and what to write instead", tc.in, err, tc.why)
		}
	}
}

func FuzzParseAddress(f *testing.F) {
	for _, s := range []string{
		"/dev/ttyUSB0", "by-id:x", "usb:0403:6001:1", "tcp://[fe80::1%eth0]:1", "usb::",
		"tcp://[",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := ParseAddress(s)
		if err != nil {
			if a != (Address{}) {
				t.Fatalf("ParseAddress(%q) = %q with the error %v", s, a, err)
			}
			return
		}
		again, err := ParseAddress(a.String())
		if err != nil || again != a {
			t.Fatalf("%q was read as %q, which is read as %q, %v", s, a, again, err)
		}
	})
}
