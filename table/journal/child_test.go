package journal

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// children are what the test binary does when it is started as a process of its
// own, with a journal's path; what they print, the test reads line by line.
var children = map[string]func(path string) error{
	"hold":   holdChild,
	"append": appendChild,
	"full":   fullChild,
}

const childVariable = "SABOT_JOURNAL_CHILD"

func TestMain(m *testing.M) {
	kind, path, ok := strings.Cut(os.Getenv(childVariable), "=")
	if !ok {
		// Each check opens real files; a number on the command line still counts.
		if err := flag.Set("rapid.checks", "20"); err != nil {
			panic(err)
		}
		os.Exit(m.Run())
	}
	if err := children[kind](path); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// child is a process that runs one of children.
type child struct {
	cmd *exec.Cmd
	out *bufio.Scanner
}

// startChild starts a process, which is killed when the test ends if it is still running.
func startChild(t *testing.T, kind, path string) *child {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+kind+"="+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	_, err = cmd.StdinPipe() // ends with this process, and with it who waits on it
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	})
	return &child{cmd: cmd, out: bufio.NewScanner(out)}
}

// line is the next line that the process prints.
func (c *child) line(t *testing.T) string {
	t.Helper()
	if !c.out.Scan() {
		t.Fatalf("the process has ended: %v", c.cmd.Wait())
	}
	return c.out.Text()
}

// kill ends the process at once, and returns the lines that it had still printed.
func (c *child) kill(t *testing.T) []string {
	t.Helper()
	must(t, c.cmd.Process.Kill())
	var rest []string
	for c.out.Scan() {
		rest = append(rest, c.out.Text())
	}
	_ = c.cmd.Wait() // says that it was killed
	return rest
}

// holdChild opens a journal and keeps it until it is killed.
func holdChild(path string) error {
	j, err := Open(path, Options{})
	if err != nil {
		return err
	}
	fmt.Println("open")
	_, err = io.Copy(io.Discard, os.Stdin)
	return errors.Join(err, j.Close())
}
