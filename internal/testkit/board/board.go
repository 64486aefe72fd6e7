// Package board makes whole computers for tests, in emulation: a PC whose kernel has
// GPIO lines that can be pulled and a USB port for the shoe, and a Raspberry Pi 3 with
// the shoe on its UART. Both run Debian's own kernel and the project's own programs.
// README.md says what they can show and what they cannot. With them are a card of deploy/image in an emulated computer,
// and a Debian with a running systemd, without emulation.
package board

import (
	"context"
	"fmt"
)

// Board is a kind of emulated computer.
type Board struct {
	// Name is used in messages and in the cache.
	Name string
	// Arch is Go's name of the processor, and Debian's.
	Arch string
	// modules are the kernel modules loaded at the start, besides those that they need.
	modules []string
	// make makes the kernel.
	make func(*workshop) error
	// emulator returns the beginning of the command that switches the board on, given the folder with its kernel. shoe
	// and console are QEMU's names for the other ends of its lines.
	emulator func(parts string) []string
	// network and shoe are QEMU's devices for these, and kernel is the kernel's command line.
	network, shoe, kernel string
}

// Make makes what the board is started from, or finds it in the cache, and returns the folder. told is called with each
// step that takes long.
func (b Board) Make(ctx context.Context, told func(string)) (string, error) {
	c, err := openCache(told)
	if err != nil {
		return "", fmt.Errorf("making the %s board: %w", b.Name, err)
	}
	defer c.close()
	parts, err := c.parts(ctx, b)
	if err != nil {
		return "", fmt.Errorf("making the %s board: %w", b.Name, err)
	}
	return parts, nil
}
