package update

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"aead.dev/minisign"
)

type keys = []minisign.PublicKey

// kind is what an update consists of on a computer: a package that dpkg installs, or a slot that the computer is
// started from.
type kind struct {
	// name is the only package that is taken.
	name string
	// installed is the version that runs, "" for none, and whether it is there whole.
	installed func(ctx context.Context) (version string, whole bool, err error)
	// hasBefore is nil if there is something to go back to.
	hasBefore func(ctx context.Context, st *State, by keys) error
	// first is the step after the package was judged, and then the one after it was installed: a package replaces what
	// runs, and waits before that; a slot is written beside it, and waits before the computer starts from it.
	first, then Step
	// resume looks where a step was interrupted, and may take another.
	resume func(ctx context.Context, st *State) error
	// begin goes on when no round is open.
	begin func(ctx context.Context, st *State) error
	// install installs the next version. It may be done twice.
	install func(ctx context.Context, st *State) error
	// tried is nil if the computer is at the next version, errNotTried if it does not get there, and errOpen if a round
	// has to end first.
	tried func(ctx context.Context, st *State) error
	// settle keeps the next version, and back returns to the one before: the table is then to be ready after the
	// numbered start.
	settle func(ctx context.Context, st *State) error
	back   func(ctx context.Context, st *State) (after uint64, err error)
}

var (
	// errNotTried: the computer came back with the version from before.
	errNotTried = errors.New("the computer does not start with it")
	// errOpen: a round was opened since none was.
	errOpen = errors.New("a round is open")
)

func (s *System) kind() kind {
	if s.Slots != nil {
		return s.slotKind()
	}
	return kind{
		name: ours, installed: s.installed, hasBefore: s.hasPackage,
		first: Waiting, then: Trying, resume: s.resumePackage,
		begin:   func(_ context.Context, st *State) error { st.Step = Installing; return nil },
		install: func(ctx context.Context, st *State) error { return s.dpkg(ctx, nextFile, st.To) },
		tried:   func(context.Context, *State) error { return nil },
		settle:  func(context.Context, *State) error { return s.nextIsCurrent() },
		back:    s.packageBack,
	}
}

// hasPackage takes the package that is installed over, if it is not kept.
func (s *System) hasPackage(ctx context.Context, st *State, by keys) error {
	if err := s.before(ctx, st.From); err == nil {
		return nil
	}
	previous := filepath.Join(s.asked, RequestPrevious)
	if err := takeSigned(previous, s.at("given.deb")); err != nil {
		return fmt.Errorf("the package of version %s, to go back to, is not kept here: give it with --previous: %w",
			st.From, err)
	}
	was, err := s.Judge(ctx, s.at("given.deb"), by)
	if err != nil {
		return err
	}
	if was.Version != st.From {
		return fmt.Errorf("the package to go back to has version %s, and %s is installed", was.Version, st.From)
	}
	return move(s.at("given.deb"), s.at(currentFile))
}

// resumePackage waits again if dpkg has not begun: the table has dealt since.
func (s *System) resumePackage(ctx context.Context, st *State) error {
	if st.Step != Installing {
		return nil
	}
	version, whole, err := s.installed(ctx)
	if err == nil && whole && version == st.From {
		st.Step = Waiting
	}
	return err
}

// nextIsCurrent gives the packages their names. A power cut in between leaves the next beside the current one: then
// this is done again.
func (s *System) nextIsCurrent() error {
	if _, err := os.Lstat(s.at(nextFile)); err != nil {
		return nil // it was done before a power cut
	}
	if err := move(s.at(currentFile), s.at(previousFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return move(s.at(nextFile), s.at(currentFile))
}

func (s *System) packageBack(ctx context.Context, st *State) (uint64, error) {
	boot, err := s.Table.Boot()
	if err == nil {
		err = s.dpkg(ctx, currentFile, st.From)
	}
	return boot, err
}
