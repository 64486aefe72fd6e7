package config

import (
	"errors"
	"log/slog"

	"github.com/sabot-table/sabot/table/money"
)

// Amount is a positive amount in minor units. In the file it is written in whole
// units with up to two decimals: 10, 10.5 or 10.00.
type Amount money.Amount

// UnmarshalText reads the amount as it is written in the file.
func (a *Amount) UnmarshalText(text []byte) error {
	n, err := money.Parse(string(text))
	if err != nil {
		return err
	}
	if n == 0 {
		return errors.New("the amount must be more than 0")
	}
	*a = Amount(n)
	return nil
}

// String writes the amount with two decimals.
func (a Amount) String() string { return money.Format(money.Amount(a), 2) }

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
