package rig

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Build compiles a command of the project and returns the binary's path.
func Build(t testing.TB, command string, flags ...string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), command)
	args := append(append([]string{"build", "-o", binary}, flags...), "github.com/sabot-table/sabot/cmd/"+command)
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("building %s: %v\n%s", command, err, out)
	}
	return binary
}

// Process is a running sabotd.
type Process struct {
	t       testing.TB
	cmd     *exec.Cmd
	exited  chan struct{}
	failure error
	log     lockedBuffer
	// URL is where its page is.
	URL string
	// Ready is how long it took from the start to the ready line.
	Ready time.Duration
}

var readyLine = regexp.MustCompile(`^sabotd ready: .* page (http://\S+/)$`)

// Start starts sabotd and returns when it says that it is ready. It is killed with
// the test, if it still runs.
func Start(t testing.TB, binary string, args ...string) *Process {
	t.Helper()
	p := &Process{t: t, cmd: exec.Command(binary, args...), exited: make(chan struct{})}
	p.cmd.Stderr = &p.log
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := p.cmd.Start(); err != nil {
		t.Fatalf("starting sabotd: %v", err)
	}
	ready := make(chan string, 1)
	go p.read(out, ready)
	t.Cleanup(p.Kill)
	select {
	case p.URL = <-ready:
		p.Ready = time.Since(began)
	case <-p.exited:
		t.Fatalf("sabotd ended before it was ready: %v\n%s", p.failure, p.log.String())
	case <-time.After(Deadline):
		t.Fatalf("sabotd was not ready within %v\n%s", Deadline, p.log.String())
	}
	return p
}

// read looks for the ready line, and reaps the process when it has ended.
func (p *Process) read(out io.Reader, ready chan<- string) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if found := readyLine.FindStringSubmatch(lines.Text()); found != nil {
			ready <- found[1]
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
	if err := p.cmd.Process.Signal(os.Kill); err != nil {
		p.t.Errorf("killing sabotd: %v", err)
	}
	<-p.exited
}

// Stop ends the process as a service manager does, and fails the test if it does
// not end well.
func (p *Process) Stop() {
	p.t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatalf("ending sabotd: %v", err)
	}
	select {
	case <-p.exited:
	case <-time.After(Deadline):
		p.t.Fatalf("sabotd did not end within %v\n%s", Deadline, p.log.String())
	}
	if p.failure != nil {
		p.t.Fatalf("sabotd ended badly: %v\n%s", p.failure, p.log.String())
	}
}

// Log returns what the process has logged.
func (p *Process) Log() string { return p.log.String() }

// PID is the process's number.
func (p *Process) PID() int { return p.cmd.Process.Pid }

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
