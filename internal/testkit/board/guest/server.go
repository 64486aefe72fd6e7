package guest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"
)

// Server executes a Client's requests in the board.
type Server struct {
	// Kernel is where the chips are made.
	Kernel Kernel
	// Console takes the output of started programs.
	Console io.Writer

	mu      sync.Mutex
	started *exec.Cmd
	chips   []simulated
}

// simulated is a simulated chip and its lines.
type simulated struct {
	*Chip
	label string
	lines []string
	there bool
}

// Handler serves a Client.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	for pattern, do := range map[string]func(*http.Request) (any, error){
		"POST /run":      s.run,
		"POST /start":    s.start,
		"POST /stop":     s.stop,
		"POST /chip":     s.makeChip,
		"POST /presence": s.presence,
		"POST /pull":     s.pull,
		"GET /lines":     s.look,
		"PUT /file":      s.write,
		"GET /file":      s.read,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			answer, err := do(r)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			_ = json.NewEncoder(w).Encode(answer) // the client sees that it is cut off
		})
	}
	return mux
}

func asked[T any](r *http.Request) (asks T, err error) {
	err = json.NewDecoder(r.Body).Decode(&asks)
	return asks, err
}

// run runs a program to its end.
func (s *Server) run(r *http.Request) (any, error) {
	args, err := asked[[]string](r)
	if err != nil {
		return nil, err
	}
	var out, errOut bytes.Buffer
	cmd := exec.CommandContext(r.Context(), args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		return nil, err
	}
	return Ended{cmd.ProcessState.ExitCode(), out.String(), errOut.String()}, nil
}

// start starts the one program that keeps running.
func (s *Server) start(r *http.Request) (any, error) {
	args, err := asked[[]string](r)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started != nil {
		return nil, fmt.Errorf("%s is already running: stop it first", s.started.Path)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = s.Console, s.Console
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s.started = cmd
	return nil, nil
}

// stop ends it as a service manager does, and answers with its exit status.
func (s *Server) stop(*http.Request) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started == nil {
		return nil, errors.New("nothing was started")
	}
	if err := s.started.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return nil, err
	}
	err := s.started.Wait()
	status := s.started.ProcessState.ExitCode()
	s.started = nil
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = nil
	}
	return status, err
}

// makeChip makes a simulated GPIO chip.
func (s *Server) makeChip(r *http.Request) (any, error) {
	asks, err := asked[chip](r)
	if err != nil {
		return nil, err
	}
	var held []Held
	for line, by := range asks.Held {
		held = append(held, Held{Line: slices.Index(asks.Lines, line), By: by})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	made, err := s.Kernel.New(asks.Label, asks.Label, asks.Lines, held...)
	if err == nil {
		s.chips = append(s.chips, simulated{made, asks.Label, asks.Lines, true})
	}
	return nil, err
}

// presence makes a chip vanish, or brings it back.
func (s *Server) presence(r *http.Request) (any, error) {
	asks, err := asked[presence](r)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.chips, func(c simulated) bool { return c.label == asks.Label })
	if i < 0 {
		return nil, fmt.Errorf("there is no chip %s", asks.Label)
	}
	c := &s.chips[i]
	if c.there = asks.There; c.there {
		return nil, c.Appear()
	}
	return nil, c.Vanish()
}

// pull moves a contact, as a finger does: for a time, or until it is moved again.
func (s *Server) pull(r *http.Request) (any, error) {
	asks, err := asked[pull](r)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for _, c := range s.chips {
		number := slices.Index(c.lines, asks.Line)
		if number < 0 {
			names = append(names, c.lines...)
			continue
		}
		if err := c.Pull(number, asks.Up); err != nil || asks.Hold == 0 {
			return nil, err
		}
		time.Sleep(asks.Hold)
		return nil, c.Pull(number, !asks.Up)
	}
	return nil, fmt.Errorf("no chip has a line %s, but %q", asks.Line, names)
}

// look returns which lines are high, of the chips that are there.
func (s *Server) look(*http.Request) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	levels := make(map[string]bool)
	for _, c := range s.chips {
		for number, name := range c.lines {
			if !c.there || name == "" {
				continue
			}
			high, err := c.High(number)
			if err != nil {
				return nil, err
			}
			levels[name] = high
		}
	}
	return levels, nil
}

// write makes a file that nobody else may read, and its folder.
func (s *Server) write(r *http.Request) (any, error) {
	path := r.URL.Query().Get("path")
	text, err := io.ReadAll(r.Body)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		err = os.WriteFile(path, text, 0o600)
	}
	return nil, err
}

func (s *Server) read(r *http.Request) (any, error) { return os.ReadFile(r.URL.Query().Get("path")) }
