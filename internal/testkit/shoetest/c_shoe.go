package shoetest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sabot-table/sabot/internal/testkit/system"
)

// COptions say how a C shoe is started.
type COptions struct {
	// Program is the built shoe.
	Program string
	// Boot is the boot id; 0 makes the shoe choose one.
	Boot uint32
	// Last is how many events there have been before, in the first boot.
	Last uint32
	// KeyFile is the file with the shoe's key; empty for none.
	KeyFile string
	// Events is how many events it keeps; 0 for 512.
	Events int
	// Line is the line between the shoe and its port.
	Line CLine
}

// CShoe is the C shoe as a process, with a line to a port.
type CShoe struct {
	*port

	options COptions
	end     *os.File // the shoe's end of its line; held open, so that the line outlives it
	cmd     *exec.Cmd
	console io.WriteCloser
	errors  strings.Builder

	mu      sync.Mutex // a command and its answer
	answers *bufio.Scanner
}

// StartC starts a shoe. It is closed with the test.
func StartC(t testing.TB, o COptions) *CShoe {
	t.Helper()
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		t.Fatalf("making the shoe's line: %v", err)
	}
	s := &CShoe{options: o, end: os.NewFile(uintptr(pair[0]), "the shoe's end")}
	line := os.NewFile(uintptr(pair[1]), "the line's end")
	if s.port, err = newPort(line, system.Address(t), o.Line); err != nil {
		t.Fatal(err)
	}
	if err := s.run(o); err != nil {
		t.Fatal(errors.Join(err, s.port.Close()))
	}
	t.Cleanup(func() {
		if err := s.close(); err != nil {
			t.Errorf("the C shoe: %v", err)
		}
	})
	return s
}

// Restart ends the shoe as a power cut does, and starts it again with another boot id.
func (s *CShoe) Restart(boot uint32) error { return s.RestartAfter(boot, 0) }

// RestartAfter is Restart as if the boot had had so many events already.
func (s *CShoe) RestartAfter(boot, last uint32) error {
	if err := errors.Join(s.cmd.Process.Kill(), s.wait()); err != nil {
		return err
	}
	s.options.Boot, s.options.Last = boot, last
	return s.run(s.options)
}

func (s *CShoe) run(o COptions) (err error) {
	s.cmd = exec.Command(o.Program, append(o.args(), "fd:3")...)
	s.cmd.ExtraFiles = []*os.File{s.end}
	s.cmd.Stderr = &s.errors
	if s.console, err = s.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	s.answers = bufio.NewScanner(out)
	return s.cmd.Start()
}

// wait reaps the process. Having been killed is not an error.
func (s *CShoe) wait() error {
	err := s.cmd.Wait()
	if ended := (*exec.ExitError)(nil); errors.As(err, &ended) && !ended.Exited() {
		return nil
	}
	return err
}

// close ends the shoe as its console does, and removes its port.
func (s *CShoe) close() error {
	err := errors.Join(s.console.Close(), s.wait())
	if s.errors.Len() > 0 {
		err = errors.Join(err, errors.New(s.errors.String()))
	}
	return errors.Join(err, s.port.Close(), s.end.Close())
}

func (o *COptions) args() []string {
	args := []string{"-n", strconv.Itoa(max(o.Events, 0))}
	if o.Events == 0 {
		args[1] = "512"
	}
	if o.Boot != 0 {
		args = append(args, "-b", strconv.FormatUint(uint64(o.Boot), 10))
	}
	if o.Last != 0 {
		args = append(args, "-l", strconv.FormatUint(uint64(o.Last), 10))
	}
	if o.KeyFile != "" {
		args = append(args, "-k", o.KeyFile)
	}
	return args
}

// Command types a command at the shoe's console, and returns the answer.
func (s *CShoe) Command(line string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := fmt.Fprintln(s.console, line); err != nil {
		return "", fmt.Errorf("typing %q: %w: %s", line, err, s.errors.String())
	}
	if !s.answers.Scan() {
		return "", fmt.Errorf("no answer to %q: %w: %s", line, errors.Join(s.answers.Err(), io.ErrUnexpectedEOF),
			s.errors.String())
	}
	answer := s.answers.Text()
	if problem, is := strings.CutPrefix(answer, "error: "); is {
		return "", fmt.Errorf("%s: %s", line, problem)
	}
	return answer, nil
}

// Draw draws a card, written like AS, ?? or JOKER.
func (s *CShoe) Draw(card string) error {
	_, err := s.Command("card " + card)
	return err
}

// CState is the shoe's state.
type CState struct {
	Boot, Last    uint32
	Queued        int
	InSession     bool
	Locks, Lights uint8
}

// State asks the shoe for its state.
func (s *CShoe) State() (CState, error) {
	answer, err := s.Command("state")
	if err != nil {
		return CState{}, err
	}
	var st CState
	var session int
	_, err = fmt.Sscanf(answer, "state boot=%d last=%d queued=%d session=%d locks=%d light=%d",
		&st.Boot, &st.Last, &st.Queued, &session, &st.Locks, &st.Lights)
	st.InSession = session == 1
	return st, err
}

// Await waits until the shoe's state is as wanted.
func (s *CShoe) Await(ctx context.Context, wanted func(CState) bool) error {
	for {
		state, err := s.State()
		if err != nil || wanted(state) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the shoe did not reach the wanted state, it is %+v: %w", state, ctx.Err())
		case <-time.After(5 * time.Millisecond):
		}
	}
}
