package board

import (
	"os"
	"path/filepath"
	"strings"
)

// vmlinux is the kernel as it is without its own unpacker: an emulator takes seconds to
// run that.
const vmlinux = "vmlinux"

// PC is a board with GPIO lines that the kernel simulates, and the shoe on a USB port with
// an FTDI chip, which can be unplugged.
var PC = Board{
	Name: "pc", Arch: "amd64",
	modules: []string{simulator, "xhci-pci", "ftdi_sio", "e1000"},
	make:    makePC,
	emulator: func(parts string) []string {
		return []string{
			"qemu-system-x86_64", "-M", "pc", "-cpu", "max", "-accel", "tcg", "-m", "512",
			"-kernel", filepath.Join(parts, vmlinux), "-device", "qemu-xhci",
			"-serial", "chardev:console", "-serial", "null",
		}
	},
	network: "e1000", shoe: "usb-serial", kernel: "console=ttyS0",
}

// simulator is the kernel's GPIO simulator. Debian leaves it out; it is built beside the
// kernel.
const simulator = "gpio-sim"

func makePC(w *workshop) error {
	if err := w.sources("drivers/gpio/gpio-sim.c", "drivers/gpio/gpiolib.h", "kernel/irq/irq_sim.c", "scripts/extract-vmlinux"); err != nil {
		return err
	}
	kernel, err := w.run("", "sh", filepath.Join(w.source, "scripts/extract-vmlinux"), filepath.Join(w.system, "boot/vmlinuz-"+w.release))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(w.out, vmlinux), kernel, 0o644); err != nil {
		return err
	}
	if err := w.headers(); err != nil {
		return err
	}
	return w.buildSimulator()
}

// headers corrects the one place in the kernel's headers that names where they would be
// installed.
func (w *workshop) headers() error {
	makefile := filepath.Join(w.headersDir(), "Makefile")
	text, err := os.ReadFile(makefile)
	if err != nil {
		return err
	}
	return os.WriteFile(makefile, []byte(strings.ReplaceAll(string(text), " /usr/src/", " "+w.system+"/usr/src/")), 0o644)
}

func (w *workshop) headersDir() string {
	return filepath.Join(w.system, "usr/src/linux-headers-"+w.release)
}

// buildSimulator makes one module of the simulator and of the interrupts that it needs,
// which Debian's kernel has neither. They use one call that modules may not make; there
// is another that does the same.
func (w *workshop) buildSimulator() error {
	dir := filepath.Join(w.dir, "module")
	interrupts, err := os.ReadFile(filepath.Join(w.source, "kernel/irq/irq_sim.c"))
	if err != nil {
		return err
	}
	module := strings.ReplaceAll(simulator, "-", "_") + "_all"
	for name, text := range map[string]string{
		"Kbuild":    "obj-m := " + module + ".o\n" + module + "-y := gpio-sim.o irq_sim.o\n",
		"irq_sim.c": strings.ReplaceAll(string(interrupts), "handle_simple_irq(irq_to_desc(irqnum))", "generic_handle_irq(irqnum)"),
	} {
		if err := writeFile(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	for _, name := range []string{"gpio-sim.c", "gpiolib.h"} {
		if err := os.Rename(filepath.Join(w.source, "drivers/gpio", name), filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	if _, err := w.run("", "make", "-C", w.headersDir(), "M="+dir, "modules"); err != nil {
		return err
	}
	return os.Rename(filepath.Join(dir, module+".ko"), filepath.Join(w.modulesDir(), simulator+".ko"))
}
