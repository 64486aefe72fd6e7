package broker

import (
	"fmt"
	"log/slog"
)

// logger hands on what NATS logs. It never ends the program: a listener that fails shows at the start, and its error is
// returned there.
type logger struct{ *slog.Logger }

func (l logger) Noticef(format string, v ...any) { l.Debug(fmt.Sprintf(format, v...)) }
func (l logger) Warnf(format string, v ...any)   { l.Warn(fmt.Sprintf(format, v...)) }
func (l logger) Errorf(format string, v ...any)  { l.Error(fmt.Sprintf(format, v...)) }
func (l logger) Fatalf(format string, v ...any)  { l.Error(fmt.Sprintf(format, v...)) }
func (l logger) Debugf(format string, v ...any)  { l.Debug(fmt.Sprintf(format, v...)) }
func (l logger) Tracef(format string, v ...any)  { l.Debug(fmt.Sprintf(format, v...)) }
