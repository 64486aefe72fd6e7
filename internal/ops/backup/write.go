package backup

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/table/journal"
)

const (
	// restoringEnd ends the name of the folder in which a journal is put together.
	restoringEnd = ".restoring"
	// beforeEnd ends the name of the configuration that was there.
	beforeEnd = ".before-restore"
)

// arrange says where each file goes, and refuses what has no business there, and what is in the way. What is in the way
// on this computer is no fault of a backup that is only checked.
func (r *restore) arrange() error {
	text, there := r.texts[ConfigRole]
	if !there {
		var err error
		if text, err = read(configfile.Named{
			Role: ConfigRole, Kind: securefile.Configuration,
			Path: r.File,
		}); err != nil {
			return r.here(fmt.Errorf("the backup has no configuration, which was left out as a secret, and there is "+
				"none here: %w; write it first, with the same site, table and journal.path", err))
		}
	}
	var err error
	if r.config, err = config.Sketch(r.File, text); err != nil {
		return fmt.Errorf("the configuration cannot be read:\n%w", err)
	}
	if r.config.Site != r.done.Site || r.config.Table != r.done.Table {
		return fmt.Errorf("the configuration is of the table %s at %s, and the backup of %s at %s", r.config.Table,
			r.config.Site, r.done.Table, r.done.Site)
	}
	r.done.Folder = r.config.Journal.Path
	r.planFiles(there)
	if err := r.outside(); err != nil {
		return fmt.Errorf("nothing was restored:\n%w", err)
	}
	return r.here(r.inTheWay())
}

// here is what keeps it from being restored onto this computer: only noted by a check.
func (r *restore) here(err error) error {
	if r.CheckOnly {
		r.done.Here = err
		return nil
	}
	return err
}

// planFiles lists what is to be written. The configuration says where, the backup what; the configuration comes last.
func (r *restore) planFiles(configured bool) {
	for _, n := range r.config.Files() {
		_, there := r.texts[n.Role]
		if n.Kind == securefile.OwnKey && !there && !slices.Contains(r.done.LeftOut, n.Role) &&
			r.config.Journal.KeyUnmade() {
			continue // the table had made none yet
		}
		r.want(n.Role, n.Path, n.Kind)
	}
	for _, end := range config.Kept {
		role := keptRole + end
		if _, there := r.texts[role]; there || slices.Contains(r.done.LeftOut, role) {
			r.want(role, r.done.Folder+end, securefile.Kept)
		}
	}
	if configured {
		r.want(ConfigRole, r.File, r.config.Kind())
	}
}

func (r *restore) want(role, path string, kind securefile.Kind) {
	text, there := r.texts[role]
	if !there {
		r.done.Missing = append(r.done.Missing, role+" "+path)
		return
	}
	r.plan = append(r.plan, planned{role, path, kind, text})
}

// inTheWay refuses whatever is where something has to be written, all of it at once.
func (r *restore) inTheWay() error {
	wrong := []error{byItsUser(r.done.Folder)}
	if entries, err := os.ReadDir(r.done.Folder); err == nil && len(entries) > 0 {
		wrong = append(wrong,
			fmt.Errorf("%s has a journal already: a new card has none; if nothing was ever dealt with it, stop "+
				"sabotd and move it away with what is beside it", r.done.Folder))
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		wrong = append(wrong, err)
	}
	_, interrupted := os.Lstat(r.done.Folder + restoringEnd)
	if _, err := os.Lstat(r.done.Folder + heardEnd); err == nil && interrupted != nil {
		wrong = append(wrong, fmt.Errorf("%s is there: a table was used here; move it away", r.done.Folder+heardEnd))
	}
	for _, p := range r.plan {
		if err := p.free(); err != nil {
			wrong = append(wrong, err)
		}
	}
	if err := errors.Join(wrong...); err != nil {
		return fmt.Errorf("nothing was restored:\n%w", err)
	}
	return nil
}

// byItsUser refuses root where another user runs the table: nothing that is restored needs root, and what root writes
// where that user may write could be led elsewhere.
func byItsUser(folder string) error {
	owner, err := securefile.RunBy(folder)
	if err != nil || owner == securefile.Own() {
		return err
	}
	return fmt.Errorf("the table is run by %s: restore it as that user, not as root", owner)
}

// free is nil if the file can be written: it is not there, or it is what it should be, as after an earlier try.
func (p *planned) free() error {
	if info, err := os.Stat(filepath.Dir(p.path)); err != nil || !info.IsDir() {
		return fmt.Errorf("%s: the folder %s is not there: make it, as it was", p.role, filepath.Dir(p.path))
	}
	info, err := os.Lstat(p.path)
	switch {
	case errors.Is(err, fs.ErrNotExist) || p.role == ConfigRole:
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular() || !p.same():
		return fmt.Errorf("%s: %s is there, and differs: move it away", p.role, p.path)
	}
	return nil
}

func (p *planned) same() bool {
	f, err := securefile.Open(p.path)
	if err != nil {
		return false
	}
	text, err := io.ReadAll(io.LimitReader(f, mostFile+1))
	return errors.Join(err, f.Close()) == nil && bytes.Equal(text, p.text)
}

// write writes everything, the journal's folder under its name last: without it nothing starts as if all were there.
func (r *restore) write(ctx context.Context) (err error) {
	lock, err := journal.Lock(r.done.Folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if err := health.ForgetBackups(r.done.Folder); err != nil { // no backup of this journal was made on this card
		return err
	}
	draft := r.done.Folder + restoringEnd
	if err := r.writeJournal(ctx, draft); err != nil {
		return fmt.Errorf("the journal could not be written: %w; what was there is as it was", err)
	}
	for _, p := range r.plan {
		if err := r.writeFile(&p); err != nil {
			return fmt.Errorf("%s could not be written: %w; do this again when that is put right", p.path, err)
		}
	}
	if err := r.writeHeard(); err != nil {
		return err
	}
	if err := os.Rename(draft, r.done.Folder); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(r.done.Folder))
}

// writeJournal puts the journal together in a folder beside its own.
func (r *restore) writeJournal(ctx context.Context, draft string) error {
	if err := r.again(draft); err != nil {
		return err
	}
	folders := []string{draft}
	if err := os.Mkdir(draft, 0o750); err != nil {
		return err
	}
	for _, s := range r.done.Parts {
		if err := ctx.Err(); err != nil {
			return err
		}
		path := filepath.Join(draft, filepath.FromSlash(s.Name))
		if in := filepath.Dir(path); in != draft {
			if err := between(draft, in, &folders); err != nil {
				return err
			}
		}
		if err := r.copy(s, path); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		r.done.Written = append(r.done.Written, filepath.Join(r.done.Folder, filepath.FromSlash(s.Name)))
	}
	for _, f := range folders {
		if err := syncFolder(f); err != nil {
			return err
		}
	}
	return nil
}

// again removes what an interrupted restore left. What the pit has heard goes first: with a draft beside it, it is
// known to be of that restore.
func (r *restore) again(draft string) error {
	if err := os.Remove(r.done.Folder + heardEnd); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := syncFolder(filepath.Dir(r.done.Folder)); err != nil {
		return err
	}
	return os.RemoveAll(draft)
}

// between makes the folders from one down to another.
func between(from, to string, made *[]string) error {
	rest, err := filepath.Rel(from, to)
	if err != nil {
		return err
	}
	at := from
	for name := range strings.SplitSeq(rest, string(filepath.Separator)) {
		at = filepath.Join(at, name)
		switch err := os.Mkdir(at, 0o750); {
		case errors.Is(err, fs.ErrExist):
		case err != nil:
			return err
		default:
			*made = append(*made, at)
		}
	}
	return nil
}

// copy writes one of the journal's files, and reads it back.
func (r *restore) copy(s Stored, path string) error {
	from, err := r.place.Open(s.object())
	if err != nil {
		return err
	}
	to, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o640)
	if err != nil {
		return errors.Join(err, from.Close())
	}
	_, err = io.CopyBuffer(to, io.NewSectionReader(from, 0, s.Size), make([]byte, chunk))
	if err = errors.Join(err, from.Close()); err == nil {
		err = to.Sync()
	}
	if err == nil {
		var sum [32]byte
		sum, err = digest(func() (io.ReadCloser, error) { return os.Open(path) }, s.Size)
		if err == nil && hex.EncodeToString(sum[:]) != s.SHA256 {
			err = errors.New("it does not read as it was written: the disk is failing")
		}
	}
	return errors.Join(err, to.Close())
}

// writeFile writes a file that is not there yet.
func (r *restore) writeFile(p *planned) error {
	if p.same() {
		return nil
	}
	if _, err := os.Lstat(p.path); err == nil && p.role == ConfigRole {
		before, err := aside(p.path)
		if err != nil {
			return err
		}
		r.done.Before = before
	}
	write := securefile.New
	if !p.kind.Secret() {
		write = securefile.NewPublic
	}
	if err := write(p.path, p.text); err != nil {
		return err
	}
	r.done.Written = append(r.done.Written, p.path)
	return nil
}

// aside gives the configuration that is there a name that is free.
func aside(path string) (string, error) {
	for n := 1; ; n++ {
		before := path + beforeEnd
		if n > 1 {
			before = fmt.Sprintf("%s-%d", before, n)
		}
		if _, err := os.Lstat(before); errors.Is(err, fs.ErrNotExist) {
			return before, os.Rename(path, before)
		}
	}
}

// writeHeard tells the next start what the pit has heard: if the journal lacks it, numbers continue above that, and a
// supervisor has to decide.
func (r *restore) writeHeard() error {
	if r.heard.ID == "" {
		return nil
	}
	text, err := json.Marshal(struct {
		ID     string    `json:"id"`
		Record uint64    `json:"record"`
		Hash   string    `json:"hash"`
		Event  uint64    `json:"event"`
		At     time.Time `json:"at"`
	}{r.heard.ID, r.heard.Record, hex.EncodeToString(r.heard.Hash[:]), r.heard.Event, r.done.At})
	if err != nil {
		return err
	}
	return securefile.Replace(r.done.Folder+heardEnd, append(text, '\n'))
}

func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
