package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/table/journal"
)

// Left is what a computer still has of a table whose configuration is gone. Whoever answered the questions of a first
// start there would be the only supervisor of a journal that is not theirs.
type Left struct {
	// Where is the journal's folder, or the file beside it.
	Where string
	// Round is the last round on record, and At when it was last written; zero if neither can be read.
	Round uint64
	At    time.Time
	// Snapshot is the newest state of the configuration that says which table it is of; its number is 0 if none is
	// kept.
	Snapshot Snapshot
}

// startEnds are the files beside a journal that a start alone writes, and an update: they say of no table that it has
// dealt.
var startEnds = []string{journal.CodesEnd, ".updates"}

// LeftOf looks for what is left of a table where a file, with the text that it has, says nothing of which table it is
// for: where the text has the journal, and where the configuration had it before. It is nil where no table has dealt: a
// journal that was only set up is of a first start whose answers were taken back.
func LeftOf(path string, text []byte) (*Left, error) {
	snapshot, before, err := named(At(path))
	if err != nil {
		return nil, err
	}
	journals := []config.Journal{Tried(text).Journal}
	if snapshot.Number > 0 {
		journals = append(journals, Tried(before).Journal)
	}
	for _, c := range journals {
		if left, err := leftAt(c); left != nil || err != nil {
			if left != nil {
				left.Snapshot = snapshot
			}
			return left, err
		}
	}
	return nil, nil
}

func leftAt(c config.Journal) (*Left, error) {
	left, err := dealtAt(c.Path)
	if left != nil || err != nil {
		return left, err
	}
	for _, end := range config.Kept {
		if slices.Contains(startEnds, end) {
			continue
		}
		info, err := os.Lstat(c.Path + end)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case info.Size() > 0:
			return &Left{Where: c.Path + end, At: info.ModTime().UTC()}, nil
		}
	}
	return nil, nil
}

// dealtAt is what a journal has beyond what sets a table up. One that cannot be read may be anybody's, and counts.
func dealtAt(path string) (*Left, error) {
	_, files, err := journal.Own(path)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	j, err := journal.OpenReadOnly(path)
	if err != nil {
		return &Left{Where: path}, nil
	}
	defer j.Close()
	last, dealt := lastOf(j)
	if !dealt {
		return nil, nil
	}
	left := &Left{Where: path, Round: last.Round}
	if last.At != 0 {
		left.At = time.Unix(0, last.At).UTC()
	}
	return left, nil
}

// lastOf is a journal's last record, and whether it has one that does not set the table up.
func lastOf(j *journal.Reader) (last journal.Record, dealt bool) {
	for r, err := range j.Records(1) {
		if dealt = err != nil || r.Seq != r.Setup; dealt {
			break
		}
	}
	head, _, err := j.Head()
	if err != nil {
		return last, true
	}
	for r, err := range j.Records(head) {
		if err == nil {
			last = r
		}
		break
	}
	return last, dealt
}

// named is the newest snapshot of a configuration that says which table it is of, and its text.
func named(s *Store) (Snapshot, []byte, error) {
	all, err := s.History()
	if errors.Is(err, fs.ErrNotExist) {
		return Snapshot{}, nil, nil
	}
	for _, one := range all {
		if text, err := s.read(one.name); err == nil && !Fresh(text) {
			return one, text, nil
		}
	}
	return Snapshot{}, nil, err
}

// String says what is left, for a technician.
func (l *Left) String() string {
	what := l.Where
	if l.Round > 0 {
		what = fmt.Sprintf("%s, up to round %d", what, l.Round)
	}
	if !l.At.IsZero() {
		what += ", last written " + l.At.Format(time.DateTime+" MST")
	}
	return what
}

// Mend is the command that puts the configuration at path back.
func (l *Left) Mend(path string) string {
	if l.Snapshot.Number > 0 {
		return fmt.Sprintf("sabot config restore --config %s %d", path, l.Snapshot.Number)
	}
	return "sabot restore"
}
