package update

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// System is the machine of a table, as root sees it.
type System struct {
	// Folder is root's own: the packages, how far an update has come, and the notes.
	Folder string
	// Requests is where packages are put that somebody wants to be installed. Nothing in it is believed.
	Requests string
	// KeyFile has the public keys of releases.
	KeyFile string
	// Slots are the two systems of a card; nil on a computer whose packages dpkg has.
	Slots *Slots
	// Root has dpkg work in another folder than /; "" for /.
	Root string
	// Table asks about the table, and restarts it.
	Table Table
	// Patience is how long the table may take to be ready.
	Patience time.Duration
	// Pause is the time between two looks.
	Pause time.Duration
	Log   *slog.Logger
	// Now is the clock.
	Now func() time.Time

	// asked is the folder of requests as it was found, wherever its name leads since.
	asked string
}

// Table is the table as an update sees it.
type Table interface {
	// Open reports whether a round is open.
	Open() (bool, error)
	// Boot is the journal's last start.
	Boot() (uint64, error)
	// Ready is nil if the table works, since a start after the numbered one.
	Ready(ctx context.Context, after uint64) error
	// Restart starts the table with what is installed.
	Restart(ctx context.Context) error
}

// The files in the folder of requests. The request itself comes last.
const (
	RequestFile     = "request.json"
	RequestPackage  = "package.deb"
	RequestPrevious = "previous.deb"
)

// Request is what somebody asks for.
type Request struct {
	ID  string `json:"id"`
	Who string `json:"who"`
}

// Run goes on with an update that was interrupted, and then does the one that is asked for, if there is one. The error
// says why an update did not come about.
func (s *System) Run(ctx context.Context) error {
	done, err := s.openRequests()
	if err != nil {
		return err
	}
	defer done()
	st, err := load[State](s.at(stateFile))
	if err != nil {
		return s.drop(fmt.Errorf("how far the last update came cannot be read: %w; remove the file, and ask again",
			err))
	}
	if st.UnderWay() {
		err = s.resume(ctx, &st)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case !st.UnderWay() || st.Step == Judging:
		return errors.Join(err, s.requested(ctx))
	case err != nil:
		return s.drop(err)
	}
	return nil // the computer starts anew
}

// openRequests finds the folder of requests. Whoever asks may give its name to another folder at any moment, such as by
// a link to what is root's: that is not followed, and the link goes, or systemd would start this again and again.
func (s *System) openRequests() (done func(), err error) {
	if s.asked, done, err = folderOf(s.Requests); err == nil || !errors.Is(err, errNoFolder) {
		return done, err
	}
	return nil, errors.Join(fmt.Errorf("%s: %w: it is removed; systemd-tmpfiles --create makes the folder again",
		s.Requests, err), os.Remove(s.Requests))
}

// named says an error of the folder of requests by the name that people know.
func (s *System) named(err error) error {
	return named{err, strings.ReplaceAll(err.Error(), s.asked, s.Requests)}
}

type named struct {
	error
	text string
}

func (n named) Error() string { return n.text }

func (n named) Unwrap() error { return n.error }

// errNoFolder: what has the folder's name is none.
var errNoFolder = errors.New("is no folder, but a link or a file")

// drop drops a request that cannot be taken now: while it is there, systemd would start this again at once, until it
// gives up.
func (s *System) drop(why error) error { return errors.Join(why, removeRequest(s.asked)) }

// resume goes on with an update that was interrupted. One that was being judged is judged anew.
func (s *System) resume(ctx context.Context, st *State) error {
	s.Log.Warn("an update was interrupted, and goes on", "step", st.Step, "from", st.From, "to", st.To)
	st.Note = cmp.Or(st.Note, newID()) // an earlier version gave it none
	if st.Step == Judging {
		if _, err := os.Lstat(filepath.Join(s.asked, RequestFile)); errors.Is(err, fs.ErrNotExist) {
			return s.refuse(st, errors.New("it was interrupted while it was judged: ask again"))
		}
		return nil
	}
	st.Halted = ""
	if err := s.kind().resume(ctx, st); err != nil {
		return s.halt(ctx, st, err)
	}
	if err := keep(s.at(stateFile), st); err != nil {
		return err
	}
	return s.goOn(ctx, st)
}

// requested takes a request over. From the first moment the state says so, and it ends in whatever way: somebody waits
// for it.
func (s *System) requested(ctx context.Context) error {
	if _, err := os.Lstat(filepath.Join(s.asked, RequestFile)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	s.Log.Info("an update is asked for")
	st := State{Step: Judging, Note: newID(), At: s.Now().UTC()}
	err := s.read(&st)
	if err == nil {
		err = keep(s.at(stateFile), &st)
	}
	if err == nil {
		err = s.adopt(ctx, &st)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err = errors.Join(err, removeRequest(s.asked)); err != nil {
		return s.refuse(&st, s.named(err))
	}
	return s.goOn(ctx, &st)
}

// read reads who asks.
func (s *System) read(st *State) error {
	if err := takeFile(filepath.Join(s.asked, RequestFile), s.at(RequestFile), mostState); err != nil {
		return fmt.Errorf("the request cannot be taken: %w", err)
	}
	r, err := load[Request](s.at(RequestFile))
	if err != nil {
		return fmt.Errorf("the request cannot be read: %w", err)
	}
	st.Who, st.Request = plainName(r.Who), plainName(r.ID)
	return nil
}

// removeRequest removes the request first, and then what came with it, which is large.
func removeRequest(folder string) error {
	var errs []error
	for _, name := range []string{
		RequestFile, RequestPackage, RequestPackage + SignatureEnd, RequestPrevious, RequestPrevious + SignatureEnd,
	} {
		if err := os.Remove(filepath.Join(folder, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// plainName keeps of somebody's word what can be on record.
func plainName(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, text)
	return text[:min(len(text), 32)]
}

// adopt copies the package to where nobody else writes, and judges it there.
func (s *System) adopt(ctx context.Context, st *State) error {
	keys, err := Keys(s.KeyFile)
	if err != nil {
		return err
	}
	if err := takeSigned(filepath.Join(s.asked, RequestPackage), s.at(nextFile)); err != nil {
		return err
	}
	p, err := s.Judge(ctx, s.at(nextFile), keys)
	if err != nil {
		return err
	}
	if st.From, err = s.newer(ctx, p); err != nil {
		return err
	}
	st.To = p.Version
	if err := s.keepHelper(); err != nil {
		return err
	}
	if err := s.kind().hasBefore(ctx, st, keys); err != nil {
		return err
	}
	st.Step = s.kind().first
	return keep(s.at(stateFile), st)
}

// before is nil if the package that is installed is kept.
func (s *System) before(ctx context.Context, version string) error {
	p, err := s.describe(ctx, s.at(currentFile))
	if err == nil && p.Version != version {
		err = fmt.Errorf("it has version %s", p.Version)
	}
	return err
}

// refuse keeps why nothing was installed.
func (s *System) refuse(st *State, why error) error {
	st.Step, st.Failed = Done, why.Error()
	s.Log.Error("the update was refused, and nothing was changed", "err", why, "who", st.Who)
	return errors.Join(fmt.Errorf("nothing was installed: %w", why), s.note("update-refused", st),
		keep(s.at(stateFile), st), s.dropHelper(), s.removeNext())
}

// halt keeps why an update does not go on.
func (s *System) halt(ctx context.Context, st *State, why error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	st.Halted = why.Error()
	return errors.Join(st.Err(), keep(s.at(stateFile), st))
}

// goOn does the steps that are left. Each may have been begun before.
func (s *System) goOn(ctx context.Context, st *State) error {
	for st.Step != Done {
		step, ok := map[Step]func(context.Context, *State) error{
			Waiting: s.wait, Installing: s.install, Trying: s.try, GoingBack: s.goBack,
		}[st.Step]
		if !ok {
			return fmt.Errorf("%s has the step %q, which is none: move it away", s.at(stateFile), st.Step)
		}
		s.Log.Info("update", "step", st.Step, "from", st.From, "to", st.To)
		err := step(ctx, st)
		if errors.Is(err, errRestarts) {
			return nil // it goes on at the next start, from the step that was kept
		}
		if err != nil && st.Step == Done {
			return err // it was refused
		}
		if err != nil {
			return s.halt(ctx, st, err)
		}
		if err := keep(s.at(stateFile), st); err != nil {
			return err
		}
	}
	if err := s.dropHelper(); err != nil {
		return err
	}
	return st.Err()
}

// wait waits until no round is open, and begins what would disturb one.
func (s *System) wait(ctx context.Context, st *State) error {
	err := s.closed(ctx)
	if err == nil {
		st.Boot, err = s.Table.Boot()
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return s.refuse(st, err)
	}
	return s.kind().begin(ctx, st)
}

// closed waits until no round is open.
func (s *System) closed(ctx context.Context) error {
	for told := false; ; told = true {
		open, err := s.Table.Open()
		if err != nil {
			return fmt.Errorf("whether a round is open cannot be read: %w", err)
		}
		if !open {
			return nil
		}
		if !told {
			s.Log.Info("the update waits for the end of the round")
		}
		if err := sleep(ctx, s.Pause); err != nil {
			return err
		}
	}
}

// install installs the package. What it cannot install is gone back from, too.
func (s *System) install(ctx context.Context, st *State) error {
	if err := s.kind().install(ctx, st); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		st.Step, st.Failed = GoingBack, fmt.Sprintf("version %s could not be installed: %v", st.To, err)
		return nil
	}
	st.Step = s.kind().then
	return nil
}

// dpkg installs a package of the folder, unless it is installed whole, and starts the table with it.
func (s *System) dpkg(ctx context.Context, name, version string) error {
	// The signature was checked when the package came here, and nobody but root has written here since.
	if now, whole, err := s.installed(ctx); err != nil || now != version || !whole {
		args := s.root("--force-downgrade", "--force-confdef", "--force-confold", "--install", s.at(name))
		if _, err := output(ctx, "dpkg", args...); err != nil {
			return err
		}
	}
	return s.restart(ctx)
}

// restart starts the table, and waits no longer for that than the table has: a daemon that hangs would keep systemd for
// minutes.
func (s *System) restart(ctx context.Context) error {
	limited, stop := context.WithTimeout(ctx, s.Patience)
	defer stop()
	err := s.Table.Restart(limited)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return fmt.Errorf("the table was not ready within %s: it was still starting", s.Patience)
	}
	return err
}

// try gives the table its time.
func (s *System) try(ctx context.Context, st *State) error {
	switch err := s.kind().tried(ctx, st); {
	case errors.Is(err, errOpen):
		st.Step = Waiting
		return nil
	case errors.Is(err, errNotTried):
		st.Step, st.Failed = GoingBack, fmt.Sprintf("with version %s the table was not ready: %v", st.To, err)
		return nil
	case err != nil:
		return err
	}
	if err := s.ready(ctx, st.Boot); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		st.Step, st.Failed = GoingBack, fmt.Sprintf("with version %s the table was not ready within %s: %v", st.To,
			s.Patience, err)
		return nil
	}
	if err := s.kind().settle(ctx, st); err != nil {
		return err
	}
	s.Log.Info("the update is installed, and the table is ready", "from", st.From, "to", st.To)
	return s.endUpdate("update-installed", st)
}

// endUpdate notes what came of the update.
func (s *System) endUpdate(what string, st *State) error {
	if err := s.note(what, st); err != nil {
		return err
	}
	st.Step = Done
	return nil
}

// ready waits until the table is ready.
func (s *System) ready(ctx context.Context, after uint64) error {
	ctx, stop := context.WithTimeout(ctx, s.Patience)
	defer stop()
	for {
		err := s.Table.Ready(ctx, after)
		if err == nil {
			return nil
		}
		if sleep(ctx, s.Pause) != nil {
			return err
		}
	}
}

// goBack installs the package from before.
func (s *System) goBack(ctx context.Context, st *State) error {
	s.Log.Error("THE UPDATE IS TAKEN BACK: the version before runs again", "err", st.Failed, "from", st.To,
		"to", st.From)
	after, err := s.kind().back(ctx, st)
	if errors.Is(err, errRestarts) {
		return err
	}
	if err == nil {
		err = s.ready(ctx, after)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	what, said := "update-went-back", fmt.Sprintf("; version %s is installed again, and the table is ready", st.From)
	if err != nil {
		s.Log.Error("THE TABLE IS NOT READY WITH THE VERSION FROM BEFORE EITHER: look at the table's own log",
			"err", err)
		what, said = "update-stuck",
			fmt.Sprintf("; AND VERSION %s DOES NOT WORK EITHER: %v: journalctl -u sabotd says why", st.From, err)
	}
	if err := s.endUpdate(what, st); err != nil {
		return err
	}
	st.Failed += said
	return nil
}
