package health

import "golang.org/x/sys/unix"

// room is how much is free for this program on the disk of a folder, and how large that is.
func room(folder string) (free, of *uint64) {
	var disk unix.Statfs_t
	if unix.Statfs(folder, &disk) != nil || disk.Bsize <= 0 {
		return nil, nil
	}
	left, all := disk.Bavail*uint64(disk.Bsize), disk.Blocks*uint64(disk.Bsize)
	return &left, &all
}
