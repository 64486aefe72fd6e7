package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// keyByKey makes a terminal return each key as it is pressed, without showing it, until
// restore is called. Anything else is left as it is.
func keyByKey(in io.Reader) (restore func(), err error) {
	file, ok := in.(*os.File)
	if !ok {
		return func() {}, nil
	}
	before, err := unix.IoctlGetTermios(int(file.Fd()), unix.TCGETS)
	if errors.Is(err, unix.ENOTTY) {
		return func() {}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the terminal's settings: %w", err)
	}
	now := *before
	now.Lflag &^= unix.ICANON | unix.ECHO
	now.Cc[unix.VMIN], now.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(int(file.Fd()), unix.TCSETS, &now); err != nil {
		return nil, fmt.Errorf("setting the terminal to return each key: %w", err)
	}
	return func() {
		if err := unix.IoctlSetTermios(int(file.Fd()), unix.TCSETS, before); err != nil {
			fmt.Fprintln(os.Stderr, "sabot: the terminal's settings could not be restored; type \"reset\":", err)
		}
	}, nil
}
