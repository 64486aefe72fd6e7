package transcript

import (
	"fmt"
	"unicode/utf8"
)

// Error is a line that is no valid input. Line and Column count from 1.
type Error struct {
	Line   uint64
	Column int
	What   string
}

// Error writes the place and what is wrong there.
func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.What)
}

func (s *scanner) wrongField(f field, format string, args ...any) error {
	return wrongAt(s.values[f].column, format, args...)
}

func wrongAt(column int, format string, args ...any) error {
	return &Error{Column: column, What: fmt.Sprintf(format, args...)}
}

// clip shortens what is quoted in an error.
func clip(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	cut := most
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
