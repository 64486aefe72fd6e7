package image

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// stages is work that takes long, in a folder in which each stage leaves what the next ones begin with: what is broken
// off goes on with the stage in which it was.
type stages struct {
	folder string
	all    []stage
	told   func(string)
}

// stage is a part of the work.
type stage struct {
	// name says what is done.
	name string
	// of is what it is made from, besides what the stages before it have made.
	of string
	// leaves are the files and folders that it makes, in the folder of the work.
	leaves []string
	// goesOn says that it can begin with what it has left when it was broken off.
	goesOn bool
	make   func() error
}

// A stage has a file with what it was made from, under one of two names: it was begun, or it is whole.
const begun, whole = "begun", "whole"

// run does what is not done yet. What was made from anything else than it would be made from is made anew, and so is
// all that follows from it.
func (s *stages) run() error {
	sum := ""
	for n, one := range s.all {
		sum = fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, sum, "\x00", one.name, "\x00", one.of)))
		if s.marked(n, whole, sum) {
			s.told("done before: " + one.name)
			continue
		}
		s.told(one.name)
		if !one.goesOn || !s.marked(n, begun, sum) {
			if err := s.clear(n); err != nil {
				return err
			}
		}
		if err := os.WriteFile(s.mark(n, begun), []byte(sum), 0o644); err != nil {
			return err
		}
		if err := one.make(); err != nil {
			return fmt.Errorf("%s: %w", one.name, err)
		}
		if err := os.Rename(s.mark(n, begun), s.mark(n, whole)); err != nil {
			return err
		}
	}
	return nil
}

func (s *stages) mark(n int, state string) string {
	return filepath.Join(s.folder, fmt.Sprintf("%d.%s", n+1, state))
}

func (s *stages) marked(n int, state, sum string) bool {
	text, err := os.ReadFile(s.mark(n, state))
	return err == nil && string(text) == sum
}

// clear removes what a stage and those after it have left.
func (s *stages) clear(from int) (err error) {
	for n := from; n < len(s.all); n++ {
		for _, state := range []string{whole, begun} { // the mark first: without it nothing counts
			err = errors.Join(err, os.RemoveAll(s.mark(n, state)))
		}
	}
	for _, one := range s.all[from:] {
		for _, name := range one.leaves {
			err = errors.Join(err, os.RemoveAll(filepath.Join(s.folder, name)))
		}
	}
	return err
}
