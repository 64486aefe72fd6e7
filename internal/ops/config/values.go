package config

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/sabot-table/sabot/table/rules"
)

// Amount is a positive amount in minor units, written as house profiles write it:
// 10, 10.5 or 10.00.
type Amount = rules.Money

// Size is a number of bytes.
type Size uint64

// sizes are the units in which a Size is written.
var sizes = map[string]Size{"MB": 1 << 20, "GB": 1 << 30}

var sizeForm = regexp.MustCompile(`^(0|[1-9][0-9]{0,5}) (MB|GB)$`)

// UnmarshalText reads a size such as 500 MB or 2 GB.
func (s *Size) UnmarshalText(text []byte) error {
	parts := sizeForm.FindStringSubmatch(string(text))
	if parts == nil {
		return errors.New("write a number and MB or GB, such as 500 MB")
	}
	n, err := strconv.ParseUint(parts[1], 10, 64)
	*s = Size(n) * sizes[parts[2]]
	return err
}

// String writes the size as it is read.
func (s Size) String() string { return fmt.Sprintf("%d MB", s/sizes["MB"]) }

// I2CAddress is a device's address on an I2C bus, written in hex as every data sheet and
// tool does: 0x27.
type I2CAddress uint8

var hexAddress = regexp.MustCompile(`^0x[0-9A-Fa-f]{2}$`)

// UnmarshalText reads an address such as 0x27.
func (a *I2CAddress) UnmarshalText(text []byte) error {
	if !hexAddress.Match(text) {
		return errors.New("write it in hex, such as 0x27")
	}
	n, err := strconv.ParseUint(string(text[2:]), 16, 8)
	*a = I2CAddress(n)
	return err
}

// String writes the address as it is read.
func (a I2CAddress) String() string { return fmt.Sprintf("0x%02x", uint8(a)) }
