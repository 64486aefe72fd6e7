// Package configfile is what the configurations of the table and of the pit have in common: values, a house's own words
// and languages, secrets in files of their own, and who may read and change what they name.
package configfile

import (
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Log is a program's log, on standard error.
type Log struct {
	Level Level `yaml:"level"`
	// Format is "text" or "json".
	Format string `yaml:"format"`
}

// Level is how much is logged.
type Level struct{ slog.Level }

// UnmarshalText reads debug, info, warn or error.
func (l *Level) UnmarshalText(text []byte) error {
	switch string(text) {
	case "debug", "info", "warn", "error":
		return l.Level.UnmarshalText(text)
	}
	return errors.New("write debug, info, warn or error")
}

// ClockTime is a time of day, as the time since midnight.
type ClockTime time.Duration

// UnmarshalText reads a time such as 06:00.
func (c *ClockTime) UnmarshalText(text []byte) error {
	t, err := time.Parse("15:04", string(text))
	if err != nil {
		return errors.New("write hours and minutes, such as 06:00")
	}
	*c = ClockTime(time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute)
	return nil
}

// String writes the time as it is read.
func (c ClockTime) String() string {
	minutes := int(time.Duration(c).Minutes())
	return fmt.Sprintf("%02d:%02d", minutes/60, minutes%60)
}
