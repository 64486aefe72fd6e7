package board

import (
	"os"
	"path/filepath"
)

// The Pi's kernel, and its description of the hardware.
const (
	kernelFile = "Image"
	deviceTree = "bcm2837-rpi-3-b.dtb"
)

// Pi is a Raspberry Pi 3 with the shoe on its first UART, /dev/ttyAMA0. It has the real
// driver of the Pi's GPIO lines, which nothing outside can move, and its USB, on which
// the network is. Its clock counts instructions: by a real one, the USB hub would not
// answer in time where this machine has much else to do.
var Pi = Board{
	Name: "pi", Arch: "arm64",
	modules: []string{"phy-generic", "dwc2", "cdc_ether", "rndis_host"},
	make:    makePi,
	emulator: func(parts string) []string {
		return []string{
			"qemu-system-aarch64", "-M", "raspi3b", "-icount", "shift=3",
			"-kernel", filepath.Join(parts, kernelFile), "-dtb", filepath.Join(parts, deviceTree),
			"-serial", "chardev:shoe", "-serial", "chardev:console",
		}
	},
	network: "usb-net", kernel: "console=ttyS1,115200 maxcpus=1",
}

func makePi(w *workshop) error {
	kernel := filepath.Join(w.system, "boot/vmlinuz-"+w.release)
	if err := os.Rename(kernel, filepath.Join(w.out, kernelFile)); err != nil {
		return err
	}
	tree := filepath.Join(w.out, deviceTree)
	if err := os.Rename(filepath.Join(w.system, "usr/lib/linux-image-"+w.release, "broadcom", deviceTree),
		tree); err != nil {
		return err
	}
	// Bluetooth, which is not emulated, would take the first UART for itself. And a Pi that
	// is started by QEMU gets no chance of its own, for which programs would wait.
	for _, change := range [][]string{
		{"-r", tree, "/soc/serial@7e201000/bluetooth"},
		append([]string{"-t", "x", tree, "/chosen", "rng-seed"}, seed...),
	} {
		if _, err := w.run("fdtput", change...); err != nil {
			return err
		}
	}
	return nil
}

// seed begins the board's random numbers. They are the same at every start.
var seed = []string{"5ab07", "3c6ef372", "a54ff53a", "510e527f", "9b05688c", "1f83d9ab", "5be0cd19", "6a09e667"}
