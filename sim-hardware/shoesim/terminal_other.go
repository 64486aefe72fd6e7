//go:build !linux

package shoesim

import "errors"

// openTerminal fails: other systems' pseudo-terminals do not report what a host has not read yet. A shoe on the network
// or in memory works everywhere.
func openTerminal(string) (line, error) {
	return nil, errors.New("a simulated shoe on a pseudo-terminal needs Linux")
}
