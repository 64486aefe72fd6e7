//go:build unix

package inventory

import (
	"fmt"
	"os"
	"syscall"
)

func stat(path string) (Node, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Node{}, err
	}
	raw, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Node{}, fmt.Errorf("%s: the system does not report its owner", path)
	}
	return Node{UID: int(raw.Uid), GID: int(raw.Gid), Mode: info.Mode(), Device: uint64(raw.Dev), Inode: raw.Ino}, nil
}
