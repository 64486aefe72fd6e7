package broker

import (
	"log/slog"
	"time"
)

// ListenPatiently is Listen with another patience for readers that do not read.
func ListenPatiently(addr string, log *slog.Logger, patience time.Duration) (*Broker, error) {
	return listen(Login{}, addr, log, patience)
}
