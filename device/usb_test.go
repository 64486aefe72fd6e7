package device

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// fakeSysfs builds the part of /sys that describes USB ports: two converters of one kind, a CDC device without a serial
// number, an on-board UART, a console.
func fakeSysfs(t *testing.T) string {
	t.Helper()
	sys := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		path := filepath.Join(sys, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tty := func(name, device string) {
		t.Helper()
		write(filepath.Join("class/tty", name, "uevent"), "DEVNAME="+name)
		if device == "" {
			return
		}
		if err := os.MkdirAll(filepath.Join(sys, device), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(sys, device), filepath.Join(sys, "class/tty", name, "device")); err != nil {
			t.Fatal(err)
		}
	}
	for dev, serial := range map[string]string{"1-1": "A50285BI", "1-2": "A50285BJ"} {
		write("devices/usb1/"+dev+"/idVendor", "0403")
		write("devices/usb1/"+dev+"/idProduct", "6001")
		write("devices/usb1/"+dev+"/serial", serial)
		write("devices/usb1/"+dev+"/product", "FT232R USB UART")
	}
	write("devices/usb1/1-3/idVendor", "2e8a")
	write("devices/usb1/1-3/idProduct", "000a")
	tty("ttyUSB0", "devices/usb1/1-1/1-1:1.0/ttyUSB0")
	tty("ttyUSB1", "devices/usb1/1-2/1-2:1.0/ttyUSB1")
	tty("ttyACM0", "devices/usb1/1-3/1-3:1.0")
	tty("ttyAMA0", "devices/platform/soc/serial")
	tty("tty1", "")
	return sys
}

func TestUSBPorts(t *testing.T) {
	got, err := usbPorts(fakeSysfs(t))
	if err != nil {
		t.Fatal(err)
	}
	want := []USBPort{
		{Path: "/dev/ttyACM0", Vendor: 0x2e8a, Product: 0x000a},
		{Path: "/dev/ttyUSB0", Vendor: 0x0403, Product: 0x6001, Serial: "A50285BI", Name: "FT232R USB UART"},
		{Path: "/dev/ttyUSB1", Vendor: 0x0403, Product: 0x6001, Serial: "A50285BJ", Name: "FT232R USB UART"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestSerialPorts(t *testing.T) {
	sys := fakeSysfs(t)
	link := func(target, name string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(sys, target), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(sys, target), filepath.Join(sys, name)); err != nil {
			t.Fatal(err)
		}
	}
	link("bus/usb-serial/drivers/ftdi_sio", "devices/usb1/1-1/1-1:1.0/ttyUSB0/driver")
	link("bus/amba/drivers/uart-pl011", "devices/platform/soc/driver")
	link("bus/serial-base/drivers/port", "devices/platform/soc/serial/driver")
	link("devices/platform/serial8250/ttyS9", "class/tty/tty1/device")
	if err := os.WriteFile(filepath.Join(sys, "class/tty/tty1/type"), []byte("0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := SerialPorts(sys)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, p := range got {
		lines = append(lines, fmt.Sprint(p.Path, " ", p.Driver, " ", p.IsUSB, " ", p.USB.Serial))
	}
	want := []string{
		"/dev/ttyACM0  true ", "/dev/ttyAMA0 uart-pl011 false ",
		"/dev/ttyUSB0 ftdi_sio true A50285BI", "/dev/ttyUSB1  true A50285BJ",
	}
	if !reflect.DeepEqual(lines, want) {
		t.Errorf("got  %q\nwant %q", lines, want)
	}
}

func TestUSBPortsOfThisMachine(t *testing.T) {
	ports, err := USBPorts()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ports {
		if a, err := ParseAddress(p.Address().String()); err != nil || a != p.Address() {
			t.Errorf("port %+v has address %q, which is read as %q, %v", p, p.Address(), a, err)
		}
	}
}

func TestUSBPortsWithoutSysfs(t *testing.T) {
	_, err := usbPorts(filepath.Join(t.TempDir(), "nothing"))
	if err == nil || !strings.Contains(err.Error(), "mounted?") {
		t.Errorf("got %v, want an error that asks whether it is mounted", err)
	}
}

func TestFindUSB(t *testing.T) {
	ports, err := usbPorts(fakeSysfs(t))
	if err != nil {
		t.Fatal(err)
	}
	twin := USBPort{Path: "/dev/ttyUSB7", Vendor: 0x1a86, Product: 0x7523}
	other := twin
	other.Path = "/dev/ttyUSB8"
	ports = append(ports, twin, other)
	for _, tc := range []struct {
		address, path string
		err           error
	}{
		{"usb:1a86:7523", "", ErrAlike},
		{"usb:2e8a:000a", "/dev/ttyACM0", nil},
		{"usb:0403:6001:A50285BJ", "/dev/ttyUSB1", nil},
		{"usb:0403:6001:A50285BK", "", ErrNotFound},
		{"usb:2e8a:0001", "", ErrNotFound},
		{"usb:0403:6001", "", ErrAmbiguous},
	} {
		a, err := ParseAddress(tc.address)
		if err != nil {
			t.Fatal(err)
		}
		path, err := findUSB(ports, a.usb)
		if path != tc.path || !errors.Is(err, tc.err) {
			t.Errorf("%s: got %q, %v; want %q, %v", tc.address, path, err, tc.path, tc.err)
		}
		if tc.err == ErrAmbiguous && !strings.Contains(err.Error(), "/dev/ttyUSB1 is usb:0403:6001:A50285BJ") {
			t.Errorf("%v: does not name the ports to choose from", err)
		}
	}
}
