//go:build !linux

package shoesim

import "errors"

// openTerminal is not there: other systems' pseudo-terminals do not tell what a host has
// not read yet. A shoe on the network or in memory works everywhere.
func openTerminal(string) (line, error) {
	return nil, errors.New("a simulated shoe on a pseudo-terminal needs Linux")
}
