package update

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sabot-table/sabot/internal/securefile"
)

// Step is how far an update has come.
type Step string

// The steps.
const (
	Judging    Step = "judging"
	Waiting    Step = "waiting"
	Installing Step = "installing"
	Trying     Step = "trying"
	GoingBack  Step = "going-back"
	Done       Step = "done"
)

// doing is what an update does at a step.
var doing = map[Step]string{
	Judging:    "judging the package",
	Waiting:    "waiting: no round may be open",
	Installing: "installing",
	Trying:     "trying: the table has to be ready with it",
	GoingBack:  "going back: the table was not ready with it",
}

// Doing says what the update does.
func (st *State) Doing() string { return cmp.Or(doing[st.Step], string(st.Step)) }

// State is the update that is under way, or the last.
type State struct {
	Step Step   `json:"step"`
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
	// Who asked for it, by their own word.
	Who string `json:"who,omitempty"`
	// Note names what goes on record of the update. Root chooses it, so that no two are the same.
	Note string `json:"note,omitempty"`
	// Request names what was asked, so that whoever asked finds the answer.
	Request string    `json:"request,omitempty"`
	At      time.Time `json:"at"`
	// Boot is the journal's last start before anything was installed.
	Boot uint64 `json:"boot,omitempty"`
	// Failed says why the update did not come about, "" if it did.
	Failed string `json:"failed,omitempty"`
	// Halted says why an update that is under way does not go on, until it does.
	Halted string `json:"halted,omitempty"`
}

// Err says why the update did not come about, or does not go on; nil if neither is so.
func (st *State) Err() error {
	switch {
	case st.Failed != "" && !st.UnderWay():
		return errors.New(st.Failed)
	case st.Halted != "":
		return fmt.Errorf("the update to %s does not go on: %s; put that right, then sudo systemctl start sabot-update",
			st.To, st.Halted)
	}
	return nil
}

// UnderWay reports whether the update has begun and has not ended.
func (st *State) UnderWay() bool { return st.Step != "" && st.Step != Done }

// Note is what the table puts on record of an update.
type Note struct {
	// ID is the note's own. Notes of earlier versions have none; for those versions N counts the notes of a folder.
	ID string `json:"id,omitempty"`
	N  uint64 `json:"n"`
	// What is update-installed, update-refused, update-went-back or update-stuck.
	What string    `json:"what"`
	From string    `json:"from,omitempty"`
	To   string    `json:"to,omitempty"`
	Who  string    `json:"who,omitempty"`
	At   time.Time `json:"at"`
}

// Name is what no other note has, of whatever folder: a number begins anew on a new card, and after a purge.
func (n Note) Name() string {
	return cmp.Or(n.ID, fmt.Sprintf("%d of %s", n.N, n.At.UTC().Format(time.RFC3339Nano)))
}

// Words is the note as it goes on record, as in update-installed 1.3.0 1.4.0.
func (n Note) Words() string {
	words := []string{n.What}
	for _, version := range []string{n.From, n.To} {
		if version != "" {
			words = append(words, version)
		}
	}
	return strings.Join(words, " ")
}

// Folder is root's on a table.
const Folder = "/var/lib/sabot-update"

// The files in the folder of root.
const (
	stateFile    = "state.json"
	notesFile    = "notes.json"
	nextFile     = "next.deb"
	currentFile  = "current.deb"
	previousFile = "previous.deb"
)

const mostState = 256 << 10

func (s *System) at(name string) string { return filepath.Join(s.Folder, name) }

// load reads what was kept; nothing if nothing was.
func load[T any](path string) (T, error) { return securefile.Load[T](path, mostState) }

// keep replaces a file, durably, which everybody may read.
func keep(path string, what any) error {
	text, err := json.Marshal(what)
	if err == nil {
		err = securefile.Replace(path, append(text, '\n'))
	}
	if err != nil {
		return err
	}
	return os.Chmod(path, 0o644)
}

// mostNotes is how many notes stay.
const mostNotes = 100

// note adds a note for the table.
func (s *System) note(what string, st *State) error {
	notes, err := load[[]Note](s.at(notesFile))
	if err != nil {
		return err
	}
	n := uint64(1)
	if len(notes) > 0 {
		last := notes[len(notes)-1]
		if n = last.N + 1; last.ID == st.Note {
			return nil // it was noted before a power cut
		}
	}
	notes = append(notes, Note{ID: st.Note, N: n, What: what, From: st.From, To: st.To, Who: st.Who, At: st.At})
	return keep(s.at(notesFile), notes[max(0, len(notes)-mostNotes):])
}

// Notes reads the notes of updates in a folder, the oldest first.
func Notes(folder string) ([]Note, error) { return load[[]Note](filepath.Join(folder, notesFile)) }

// Look reads the state of updates in a folder.
func Look(folder string) (State, error) { return load[State](filepath.Join(folder, stateFile)) }

// takeFile copies a file to where root alone writes, durably. It follows no link: whoever asks may have put one there.
func takeFile(from, to string, most int64) error {
	in, err := securefile.OpenItself(from)
	if err != nil {
		return err
	}
	draft := to + ".new"
	if err := os.Remove(draft); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, in.Close())
	}
	out, err := os.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return errors.Join(err, in.Close())
	}
	n, err := io.Copy(out, io.LimitReader(in, most+1))
	if err == nil && n > most {
		err = fmt.Errorf("%s has more than %d bytes", from, most)
	}
	if err = errors.Join(err, out.Sync(), out.Close(), in.Close()); err != nil {
		return errors.Join(err, os.Remove(draft))
	}
	return move(draft, to)
}

// takeSigned takes a package, after its signature: whoever asks has no more written than each may have.
func takeSigned(from, to string) error {
	if err := takeFile(from+SignatureEnd, to+SignatureEnd, mostSignature); err != nil {
		return err
	}
	return takeFile(from, to, mostPackage)
}

// move gives a file another name, durably.
func move(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	d, err := os.Open(filepath.Dir(to))
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
