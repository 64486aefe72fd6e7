package device

import (
	"fmt"
	"net"
	"path"
	"strconv"
	"strings"
)

// addressForms ends every complaint about an address.
const addressForms = "write a path such as /dev/ttyUSB0, by-id:NAME with a name from `ls /dev/serial/by-id`, " +
	"usb:VENDOR:PRODUCT such as usb:0403:6001 (and :SERIAL if there are several), or tcp://HOST:PORT"

const byIDFolder = "/dev/serial/by-id"

// busFolder has a file for each USB device, by which its serial port cannot be opened.
const busFolder = "/dev/bus/usb/"

type scheme uint8

const (
	byPath scheme = iota + 1
	byID
	byUSB
	byTCP
)

// Address names a port as a configuration does. Addresses can be compared with ==; the zero Address names none.
type Address struct {
	scheme scheme
	// target is the path, the name under by-id, or host:port.
	target string
	usb    usbID
}

// usbID names a USB device. An empty serial number stands for any.
type usbID struct {
	vendor, product uint16
	serial          string
}

// ParseAddress reads an address in one of four forms:
//
//	/dev/ttyUSB0               a device by its absolute path
//	by-id:NAME                 /dev/serial/by-id/NAME, which stays the same in every socket
//	usb:0403:6001[:SERIAL]     USB vendor and product, four hex digits each
//	tcp://HOST:PORT            a serial-to-network converter, or a simulator
func ParseAddress(s string) (Address, error) {
	for _, r := range s {
		if r < ' ' || r == 0x7F {
			return Address{}, badAddress(s, "contains a control character")
		}
	}
	scheme, rest, _ := strings.Cut(s, ":")
	switch {
	case s == "":
		return Address{}, badAddress(s, "is empty")
	case s != strings.TrimSpace(s):
		return Address{}, badAddress(s, "begins or ends with a space")
	case path.IsAbs(s):
		return parsePath(s)
	case scheme == "by-id":
		return parseByID(s, rest)
	case scheme == "usb":
		return parseUSB(s, rest)
	case strings.HasPrefix(s, "tcp://"):
		return parseTCP(s, strings.TrimPrefix(s, "tcp://"))
	default:
		return Address{}, badAddress(s, "is neither an absolute path nor one of the other forms")
	}
}

func badAddress(s, why string) error {
	return fmt.Errorf("port address %q %s: %s", s, why, addressForms)
}

func parsePath(s string) (Address, error) {
	if strings.HasSuffix(s, "/") {
		return Address{}, badAddress(s, "is a folder")
	}
	if strings.HasPrefix(s, busFolder) {
		return Address{}, badAddress(s, "is the USB device as a whole, and not its serial port")
	}
	return Address{scheme: byPath, target: s}, nil
}

func parseByID(s, name string) (Address, error) {
	if name == "" || name == "." || name == ".." || strings.Contains(name, "/") {
		return Address{}, badAddress(s, "lacks a name from "+byIDFolder)
	}
	return Address{scheme: byID, target: name}, nil
}

func parseUSB(s, rest string) (Address, error) {
	part := strings.SplitN(rest, ":", 3)
	if len(part) < 2 {
		return Address{}, badAddress(s, "lacks the product")
	}
	vendor, okVendor := parseHex4(part[0])
	product, okProduct := parseHex4(part[1])
	if !okVendor || !okProduct {
		return Address{}, badAddress(s, "needs four hex digits each for vendor and product, as `lsusb` shows them")
	}
	id := usbID{vendor: vendor, product: product}
	if len(part) == 3 {
		if id.serial = part[2]; id.serial == "" {
			return Address{}, badAddress(s, "ends in a colon without a serial number")
		}
	}
	return Address{scheme: byUSB, usb: id}, nil
}

func parseHex4(s string) (uint16, bool) {
	if len(s) != 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(s, 16, 16)
	return uint16(n), err == nil
}

func parseTCP(s, hostPort string) (Address, error) {
	host, port, err := net.SplitHostPort(hostPort)
	if err != nil || host == "" || strings.ContainsAny(host, "/ []") {
		return Address{}, badAddress(s, "has no host and port after tcp://")
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 {
		return Address{}, badAddress(s, "needs a port number from 1 to 65535")
	}
	return Address{scheme: byTCP, target: net.JoinHostPort(host, strconv.FormatUint(n, 10))}, nil
}

// String writes the address in the form that ParseAddress reads.
func (a Address) String() string {
	switch a.scheme {
	case byID:
		return "by-id:" + a.target
	case byUSB:
		return "usb:" + a.usb.String()
	case byTCP:
		return "tcp://" + a.target
	default:
		return a.target
	}
}

func (id usbID) String() string {
	s := fmt.Sprintf("%04x:%04x", id.vendor, id.product)
	if id.serial != "" {
		s += ":" + id.serial
	}
	return s
}
