package inventory

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/device"
)

// Bus is an I2C bus.
type Bus struct {
	// Path is the device file, such as /dev/i2c-1, whether it exists or not.
	Path string `json:"path"`
	// Name is the adapter's.
	Name string `json:"name,omitempty"`
	// Open says that the device file exists.
	Open   bool   `json:"open"`
	Access Access `json:"access"`
	// Taken are the addresses that kernel drivers use.
	Taken []Taken `json:"taken,omitempty"`
	// Answers are the addresses that answered, if they were asked.
	Answers []Address `json:"answers,omitempty"`
	// Trouble is why they could not be asked.
	Trouble string `json:"trouble,omitempty"`

	probed bool // every address was asked
}

// Taken is an address that a kernel driver uses.
type Taken struct {
	Address Address `json:"address"`
	Driver  string  `json:"driver"`
}

// Address is a device's address on a bus, written in hex.
type Address uint8

// String writes the address as sheets and tools do.
func (a Address) String() string { return fmt.Sprintf("0x%02x", uint8(a)) }

// MarshalText writes the address as String does.
func (a Address) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads an address as MarshalText writes it.
func (a *Address) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 0, 8)
	*a = Address(n)
	return err
}

const i2cDevices = "/sys/bus/i2c/devices"

func (s Source) buses(u User, probe bool) []Bus {
	buses := []Bus{}
	for _, name := range s.names(i2cDevices, "i2c-") {
		b := Bus{Path: "/dev/" + name, Name: s.text(filepath.Join(i2cDevices, name, "name"))}
		b.Open = s.real(b.Path) != ""
		b.Access, _ = s.access(b.Path, u)
		b.Taken = s.taken(strings.TrimPrefix(name, "i2c-"))
		if probe && b.Open {
			b.probe(s)
		}
		buses = append(buses, b)
	}
	return buses
}

// taken lists the devices of a bus that have a driver; their names are like 1-0027.
func (s Source) taken(number string) (all []Taken) {
	for _, name := range s.names(i2cDevices, number+"-") {
		at, err := strconv.ParseUint(strings.TrimPrefix(name, number+"-"), 16, 8)
		driver := s.real(filepath.Join(i2cDevices, name, "driver"))
		if err == nil && driver != "" {
			all = append(all, Taken{Address(at), filepath.Base(driver)})
		}
	}
	return all
}

// The addresses that are not reserved.
const firstAddress, lastAddress = 0x08, 0x77

// probe reads a byte from every address. The bus does not touch a driver's address.
func (b *Bus) probe(s Source) {
	bus, err := s.Bus(b.Path)
	if err != nil {
		b.Trouble = err.Error()
		return
	}
	defer bus.Close() // there is nothing to lose on a bus that was only read from
	var one [1]byte
	for a := uint16(firstAddress); a <= lastAddress; a++ {
		switch err := bus.Tx(a, nil, one[:]); {
		case err == nil:
			b.Answers = append(b.Answers, Address(a))
		case !errors.Is(err, device.ErrNoAnswer) && !errors.Is(err, device.ErrBusy):
			b.Trouble = err.Error()
			return
		}
	}
	b.probed = true
}
