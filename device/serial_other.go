//go:build !unix

package device

import (
	"errors"
	"fmt"
	"os"
)

// openSerial refuses: without flock two programs could read one shoe, and each would have half of its cards.
func openSerial(string, int) (*os.File, error) {
	return nil, fmt.Errorf("%w: a serial port needs a system with flock, such as Linux", errors.ErrUnsupported)
}
