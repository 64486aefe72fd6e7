package inventory

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Process is a running program.
type Process struct {
	PID  int    `json:"pid"`
	Name string `json:"name"`
}

// holders is who has which device files and sockets open, as far as visible: only their owner and the superuser see a
// process's open files; everybody sees who has locked a file.
type holders struct {
	byPath map[string][]Process
	byFile map[string][]Process
}

func (s Source) holders() holders {
	h := holders{map[string][]Process{}, map[string][]Process{}}
	for _, name := range s.names("/proc", "") {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		for _, fd := range s.names(filepath.Join("/proc", name, "fd"), "") {
			target, err := os.Readlink(s.at(filepath.Join("/proc", name, "fd", fd)))
			if err == nil && (strings.HasPrefix(target, "/dev/") || strings.HasPrefix(target, "socket:")) {
				h.byPath[target] = append(h.byPath[target], s.process(pid))
			}
		}
	}
	for line := range strings.Lines(s.text("/proc/locks")) {
		// 1: FLOCK  ADVISORY  WRITE 812 00:05:327 0 EOF
		if f := strings.Fields(line); len(f) >= 6 {
			if pid, err := strconv.Atoi(f[4]); err == nil {
				h.byFile[f[5]] = append(h.byFile[f[5]], s.process(pid))
			}
		}
	}
	return h
}

func (s Source) process(pid int) Process {
	return Process{pid, s.text(fmt.Sprintf("/proc/%d/comm", pid))}
}

// of lists who has a device file open, each once.
func (h holders) of(path string, n Node) []Process {
	// The kernel writes a device's number as major and minor, in hex.
	major, minor := n.Device>>8&0xFFF, n.Device&0xFF|n.Device>>12&^0xFF
	file := fmt.Sprintf("%02x:%02x:%d", major, minor, n.Inode)
	all := append(slices.Clone(h.byPath[path]), h.byFile[file]...)
	sort.Slice(all, func(a, b int) bool { return all[a].PID < all[b].PID })
	return slices.CompactFunc(all, func(a, b Process) bool { return a.PID == b.PID })
}
