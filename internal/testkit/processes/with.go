package processes

import (
	"os"
	"os/exec"
	"testing"
)

// StartWith is Start with more in the program's environment, each as "NAME=value".
func StartWith(t testing.TB, environment []string, binary string, args ...string) *Process {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Env = append(os.Environ(), environment...)
	return start(t, cmd)
}
