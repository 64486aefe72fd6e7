// What follows makes up machines: trees of files as the kernel shows them, from
// descriptions in text. The trees that come with it are a Raspberry Pi 4, a Raspberry
// Pi 5 and a PC to which nothing is wired.
//
// A description has one line for each thing:
//
//	file /proc/1/comm systemd             a file with a line of text; more lines are added in the same way
//	link /dev/serial0 ttyAMA0             a symbolic link
//	node /dev/ttyAMA0 root:dialout 660    a device file, its owner, group and mode
//	chip /dev/gpiochip0 pinctrl-bcm2711   what a GPIO chip's device file reports
//	line GPIO17 output "sabotd@812"       the last chip's next line, its direction and user
//	bus /dev/i2c-1 27 3f                  which addresses answer on a bus
//	server tcp://10.0.0.7:4001            what answers across the network

package devicetest

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/device/inventory"
)

//go:embed trees/*.txt
var trees embed.FS

// machine is a machine under construction.
type machine struct {
	root  string
	nodes map[string]inventory.Node
	chips map[string]*chip
	buses map[string][]inventory.Address
	last  *chip
	// servers are the ports across the network that are served.
	servers []string
}

type chip struct {
	label string
	lines []inventory.Line
}

// Tree makes up a machine from the description of that name, with more lines added. It is removed with the test.
func Tree(tb testing.TB, name string, more ...string) inventory.Source {
	tb.Helper()
	text, err := trees.ReadFile("trees/" + name + ".txt")
	if err != nil {
		tb.Fatal(err)
	}
	m := machine{
		root: tb.TempDir(), nodes: map[string]inventory.Node{}, chips: map[string]*chip{},
		buses: map[string][]inventory.Address{},
	}
	for i, line := range strings.Split(string(text)+strings.Join(more, "\n"), "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		if err := m.take(line); err != nil {
			tb.Fatalf("%s, line %d: %q: %v", name, i+1, line, err)
		}
	}
	return inventory.Source{Root: m.root, Stat: m.stat, Chip: m.chip, Bus: m.bus, Dial: m.dial}
}

func (m *machine) take(line string) error {
	what, rest, _ := strings.Cut(line, " ")
	if what == "line" {
		return m.takeLine(rest)
	}
	path, rest, _ := strings.Cut(strings.TrimSpace(rest), " ")
	rest = strings.TrimSpace(rest)
	switch what {
	case "file":
		return m.write(path, rest+"\n")
	case "link":
		return os.Symlink(rest, m.place(path))
	case "node":
		return m.takeNode(path, strings.Fields(rest))
	case "chip":
		m.last = &chip{label: rest}
		m.chips[path] = m.last
		return nil
	case "bus":
		for _, a := range strings.Fields(rest) {
			n, err := strconv.ParseUint(a, 16, 8)
			if err != nil {
				return err
			}
			m.buses[path] = append(m.buses[path], inventory.Address(n))
		}
		return nil
	case "server":
		m.servers = append(m.servers, path)
		return nil
	}
	return fmt.Errorf("%q is not a part of a machine", what)
}

// place is where a path is in the tree; it creates the folder.
func (m *machine) place(path string) string {
	at := filepath.Join(m.root, path)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		panic(err) // a temporary folder that cannot be written to
	}
	return at
}

func (m *machine) write(path, text string) error {
	f, err := os.OpenFile(m.place(path), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(text)
	return err
}

// takeNode makes a plain file for a device file and remembers its owner.
func (m *machine) takeNode(path string, of []string) error {
	if len(of) != 2 {
		return fmt.Errorf("say owner:group and mode")
	}
	owner, group, _ := strings.Cut(of[0], ":")
	mode, err := strconv.ParseUint(of[1], 8, 32)
	if err != nil {
		return err
	}
	uid, err := m.number("/etc/passwd", owner)
	if err != nil {
		return err
	}
	gid, err := m.number("/etc/group", group)
	if err != nil {
		return err
	}
	m.nodes[filepath.Join(m.root, path)] = inventory.Node{
		UID: uid, GID: gid, Mode: fs.FileMode(mode), Device: 5, Inode: 100 + uint64(len(m.nodes)),
	}
	return m.write(path, "")
}

// number is a user's or group's.
func (m *machine) number(file, name string) (int, error) {
	text, err := os.ReadFile(m.place(file))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Split(line, ":"); len(f) > 2 && f[0] == name {
			return strconv.Atoi(strings.TrimSpace(f[2]))
		}
	}
	return 0, fmt.Errorf("%s has no %q", file, name)
}

func (m *machine) takeLine(rest string) error {
	if m.last == nil {
		return fmt.Errorf("there is no chip before the line")
	}
	rest, user, used := strings.Cut(rest, `"`)
	words := strings.Fields(rest)
	l := inventory.Line{Number: len(m.last.lines), Used: used, User: strings.TrimSuffix(user, `"`)}
	if len(words) > 0 && words[0] != "-" {
		l.Name = words[0]
	}
	l.Output = len(words) > 1 && words[1] == "output"
	m.last.lines = append(m.last.lines, l)
	return nil
}

func (m *machine) stat(path string) (inventory.Node, error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return inventory.Node{}, err
	}
	n, ok := m.nodes[target]
	if !ok {
		return n, fmt.Errorf("%s is not a device file of the made-up machine", target)
	}
	return n, nil
}

func (m *machine) chip(path string) (label string, lines []inventory.Line, err error) {
	c, ok := m.chips[path]
	if !ok {
		return "", nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
	}
	return c.label, c.lines, nil
}

func (m *machine) bus(path string) (i2c.BusCloser, error) {
	return answers{path, m.buses[path]}, nil
}

func (m *machine) dial(a device.Address) error {
	if slices.Contains(m.servers, a.String()) {
		return nil
	}
	return &device.Error{Op: "open", Port: a.String(), Err: syscall.ECONNREFUSED, Hint: "look there"}
}

// answers is a bus on which some addresses answer.
type answers struct {
	path string
	at   []inventory.Address
}

func (b answers) Tx(address uint16, _, _ []byte) error {
	if slices.Contains(b.at, inventory.Address(address)) {
		return nil
	}
	return &device.Error{Op: "read", Port: b.path, Err: device.ErrNoAnswer}
}

func (b answers) SetSpeed(physic.Frequency) error { return nil }
func (b answers) Close() error                    { return nil }
func (b answers) String() string                  { return b.path }
