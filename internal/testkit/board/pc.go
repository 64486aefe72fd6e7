package board

import (
	_ "embed" // the expander
	"fmt"
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
	modules: []string{simulator, expanderDriver, "i2c-dev", expander, "xhci-pci", "ftdi_sio", "e1000"},
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

// The kernel's driver of the MCP23017, which Debian leaves out, too, and an expander for it,
// whose source is here.
const (
	expanderDriver = "mcp23017"
	expander       = "expander"
)

//go:embed kernel/expander.c
var expanderSource string

func makePC(w *workshop) error {
	modules := pcModules()
	files := []string{"scripts/extract-vmlinux"}
	for _, m := range modules {
		files = append(files, m.sources...)
	}
	if err := w.sources(files...); err != nil {
		return err
	}
	kernel, err := w.run("sh", filepath.Join(w.source, "scripts/extract-vmlinux"),
		filepath.Join(w.system, "boot/vmlinuz-"+w.release))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(w.out, vmlinux), kernel, 0o644); err != nil {
		return err
	}
	if err := w.headers(); err != nil {
		return err
	}
	for _, m := range modules {
		if err := w.makeModule(m); err != nil {
			return err
		}
	}
	return nil
}

// module is a module of the kernel that Debian does not have.
type module struct {
	name string
	// sources are files of the kernel's source, ours a text of our own; parts are the names
	// without .c of what is compiled.
	sources []string
	ours    string
	parts   []string
	// changes are texts in the sources, each with the one that replaces it.
	changes []string
}

// pcModules are those of the PC. The simulator is made with the interrupts that it needs, which use one call that
// modules may not make; there is another that does the same. A chip that vanishes leaves its interrupts, for whoever
// has its lines: this kernel frees them under a program that waits for one, and then its memory is damaged. A chip that
// is pulled out of a real board has none of its own.
func pcModules() []module {
	return []module{
		{
			name: simulator, parts: []string{"gpio-sim", "irq_sim"},
			sources: []string{"drivers/gpio/gpio-sim.c", "drivers/gpio/gpiolib.h", "kernel/irq/irq_sim.c"},
			changes: []string{
				"handle_simple_irq(irq_to_desc(irqnum))", "generic_handle_irq(irqnum)",
				"irq_dispose_mapping(irq_find_mapping(chip->irq_sim, i));", "(void)chip;",
				"\tirq_domain_remove_sim(domain);",
				"\tirq_work_sync(&((struct irq_sim_work_ctx *)domain->host_data)->work);",
			},
		},
		{
			name: expanderDriver, parts: []string{"pinctrl-mcp23s08", "pinctrl-mcp23s08_i2c"},
			sources: []string{
				"drivers/pinctrl/pinctrl-mcp23s08.c", "drivers/pinctrl/pinctrl-mcp23s08_i2c.c",
				"drivers/pinctrl/pinctrl-mcp23s08.h",
			},
		},
		{name: expander, parts: []string{"ours"}, ours: expanderSource},
	}
}

// headers corrects the one place in the kernel's headers that names where they would be
// installed.
func (w *workshop) headers() error {
	makefile := filepath.Join(w.headersDir(), "Makefile")
	text, err := os.ReadFile(makefile)
	if err != nil {
		return err
	}
	return os.WriteFile(makefile, []byte(strings.ReplaceAll(string(text), " /usr/src/", " "+w.system+"/usr/src/")),
		0o644)
}

func (w *workshop) headersDir() string {
	return filepath.Join(w.system, "usr/src/linux-headers-"+w.release)
}

// makeModule makes a module.
func (w *workshop) makeModule(m module) error {
	dir := filepath.Join(w.dir, m.name)
	made := strings.ReplaceAll(m.name, "-", "_") + "_all"
	texts := map[string]string{"Kbuild": "obj-m := " + made + ".o\n" + made + "-y := " +
		strings.Join(m.parts, ".o ") + ".o\n"}
	if m.ours != "" {
		texts["ours.c"] = m.ours
	}
	changed, sources := strings.NewReplacer(m.changes...), ""
	for _, path := range m.sources {
		text, err := os.ReadFile(filepath.Join(w.source, path))
		if err != nil {
			return err
		}
		texts[filepath.Base(path)] = changed.Replace(string(text))
		sources += string(text)
	}
	for i := 0; i < len(m.changes); i += 2 {
		if !strings.Contains(sources, m.changes[i]) {
			return fmt.Errorf("%s: this kernel's source has no %q to change", m.name, m.changes[i])
		}
	}
	for name, text := range texts {
		if err := writeFile(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	if _, err := w.run("make", "-C", w.headersDir(), "M="+dir, "modules"); err != nil {
		return err
	}
	return os.Rename(filepath.Join(dir, made+".ko"), filepath.Join(w.modulesDir(), m.name+".ko"))
}
