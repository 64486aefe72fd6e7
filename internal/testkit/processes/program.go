package processes

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// programs are those that this test's process has built itself.
var programs struct {
	mu     sync.Mutex
	folder string
	binary map[string]string
}

// Binary is the path of a command of the project, such as sabotd. A test with the race detector gets a program with it.
func Binary(t testing.TB, command string) string {
	t.Helper()
	if folder := os.Getenv(tier.ProgramsVariable); folder != "" && !race {
		return filepath.Join(folder, command)
	}
	programs.mu.Lock()
	defer programs.mu.Unlock()
	if binary, built := programs.binary[command]; built {
		return binary
	}
	binary, err := buildOnce(command)
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

// buildOnce builds a command into the folder of this process.
func buildOnce(command string) (string, error) {
	if programs.folder == "" {
		folder, err := os.MkdirTemp("", "sabot-programs-")
		if err != nil {
			return "", err
		}
		programs.folder, programs.binary = folder, map[string]string{}
	}
	var flags []string
	if race {
		flags = append(flags, "-race")
	}
	binary, err := Build(programs.folder, command, flags...)
	if err != nil {
		return "", err
	}
	programs.binary[command] = binary
	return binary, lookAt(command)
}

// lookAt asks for each of the files that a command is built from, so that go test knows that its result depends on
// them, and does not give a cached one when one has changed.
func lookAt(command string) error {
	const files = `{{if not .Standard}}{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}` +
		`{{range .EmbedFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{end}}`
	list, err := goCommand("list", "-deps", "-f", files, commandPath(command)).Output()
	if err != nil {
		return fmt.Errorf("listing what %s is built from: %w", command, err)
	}
	for _, file := range bytes.Fields(list) {
		if _, err := os.Stat(string(file)); err != nil {
			return err
		}
	}
	return nil
}

// Build compiles a command of the project into a folder with flags of the test's own, and returns the binary's path.
func Build(dir, command string, flags ...string) (string, error) {
	binary := filepath.Join(dir, command)
	args := append(append([]string{"build", "-o", binary}, flags...), commandPath(command))
	if out, err := goCommand(args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s: %w\n%s", command, err, out)
	}
	return binary, nil
}

// goCommand is the go command in the test's own folder: a test may have changed into another since.
func goCommand(args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir = own
	return cmd
}

// own is the folder of the package that is tested, "" if it cannot be said.
var own, _ = os.Getwd()

func commandPath(command string) string { return "github.com/sabot-table/sabot/cmd/" + command }

// Main is for a TestMain of a package that calls Binary: it runs the tests, removes what they built, and ends.
func Main(m *testing.M) {
	status := m.Run()
	if err := os.RemoveAll(programs.folder); err != nil && !errors.Is(err, os.ErrNotExist) {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}
