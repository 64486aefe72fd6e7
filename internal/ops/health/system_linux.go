package health

import (
	"os"

	"golang.org/x/sys/unix"
)

// synced is the file that systemd-timesyncd makes once it has set the clock since the computer started.
const synced = "/run/systemd/timesync/synchronized"

// clock says whether the kernel's clock follows another. A service manager may forbid the question; then the file of
// systemd's own time service answers, where there is one.
func clock() *bool {
	var state unix.Timex
	ok := true
	if now, err := unix.Adjtimex(&state); err == nil {
		ok = now != unix.TIME_ERROR && state.Status&unix.STA_UNSYNC == 0
		return &ok
	}
	if _, err := os.Stat(synced); err != nil {
		return nil
	}
	return &ok
}

// room is how much is free for this program on the disk of a folder, and how large that is.
func room(folder string) (free, of *uint64) {
	var disk unix.Statfs_t
	if unix.Statfs(folder, &disk) != nil || disk.Bsize <= 0 {
		return nil, nil
	}
	left, all := disk.Bavail*uint64(disk.Bsize), disk.Blocks*uint64(disk.Bsize)
	return &left, &all
}
