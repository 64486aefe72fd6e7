//go:build !linux

package inventory

import "errors"

// readChip fails: only Linux has such chips.
func readChip(string) (label string, lines []Line, err error) {
	return "", nil, errors.New("GPIO chips need Linux")
}
