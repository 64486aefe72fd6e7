package config

import (
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strconv"

	"github.com/sabot-table/sabot/table/rules"
)

// Amount is a positive amount in minor units, written as house profiles write it:
// 10, 10.5 or 10.00.
type Amount = rules.Money

// Level is how much is logged.
type Level struct{ slog.Level }

// UnmarshalText reads debug, info, warn or error.
func (l *Level) UnmarshalText(text []byte) error {
	levels := map[string]slog.Level{
		"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError,
	}
	level, ok := levels[string(text)]
	if !ok {
		return errors.New("write debug, info, warn or error")
	}
	l.Level = level
	return nil
}

// I2CAddress is a device's address on an I2C bus, written in hex as every sheet and
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
