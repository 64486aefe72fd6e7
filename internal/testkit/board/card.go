// What follows starts a card of deploy/image in an emulated computer: QEMU's virt with the processor of a Raspberry
// Pi 4, Debian's U-Boot, a graphics card, and the shoe on a USB port. A test looks at its screen, is the technician by
// ssh, and cuts its power.

package board

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	layout "github.com/sabot-table/sabot/internal/release/image"
	"github.com/sabot-table/sabot/internal/testkit/system"
)

// CardDeadline bounds the wait for what a computer must do. Everything is emulated, on a computer that may have much
// else to do.
const CardDeadline = 40 * time.Minute

// resets is how often U-Boot may start anew before the wait is given up: nothing that is tested has it start so often.
const resets = 8

// Size is how large the emulated card is, in bytes: larger than what was written to it, as a real one.
const Size = 8 << 30

// Computer is an emulated computer with a card. It is switched off with its test.
type Computer struct {
	t    testing.TB
	dir  string
	shoe string
	// host and port are of this machine, and lead to the computer's port 22.
	host, port string
	qemu       *exec.Cmd
	out        *os.File
	gone       chan struct{}
	// tunnel forwards Page.
	tunnel *exec.Cmd

	// Page is the address of this machine that leads to the table's page.
	Page string
}

// NewComputer makes a computer with a copy of a card, on which the technician's key and files of the data lie, which
// belong to the table's user. shoe is tcp://host:port.
func NewComputer(t testing.TB, image, shoe string, data map[string]string) *Computer {
	t.Helper()
	c := &Computer{t: t, dir: t.TempDir(), shoe: strings.TrimPrefix(shoe, "tcp://"), Page: system.Address(t)}
	var err error
	if c.host, c.port, err = net.SplitHostPort(system.Address(t)); err != nil {
		t.Fatal(err)
	}
	does(t, "cp", "--sparse=always", "--reflink=auto", image, c.card())
	if err := os.Truncate(c.card(), Size); err != nil {
		t.Fatal(err)
	}
	does(t, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", c.at("key"))
	does(t, "mcopy", "-i", fmt.Sprintf("%s@@%d", c.card(), int64(layout.FirmwareAt)), c.at("key.pub"),
		"::authorized_keys")
	c.put(data)
	if c.out, err = os.Create(c.at("console")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.end)
	return c
}

func (c *Computer) at(name string) string { return filepath.Join(c.dir, name) }
func (c *Computer) card() string          { return c.at("card.img") }

func does(t testing.TB, name string, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// put writes files of the user sabot, who runs the table, to the data of the card.
func (c *Computer) put(files map[string]string) {
	c.t.Helper()
	c.Mounted(layout.DataAt, func(folder string) {
		for name, text := range files {
			path := filepath.Join(folder, name)
			info, err := os.Stat(filepath.Join(folder, "var/lib/sabot"))
			if err != nil {
				c.t.Fatal(err)
			}
			owner := info.Sys().(*syscall.Stat_t)
			if err := errors.Join(os.WriteFile(path, []byte(text), 0o600),
				os.Chown(path, int(owner.Uid), int(owner.Gid))); err != nil {
				c.t.Fatal(err)
			}
		}
	})
}

// PutFirmware writes files to the part of the card that any computer can write to, while the computer is off. mtools do
// it: a kernel may know nothing of FAT.
func (c *Computer) PutFirmware(files map[string]string) {
	c.t.Helper()
	drive := fmt.Sprintf("%s@@%d", c.card(), int64(layout.FirmwareAt))
	made := map[string]bool{".": true}
	for name, text := range files {
		for _, folder := range foldersOf(name) {
			if !made[folder] {
				does(c.t, "mmd", "-i", drive, "::"+folder)
				made[folder] = true
			}
		}
		draft := c.at("draft")
		if err := os.WriteFile(draft, []byte(text), 0o600); err != nil {
			c.t.Fatal(err)
		}
		does(c.t, "mcopy", "-i", drive, draft, "::"+name)
	}
}

// foldersOf are the folders that a file is in, the outermost first.
func foldersOf(name string) (folders []string) {
	for at := path.Dir(name); at != "."; at = path.Dir(at) {
		folders = append([]string{at}, folders...)
	}
	return folders
}

// Mounted mounts a partition of the card of a computer that is off, by where it begins.
func (c *Computer) Mounted(at int64, use func(folder string)) {
	c.t.Helper()
	Mounted(c.t, c.card(), at, use)
}

// Mounted mounts a file system in a file, which begins there.
func Mounted(t testing.TB, file string, at int64, use func(folder string)) {
	t.Helper()
	folder := t.TempDir()
	does(t, "mount", "-o", fmt.Sprintf("loop,offset=%d", at), file, folder)
	defer does(t, "umount", folder)
	use(folder)
}

// On switches the computer on.
func (c *Computer) On() {
	c.t.Helper()
	host, port, err := net.SplitHostPort(c.shoe)
	if err != nil {
		c.t.Fatal(err)
	}
	c.qemu = exec.Command("qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a72", "-smp", "2", "-m", "2048",
		"-accel", "tcg,thread=multi",
		"-bios", "/usr/lib/u-boot/qemu_arm64/u-boot.bin", "-nodefaults", "-display", "none", "-no-user-config",
		"-drive", "if=none,id=card,format=raw,file="+c.card(), "-device", "virtio-blk-pci,drive=card",
		"-device", "virtio-gpu-pci,xres=1024,yres=600", "-device", "virtio-rng-pci", "-device", "i6300esb", "-action",
		"watchdog=reset",
		"-chardev", fmt.Sprintf("socket,id=shoe,host=%s,port=%s,reconnect=1", host, port),
		"-device", "qemu-xhci", "-device", "usb-serial,chardev=shoe,always-plugged=on",
		"-netdev", fmt.Sprintf("user,id=net,hostfwd=tcp:%s:%s-:22", c.host, c.port), "-device",
		"virtio-net-pci,netdev=net,romfile=",
		"-serial", "stdio", "-qmp", "unix:"+c.at("qmp")+",server=on,wait=off")
	c.qemu.Stdout, c.qemu.Stderr = c.out, c.out
	c.qemu.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := c.qemu.Start(); err != nil {
		c.t.Fatalf("%v; apt-get install qemu-system-arm u-boot-qemu", err)
	}
	gone := make(chan struct{})
	c.gone = gone
	go func(q *exec.Cmd) {
		_ = q.Wait() // it is killed
		close(gone)
	}(c.qemu)
}

// Cut cuts the power: what the computer has not written to its card is lost.
func (c *Computer) Cut() {
	c.t.Helper()
	c.closeTunnel()
	if err := c.qemu.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		c.t.Fatal(err)
	}
	<-c.gone
}

func (c *Computer) end() {
	if c.qemu != nil {
		c.Cut()
	}
	if err := c.out.Close(); err != nil {
		c.t.Error(err)
	}
	if c.t.Failed() {
		c.t.Logf("the computer's first serial line:\n%s", c.Console())
	}
}

// Console is what U-Boot has said, at all starts.
func (c *Computer) Console() string {
	text, err := os.ReadFile(c.at("console"))
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// sshArgs are those of the technician, for ssh and scp.
func (c *Computer) sshArgs(more ...string) []string {
	return append([]string{
		"-i", c.at("key"), "-o", "Port=" + c.port, "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=" +
			c.at("known"), "-o", "ConnectTimeout=60",
		"-o", "LogLevel=ERROR", "-o", "ServerAliveInterval=20", "-o", "IdentitiesOnly=yes",
	}, more...)
}

// Try runs a command there as root, and returns what it prints.
func (c *Computer) Try(command string) (string, error) {
	ctx, stop := context.WithTimeout(c.t.Context(), CardDeadline)
	defer stop()
	cmd := exec.CommandContext(ctx, "ssh", c.sshArgs("technician@"+c.host, "sudo sh -c '"+command+"'")...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("%s: %w: %s", command, err, said.String())
	}
	return out.String(), nil
}

// Run runs a command there that must succeed.
func (c *Computer) Run(command string) string {
	c.t.Helper()
	out, err := c.Try(command)
	if err != nil {
		c.t.Fatalf("%v\n%s", err, out)
	}
	return out
}

// Send copies files to the technician's folder on the data, and returns how that is called there.
func (c *Computer) Send(files ...string) (folder string) {
	c.t.Helper()
	const there = "/data/technician/"
	does(c.t, "scp", c.sshArgs(append(files, "technician@"+c.host+":"+there)...)...)
	return there
}

// Await waits until something is so.
func (c *Computer) Await(what string, is func() bool) {
	c.t.Helper()
	for end := time.Now().Add(CardDeadline); !is(); {
		select {
		case <-c.gone:
			c.t.Fatalf("QEMU has ended before %s", what)
		case <-time.After(time.Second):
		}
		if strings.Count(c.Console(), "\nresetting ...") > resets {
			c.t.Fatalf("U-Boot starts again and again before %s", what)
		}
		if time.Now().After(end) {
			c.t.Fatalf("waited %s in vain for %s", CardDeadline, what)
		}
	}
}

// Ready waits until the technician can enter and the table answers, and leads Page to it.
func (c *Computer) Ready() {
	c.t.Helper()
	c.Await("ssh", func() bool { _, err := c.Try("true"); return err == nil })
	c.Await("the page", func() bool {
		_, err := c.Try("curl -sf -o /dev/null http://127.0.0.1:8080/")
		return err == nil
	})
	c.tunnel = exec.Command("ssh", c.sshArgs("-N", "-L", c.Page+":127.0.0.1:8080", "-o", "ExitOnForwardFailure=yes",
		"technician@"+c.host)...)
	c.tunnel.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := c.tunnel.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.Await("the way to the page", func() bool {
		line, err := net.Dial("tcp", c.Page)
		return err == nil && line.Close() == nil
	})
}

func (c *Computer) closeTunnel() {
	if c.tunnel != nil {
		_ = c.tunnel.Process.Kill()
		_ = c.tunnel.Wait()
		c.tunnel = nil
	}
}

// Screen is what the graphics card shows.
func (c *Computer) Screen(path string) image.Image {
	c.t.Helper()
	if err := c.qmp("screendump", map[string]any{"filename": path, "format": "png"}); err != nil {
		c.t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		c.t.Fatal(err)
	}
	defer f.Close()
	shown, err := png.Decode(f)
	if err != nil {
		c.t.Fatal(err)
	}
	return shown
}

// Colours says how many pixels of the screen have each colour.
func Colours(shown image.Image) map[color.Color]int {
	seen := map[color.Color]int{}
	for y := shown.Bounds().Min.Y; y < shown.Bounds().Max.Y; y++ {
		for x := shown.Bounds().Min.X; x < shown.Bounds().Max.X; x++ {
			seen[color.RGBAModel.Convert(shown.At(x, y))]++
		}
	}
	return seen
}

// qmp has QEMU do something, and waits until it is done.
func (c *Computer) qmp(command string, arguments map[string]any) error {
	line, err := net.Dial("unix", c.at("qmp"))
	if err != nil {
		return err
	}
	defer line.Close()
	ctx, stop := context.WithTimeout(c.t.Context(), CardDeadline)
	defer stop()
	m := newMonitor(line, line)
	if err := m.do(ctx, "qmp_capabilities", nil, nil); err != nil {
		return err
	}
	return m.do(ctx, command, arguments, nil)
}
