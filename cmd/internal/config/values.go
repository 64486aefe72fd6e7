package config

import (
	"errors"
	"log/slog"

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
