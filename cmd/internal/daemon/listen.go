package daemon

import (
	"errors"
	"fmt"
	"net"
	"syscall"
)

// listen takes the page's port.
func listen(address string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("the page's address %s is taken: another sabotd or another program listens there; "+
			"end it, or give another address (web.listen in the configuration, --web in the demonstration): %w", address, err)
	}
	if err != nil {
		return nil, fmt.Errorf("the page cannot be served on %s: %w", address, err)
	}
	return l, nil
}
