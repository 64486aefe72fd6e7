package inventory

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/device"
)

// SerialPort is a serial port.
type SerialPort struct {
	Path   string `json:"path"`
	Driver string `json:"driver,omitempty"`
	// Links are other names of the device file, such as those under /dev/serial/by-id.
	Links []string `json:"links,omitempty"`
	// Vendor and Product are the USB device's numbers in hex, empty for a port of the machine's own; Serial and Name
	// are what the device calls itself.
	Vendor  string `json:"vendor,omitempty"`
	Product string `json:"product,omitempty"`
	Serial  string `json:"serial,omitempty"`
	Name    string `json:"name,omitempty"`
	// Address is the best name of the port in a configuration.
	Address string `json:"address"`
	// Latency is how long the converter waits for more bytes, in ms; 0 if unknown.
	Latency int `json:"latency_ms,omitempty"`
	// Console says that the system itself writes on the port.
	Console bool      `json:"console,omitempty"`
	Access  Access    `json:"access"`
	Holders []Process `json:"holders,omitempty"`
}

const (
	byID   = "/dev/serial/by-id/"
	byPath = "/dev/serial/by-path/"
)

func (s Source) serialPorts(u User, users holders) ([]SerialPort, error) {
	found, err := device.SerialPorts(s.at("/sys"))
	if err != nil {
		return nil, err
	}
	links, consoles := s.links(), s.text("/proc/consoles")
	ports := make([]SerialPort, 0, len(found))
	for _, f := range found {
		p := SerialPort{Path: f.Path, Driver: f.Driver, Links: links[f.Path], Address: f.Path}
		if f.IsUSB {
			p.Vendor, p.Product = fmt.Sprintf("%04x", f.USB.Vendor), fmt.Sprintf("%04x", f.USB.Product)
			p.Serial, p.Name, p.Address = f.USB.Serial, f.USB.Name, f.USB.Address().String()
		}
		for _, link := range p.Links {
			if name, ok := strings.CutPrefix(link, byID); ok {
				p.Address = "by-id:" + name
			}
		}
		p.Latency = s.latency(p.Path)
		for line := range strings.Lines(consoles) {
			p.Console = p.Console || firstWord(line) == filepath.Base(p.Path)
		}
		var node Node
		p.Access, node = s.access(p.Path, u)
		p.Holders = users.of(p.Path, node)
		ports = append(ports, p)
	}
	bySocket(ports)
	return ports, nil
}

// bySocket has converters that are alike, without numbers of their own, named by the socket that they are in: a by-id
// name is that of whichever was plugged in last.
func bySocket(ports []SerialPort) {
	for i := range ports {
		if p := &ports[i]; slices.ContainsFunc(ports, p.alike) {
			for _, link := range p.Links {
				if strings.HasPrefix(link, byPath) {
					p.Address = link
				}
			}
		}
	}
}

// alike says whether nothing but its socket tells another converter from this one.
func (p *SerialPort) alike(other SerialPort) bool {
	return p.Vendor != "" && p.Path != other.Path && p.Vendor == other.Vendor && p.Product == other.Product &&
		p.Serial == other.Serial
}

func firstWord(s string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	return word
}

// links are the other names of device files.
func (s Source) links() map[string][]string {
	links := map[string][]string{}
	for _, folder := range []string{"/dev/", byID, byPath} {
		for _, name := range s.names(folder, "") {
			if folder == "/dev/" && !strings.HasPrefix(name, "serial") && !strings.HasPrefix(name, "gpiochip") {
				continue
			}
			path := folder + name
			if target := s.real(path); target != "" && target != path {
				links[target] = append(links[target], path)
			}
		}
	}
	return links
}

// latency is how long the driver of a USB converter says that it waits for more bytes.
func (s Source) latency(path string) int {
	ms, err := strconv.Atoi(s.text(filepath.Join("/sys/bus/usb-serial/devices", filepath.Base(path), "latency_timer")))
	if err != nil {
		return 0 // most converters have none
	}
	return ms
}

// hasUSB says whether a USB device with these numbers is plugged in.
func (s Source) hasUSB(vendor, product string) bool {
	return slices.ContainsFunc(s.names("/sys/bus/usb/devices", ""), func(name string) bool {
		dir := filepath.Join("/sys/bus/usb/devices", name)
		return s.text(dir+"/idVendor") == vendor && s.text(dir+"/idProduct") == product
	})
}
