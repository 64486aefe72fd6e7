package simtest_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/simtest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// A storm runs in a process of its own: a panic or a deadlock in it ends only that process, and on a single processor
// the runtime schedules the goroutines of a bubble quickest, and most alike from one run to the next.

// longestStorm is how long a storm may take, by the clock on the wall. Most take less than a second.
const longestStorm = 2 * time.Minute

// isStormChild is set for a process that plays storms for another.
const isStormChild = "SABOT_STORM_CHILD"

// TestStormChild plays the scripts that arrive on its input.
func TestStormChild(t *testing.T) {
	if os.Getenv(isStormChild) == "" {
		tier.Elsewhere(t, "TestStorm starts it")
	}
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var text string
		if err := in.Decode(&text); err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		s, err := simtest.Parse(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := out.Encode(playStorm(t, s, slog.New(slog.DiscardHandler))); err != nil {
			t.Fatal(err)
		}
	}
}

// playStorm plays a storm in a bubble of this process.
func playStorm(t *testing.T, s simtest.Script, log *slog.Logger) (result simtest.Result) {
	t.Run("storm", func(t *testing.T) {
		folder := tabletest.FastDir(t)
		synctest.Test(t, func(*testing.T) { result = simtest.Run(context.Background(), s, startStorm, folder, log) })
	})
	return result
}

// stormChild is such a process, as its parent has it.
type stormChild struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	err bytes.Buffer
}

func startStormChild() (*stormChild, error) {
	c := &stormChild{cmd: exec.Command(os.Args[0], "-test.run=^TestStormChild$", "-test.timeout=0")}
	c.cmd.Env = append(os.Environ(), isStormChild+"=1", "GOMAXPROCS=1", "GOGC=400")
	c.cmd.Stderr = &c.err
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReader(out)
	return c, c.cmd.Start()
}

// play plays a script. An error is a process that has ended.
func (c *stormChild) play(s simtest.Script) (r simtest.Result, err error) {
	if err := json.NewEncoder(c.in).Encode(s.String()); err != nil {
		return r, c.ended("ended before", err)
	}
	hung := time.AfterFunc(longestStorm, func() { _ = c.cmd.Process.Signal(syscall.SIGQUIT) })
	defer hung.Stop()
	for {
		line, err := c.out.ReadBytes('\n')
		if err != nil {
			return r, c.ended("ended in the storm", err)
		}
		if bytes.HasPrefix(line, []byte("{")) {
			return r, json.Unmarshal(line, &r)
		}
		c.err.Write(line) // a panic of a test is on its output
	}
}

// ended is why the process has ended.
func (c *stormChild) ended(what string, err error) error {
	_ = c.cmd.Wait()
	text := c.err.String()
	return fmt.Errorf("the process %s (%w): %s", what, err, text[:min(len(text), 6000)])
}

func (c *stormChild) close() {
	_ = c.in.Close()
	_ = c.cmd.Wait()
}

// stormPool plays storms, several at once.
type stormPool struct {
	mu   sync.Mutex
	idle []*stormChild
}

// play plays a storm, and takes the end of its process for a finding.
func (p *stormPool) play(s simtest.Script) simtest.Result {
	c, err := p.take()
	if err != nil {
		return simtest.Result{Findings: []simtest.Finding{{Kind: "storm", What: err.Error()}}}
	}
	r, err := c.play(s)
	if err != nil {
		return simtest.Result{Findings: []simtest.Finding{{Kind: "crashed", What: err.Error()}}}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, c)
	return r
}

func (p *stormPool) take() (*stormChild, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return c, nil
	}
	return startStormChild()
}

func (p *stormPool) close() {
	for _, c := range p.idle {
		c.close()
	}
}
