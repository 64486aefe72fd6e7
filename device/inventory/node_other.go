//go:build !unix

package inventory

import (
	"errors"
	"os"
)

// stat never knows: a file has no owner by number here.
func stat(path string) (Node, error) {
	return Node{}, &os.PathError{Op: "stat", Path: path, Err: errors.ErrUnsupported}
}
