package processes

import (
	"fmt"
	"os"
	"strings"
)

// Peak is the most memory that the process has had so far, in KiB.
func (p *Process) Peak() (kib int) {
	p.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.PID()))
	if err != nil {
		p.t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		p.t.Fatalf("the system does not say how much memory the process has had: %v", err)
	}
	return kib
}
