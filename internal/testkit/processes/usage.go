package processes

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// Peak is the most memory that the process has had so far, in KiB.
func (p *Process) Peak() (kib int) { return p.memory("VmHWM:") }

// Resident is how much memory the process has, in KiB.
func (p *Process) Resident() (kib int) { return p.memory("VmRSS:") }

func (p *Process) memory(of string) (kib int) {
	p.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.PID()))
	if err != nil {
		p.t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), of)
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		p.t.Fatalf("the system does not say how much memory the process has had: %v", err)
	}
	return kib
}

// Processor is how much processor time the process has had.
func (p *Process) Processor() time.Duration {
	p.t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.PID()))
	if err != nil {
		p.t.Fatal(err)
	}
	_, fields, _ := strings.Cut(string(stat), ") ") // the program's name may have anything in it
	var user, system time.Duration
	f := strings.Fields(fields)
	if _, err := fmt.Sscan(f[11]+" "+f[12], &user, &system); err != nil {
		p.t.Fatal(err)
	}
	const tick = 10 * time.Millisecond // of Linux's interface
	return (user + system) * tick
}
