package processes

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/system"
)

// Ended is how a program ended, and what it printed.
type Ended struct {
	Status   int
	Out, Err string
}

// Run runs a program to its end.
func Run(t testing.TB, binary string, args ...string) Ended {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), Deadline)
	defer cancel()
	var out, errOut bytes.Buffer
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || ctx.Err() != nil) {
		t.Fatalf("running %s %v: %v\n%s", binary, args, err, errOut.String())
	}
	return Ended{cmd.ProcessState.ExitCode(), out.String(), errOut.String()}
}

// Process is a running sabotd or sabot-demo.
type Process struct {
	t        testing.TB
	cmd      *exec.Cmd
	exited   chan struct{}
	failure  error
	log, out system.Text
	// URL is the address of its page.
	URL string
	// Ready is how long the process took from its start to the ready line.
	Ready time.Duration
}

// readyLine is the line with which a program says where its page is, or that of its first start.
var readyLine = regexp.MustCompile(
	`^(?:sabotd ready: .* page|sabotd waits for its first start: answer the questions at|sabotd waits for its configuration, which is gone: see|sabot-pit ready: .* page|  page) +(https?://\S+/)$`)

// Start starts sabotd or sabot-demo, and returns when it says that it is ready. It is
// killed at the end of the test, if it is still running.
func Start(t testing.TB, binary string, args ...string) *Process {
	t.Helper()
	return start(t, exec.Command(binary, args...))
}

// StartWith is Start with more in the program's environment, each as "NAME=value", such as a TMPDIR of its own.
func StartWith(t testing.TB, environment []string, binary string, args ...string) *Process {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Env = append(os.Environ(), environment...)
	return start(t, cmd)
}

// StartAs is Start as another user, with the group of the same number. Only root may.
func StartAs(t testing.TB, user uint32, binary string, args ...string) *Process {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Dir = filepath.Dir(binary)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}}
	return start(t, cmd)
}

// TryStart is Start for a program that may end before it is ready, as where something that it needs is away. The error
// has what it said.
func TryStart(t testing.TB, binary string, args ...string) (*Process, error) {
	t.Helper()
	return try(t, exec.Command(binary, args...))
}

func start(t testing.TB, cmd *exec.Cmd) *Process {
	t.Helper()
	p, err := try(t, cmd)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func try(t testing.TB, cmd *exec.Cmd) (*Process, error) {
	t.Helper()
	p := &Process{t: t, cmd: cmd, exited: make(chan struct{})}
	p.cmd.Stderr = &p.log
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	began := time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the program: %w", err)
	}
	ready := make(chan string, 1)
	go p.read(out, ready)
	t.Cleanup(p.Kill)
	select {
	case p.URL = <-ready:
		p.Ready = time.Since(began)
	case <-p.exited:
		return nil, fmt.Errorf("the program ended before it was ready: %w\n%s", p.failure, p.log.String())
	case <-time.After(Deadline):
		return nil, fmt.Errorf("the program was not ready within %v\n%s", Deadline, p.stacks())
	}
	return p, nil
}

// stacks ends a program that hangs, and returns what it has logged, with what each of its goroutines waited for: by a
// log alone nobody finds out why nothing happens.
func (p *Process) stacks() string {
	if err := p.cmd.Process.Signal(syscall.SIGQUIT); err == nil {
		select {
		case <-p.exited:
		case <-time.After(Deadline):
		}
	}
	return p.log.String()
}

// read keeps what the process prints, looks for the ready line, and waits for the process
// to end.
func (p *Process) read(out io.Reader, ready chan<- string) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		fmt.Fprintln(&p.out, lines.Text())
		if found := readyLine.FindStringSubmatch(lines.Text()); found != nil {
			select {
			case ready <- found[1]:
			default: // it says so again
			}
		}
	}
	p.failure = p.cmd.Wait()
	close(p.exited)
}

// Kill ends the process with SIGKILL: it gets no chance to tidy up.
func (p *Process) Kill() {
	select {
	case <-p.exited:
		return
	default:
	}
	if err := p.cmd.Process.Signal(os.Kill); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.t.Errorf("killing the program: %v", err)
	}
	<-p.exited
}

// Stop ends the process as a service manager does, and fails the test if it does
// not end well.
func (p *Process) Stop() {
	p.t.Helper()
	if status := p.End(syscall.SIGTERM); status != 0 {
		p.t.Fatalf("the program ended badly: %v\n%s", p.failure, p.log.String())
	}
}

// End asks the process to end, and returns its exit status.
func (p *Process) End(with syscall.Signal) int {
	p.t.Helper()
	if err := p.cmd.Process.Signal(with); err != nil {
		p.t.Fatalf("ending the program: %v", err)
	}
	return p.Wait()
}

// Wait waits until the process has ended on its own, and returns its exit status.
func (p *Process) Wait() int {
	p.t.Helper()
	select {
	case <-p.exited:
	case <-time.After(Deadline):
		p.t.Fatalf("the program did not end within %v\n%s", Deadline, p.stacks())
	}
	return p.cmd.ProcessState.ExitCode()
}

// Log returns what the process has logged.
func (p *Process) Log() string { return p.log.String() }

// Out returns what the process has printed.
func (p *Process) Out() string { return p.out.String() }

// PID is the process's number.
func (p *Process) PID() int { return p.cmd.Process.Pid }
