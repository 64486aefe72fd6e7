//go:build !linux

package gpio

import (
	"errors"
	"syscall"
)

var errLinux = errors.New("GPIO chips need Linux")

func openChip(string) (Chip, error) { return Chip{}, errLinux }

func (Chip) answers() bool { return false }

func addressed(string, int) error { return errLinux }

func newLine(uintptr, int) line { return nil } // no chip can be opened

const noReply = syscall.EIO
