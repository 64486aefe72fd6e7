package device

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// USBPort is a serial port that a USB device offers.
type USBPort struct {
	// Path is the device file, such as /dev/ttyUSB0.
	Path string
	// Vendor and Product are the USB numbers, Serial the device's own number,
	// which may be empty.
	Vendor, Product uint16
	Serial          string
	// Name is what the device calls itself; it may be empty.
	Name string
}

// Address returns the address that names the port by its USB device.
func (p USBPort) Address() Address {
	return Address{scheme: byUSB, usb: usbID{vendor: p.Vendor, product: p.Product, serial: p.Serial}}
}

const sysfs = "/sys"

// USBPorts lists the serial ports of all USB devices, in the order of their names.
//
// It reads the kernel's own list and opens no port. The enumerator of go.bug.st/serial opens every /dev/ttyS* and sets
// it to 9600 baud as it searches, which would disturb a shoe or a console on such a line.
func USBPorts() ([]USBPort, error) { return usbPorts(sysfs) }

func usbPorts(sys string) ([]USBPort, error) {
	all, err := SerialPorts(sys)
	var ports []USBPort
	for _, p := range all {
		if p.IsUSB {
			ports = append(ports, p.USB)
		}
	}
	return ports, err
}

// SerialPort is a serial port of this machine: one of its own, or a USB device's.
type SerialPort struct {
	// Path is the device file, such as /dev/ttyAMA0.
	Path string
	// Driver is the kernel's driver, such as ftdi_sio; it may be empty.
	Driver string
	// USB is what offers the port if IsUSB.
	USB   USBPort
	IsUSB bool
}

// SerialPorts lists the serial ports in the kernel's tree of devices, which is /sys except in tests, in the order of
// their names. Like USBPorts it opens none. It leaves out ports without hardware, of which a PC has many.
func SerialPorts(sys string) ([]SerialPort, error) {
	class := filepath.Join(sys, "class", "tty")
	ttys, err := os.ReadDir(class)
	if err != nil {
		return nil, fmt.Errorf("list the serial ports: %w: is %s mounted?", err, sys)
	}
	var ports []SerialPort
	for _, tty := range ttys {
		device, err := filepath.EvalSymlinks(filepath.Join(class, tty.Name(), "device"))
		if errors.Is(err, fs.ErrNotExist) {
			continue // a console or a pseudo-terminal, or one that was unplugged just now
		}
		if err != nil {
			return nil, fmt.Errorf("find the device of %s: %w", tty.Name(), err)
		}
		if readAttribute(filepath.Join(class, tty.Name()), "type") == "0" {
			continue // a port without a UART
		}
		port := SerialPort{Path: "/dev/" + tty.Name(), Driver: driverOf(device)}
		port.USB, port.IsUSB = readUSB(device)
		port.USB.Path = port.Path
		ports = append(ports, port)
	}
	return ports, nil
}

// driverOf returns the name of the nearest driver around a device. Kernels from 6.5 on put two meaningless drivers of
// their own between a UART and its driver.
func driverOf(device string) string {
	for dir := device; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		target, err := os.Readlink(filepath.Join(dir, "driver"))
		if name := filepath.Base(target); err == nil && name != "port" && name != "ctrl" {
			return name
		}
	}
	return ""
}

// readUSB reads the numbers of the USB device that the given device is part of. It is one folder up for CDC and two for
// a converter's port.
func readUSB(device string) (USBPort, bool) {
	for dir := device; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		vendor, isUSB := parseHex4(readAttribute(dir, "idVendor"))
		product, ok := parseHex4(readAttribute(dir, "idProduct"))
		if isUSB && ok {
			return USBPort{
				Vendor: vendor, Product: product,
				Serial: readAttribute(dir, "serial"), Name: readAttribute(dir, "product"),
			}, true
		}
	}
	return USBPort{}, false
}

// readAttribute returns "" for what the device does not state, or no longer
// states because it was unplugged meanwhile.
func readAttribute(dir, name string) string {
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// findUSB returns the one port of the ports that fits the id.
func findUSB(ports []USBPort, want usbID) (string, error) {
	var fits []USBPort
	for _, p := range ports {
		if p.Vendor == want.vendor && p.Product == want.product && (want.serial == "" || p.Serial == want.serial) {
			fits = append(fits, p)
		}
	}
	switch len(fits) {
	case 0:
		return "", ErrNotFound
	case 1:
		return fits[0].Path, nil
	}
	if twins := !slices.ContainsFunc(fits, func(p USBPort) bool { return p.Address() != fits[0].Address() }); twins {
		return "", ErrAlike
	}
	names := make([]string, len(fits))
	for i, p := range fits {
		names[i] = fmt.Sprintf("%s is %s", p.Path, p.Address())
	}
	return "", fmt.Errorf("%w: %s", ErrAmbiguous, strings.Join(names, ", "))
}
