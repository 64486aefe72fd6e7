package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// adopt makes this process the parent of all that its children leave behind.
func adopt() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("asking for what children leave behind: %w", err)
	}
	return nil
}

// leftBehind ends the processes that a stage has left, and says which they were. What is about to end may do so first:
// the go command starts a process of its own at times, which sees to its counters.
func leftBehind() []string {
	for range 50 {
		if len(children(false)) == 0 {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return children(true)
}

// children are the processes that this one has got, without those that have ended. They can be ended, too.
func children(end bool) (left []string) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return []string{err.Error()}
	}
	for _, file := range stats {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		number := filepath.Base(filepath.Dir(file))
		closing := bytes.LastIndexByte(text, ')') // the name may have spaces
		fields := strings.Fields(string(text[closing+1:]))
		if len(fields) < 2 || fields[1] != strconv.Itoa(os.Getpid()) {
			continue
		}
		pid, err := strconv.Atoi(number)
		if err != nil {
			continue
		}
		if fields[0] != "Z" {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
			left = append(left, number+" "+strings.TrimSpace(strings.ReplaceAll(string(line), "\x00", " ")))
			if !end {
				continue
			}
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
		}
		_, _ = syscall.Wait4(pid, nil, 0, nil) // or have been waited for
	}
	return left
}
