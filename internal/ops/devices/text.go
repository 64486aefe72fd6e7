// Package devices shows a technician a table's hardware: what there is, what a
// configuration uses of it, and what comes over the wires.
package devices

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/sabot-table/sabot/device/inventory"
	"github.com/sabot-table/sabot/internal/terminal"
)

// Options say how an inventory is written.
type Options struct {
	// Config is the configuration's file; empty if none was asked about.
	Config string
	// Probed says that the addresses of the buses were read.
	Probed bool
}

// List is an inventory as JSON. Fields may be added, but none is renamed.
type List struct {
	inventory.Machine
	Uses     map[string][]string `json:"uses"`
	Problems []inventory.Problem `json:"problems"`
}

// Write prints an inventory as text: what there is, what uses it, and then what is wrong
// with what a configuration uses.
func Write(w io.Writer, m inventory.Machine, found inventory.Finding, o Options) error {
	p := &page{Writer: w, uses: found.Users}
	p.head(m)
	p.section("serial ports", len(m.Serial))
	for _, port := range m.Serial {
		p.serial(port)
	}
	p.section("GPIO chips", len(m.GPIO))
	for _, chip := range m.GPIO {
		p.chip(chip)
	}
	p.section("I2C buses", len(m.I2C))
	for _, bus := range m.I2C {
		p.bus(bus, o.Probed)
	}
	p.problems(found.Problems, o.Config)
	return p.failed
}

// page prints, and remembers the first failure.
type page struct {
	io.Writer
	uses   map[string][]string
	failed error
}

// printf prints texts visibly: what a plugged device calls itself is its maker's, or anybody's.
func (p *page) printf(format string, args ...any) {
	for i, one := range args {
		if text, is := one.(string); is {
			args[i] = terminal.Visible(text)
		}
	}
	if _, err := fmt.Fprintf(p.Writer, format, args...); err != nil && p.failed == nil {
		p.failed = err
	}
}

func (p *page) head(m inventory.Machine) {
	p.printf("%s, with the rights of %s\n", cmp.Or(m.Model, "a machine of unknown model"), m.User)
}

func (p *page) section(name string, count int) {
	p.printf("\n%s\n", name)
	if count == 0 {
		p.printf("  none\n")
	}
}

// item prints a device's first line, with the keys of the configuration that use it, and
// more lines about it.
func (p *page) item(path, what string, more ...string) {
	line := "  " + path
	if what != "" {
		line += "  " + what
	}
	if keys := p.uses[path]; len(keys) > 0 {
		line += "  <- " + strings.Join(keys, ", ")
	}
	p.printf("%s\n", line)
	for _, m := range more {
		if m != "" {
			p.printf("      %s\n", m)
		}
	}
}

func (p *page) serial(s inventory.SerialPort) {
	what := s.Driver
	if s.Vendor != "" {
		what = strings.Join(strings.Fields(strings.Join([]string{what, s.Vendor + ":" + s.Product, s.Serial, s.Name},
			" ")), " ")
	}
	address := ""
	if s.Address != s.Path {
		address = s.Address
	}
	state := []string{rights(s.Access)}
	if s.Latency > 0 {
		state = append(state, fmt.Sprintf("latency timer %d ms", s.Latency))
	}
	if s.Console {
		state = append(state, "the system's console")
	}
	for _, h := range s.Holders {
		state = append(state, fmt.Sprintf("in use by %s (%d)", h.Name, h.PID))
	}
	p.item(s.Path, what, address, strings.Join(state, "; "))
}

// rights says who may use a device.
func rights(a inventory.Access) string {
	text := "root only"
	if a.Group != "" {
		text = "group " + a.Group
	}
	switch {
	case a.Allowed:
		return text + ", allowed"
	case a.Login:
		return text + ", allowed from the next login on"
	}
	return text + ", not allowed"
}

func (p *page) chip(c inventory.Chip) {
	what := fmt.Sprintf("%s, %d lines", c.Label, len(c.Lines))
	if c.Device != "" {
		what = fmt.Sprintf("%s of %s, %d lines", c.Label, c.Device, len(c.Lines))
	}
	if c.Trouble != "" {
		what = c.Trouble
	}
	p.item(c.Path, what, rights(c.Access))
	table := tabwriter.NewWriter(p.Writer, 0, 0, 2, ' ', 0)
	var free []string
	for _, l := range c.Lines {
		keys := p.uses[fmt.Sprintf("%s:%d", c.Path, l.Number)]
		if !l.Used && len(keys) == 0 {
			free = append(free, strings.TrimSpace(fmt.Sprintf("%d %s", l.Number, l.Name)))
			continue
		}
		row := fmt.Sprintf("      %d %s\t%s", l.Number, terminal.Visible(l.Name), terminal.Visible(lineState(l)))
		if len(keys) > 0 {
			row += "\t<- " + strings.Join(keys, ", ")
		}
		fmt.Fprintln(table, row)
	}
	if err := table.Flush(); err != nil && p.failed == nil {
		p.failed = err
	}
	p.list("free: ", free)
}

func lineState(l inventory.Line) string {
	direction := "input"
	if l.Output {
		direction = "output"
	}
	switch {
	case !l.Used:
		return "free"
	case l.User == "":
		return direction + " of the kernel"
	}
	return direction + " of " + l.User
}

// listWidth is the greatest width of a list of lines, in bytes.
const listWidth = 100

// list prints words separated by commas, in as many rows as they need.
func (p *page) list(head string, words []string) {
	row := "      " + head
	for i, word := range words {
		if i < len(words)-1 {
			word += ", "
		}
		if len(row)+len(word) > listWidth {
			p.printf("%s\n", strings.TrimRight(row, " "))
			row = "        "
		}
		row += word
	}
	if len(words) > 0 {
		p.printf("%s\n", row)
	}
}

func (p *page) bus(b inventory.Bus, probed bool) {
	state := rights(b.Access)
	if !b.Open {
		state = "no device file"
	}
	var more []string
	for _, t := range b.Taken {
		more = append(more, fmt.Sprintf("%s: the kernel's driver %s", t.Address, t.Driver))
	}
	switch {
	case b.Trouble != "":
		more = append(more, b.Trouble)
	case probed && b.Open && len(b.Answers) == 0:
		more = append(more, "nothing answers")
	case probed && b.Open:
		answers := make([]string, len(b.Answers))
		for i, a := range b.Answers {
			answers[i] = a.String()
		}
		more = append(more, "answers: "+strings.Join(answers, ", "))
	}
	p.item(b.Path, b.Name, append([]string{state}, more...)...)
}

func (p *page) problems(all []inventory.Problem, config string) {
	if config == "" {
		return
	}
	p.printf("\nwhat %s uses\n", config)
	if len(all) == 0 {
		p.printf("  all well\n")
	}
	for _, one := range all {
		kind := "WRONG"
		if one.Hint {
			kind = "note "
		}
		p.printf("  %s %s: %s\n        %s\n", kind, one.Key, one.What, one.Do)
	}
}
