package disktest

import (
	"fmt"
	"strings"
)

// line is one line of the history.
type line struct {
	// life counts processes, number the operations of each.
	life, number int
	op           Op
	name, to     string
	at, size     int
	fault        Fault
	err          error
	// why is what happened if it was not an operation.
	why string
}

// note adds an operation to the history.
func (d *Disk) note(a *deed, f Fault, err error) {
	size := a.size
	if a.data != nil {
		size = len(a.data)
	}
	d.log = append(d.log, line{
		life: d.lives, number: d.count, op: a.op, name: a.name, to: a.to,
		at: a.at, size: size, fault: f, err: err,
	})
}

// remark adds an event other than an operation to the history.
func (d *Disk) remark(format string, args ...any) {
	d.log = append(d.log, line{life: d.lives, number: d.count, why: fmt.Sprintf(format, args...)})
}

// Remark adds a line to the history, such as what a test does next.
func (d *Disk) Remark(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.remark(format, args...)
}

// Log is the history, one line for each operation that changes the disk or that failed.
// The number before the point counts processes, the one after it their operations.
func (d *Disk) Log() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.history()
}

func (d *Disk) history() string {
	var b strings.Builder
	for i := range d.log {
		if l := &d.log[i]; l.why != "" || l.op.Changes() || l.fault.Err != nil {
			fmt.Fprintf(&b, "%d.%-4d %s\n", l.life, l.number, l)
		}
	}
	return b.String()
}

func (l *line) String() string {
	if l.why != "" {
		if l.size > 0 {
			return fmt.Sprintf("-- %s: %d bytes of it are there", l.why, l.size)
		}
		return "-- " + l.why
	}
	text := l.op.String()
	if l.name != "" {
		text += " " + l.name
	}
	if l.to != "" {
		text += " to " + l.to
	}
	if l.op == Append || l.op == ReadAt {
		text += fmt.Sprintf(", %d bytes at %d", l.size, l.at)
	}
	return text + l.outcome()
}

func (l *line) outcome() string {
	text := ""
	if l.fault.Takes > 0 {
		text = fmt.Sprintf(", in %v", l.fault.Takes)
	}
	if l.err != nil {
		text += ": " + l.err.Error()
	}
	if l.fault.Err != nil && l.fault.Part != Nothing {
		text += [...]string{"", ", a part is done", ", but it is done"}[l.fault.Part]
	}
	return text
}
