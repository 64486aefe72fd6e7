package backup

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"filippo.io/age"

	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
)

// Roles of files that no key of the configuration names.
const (
	// ConfigRole is the configuration's own file. What is kept beside the journal is named keptRole and the end of its
	// name.
	ConfigRole = "config"
	keptRole   = "journal"
)

// Source is the table that is copied.
type Source struct {
	Config config.Config
	// File is the configuration's own.
	File string
	// Houses are those that the journal may name.
	Houses profile.Book
	// Heard is the last head that the pit is known to have; zero for none.
	Heard journal.Heard
	// Program is the name and version of the program that copies.
	Program string
	// Now is what the clock says.
	Now time.Time
}

// Options say how to copy.
type Options struct {
	// Keep is how many generations stay, at least 1.
	Keep int
	// Recipients can read the secrets; without any the secrets are left out.
	Recipients []age.Recipient
	// Progress, if not nil, is called now and then with how many records were audited.
	Progress func(done, total uint64)
}

// Taken is a backup that was written and read back.
type Taken struct {
	Generation
	// Files and Bytes are what was written anew; the rest was there.
	Files int
	Bytes int64
	// Audit is that of the journal, read from the place.
	Audit *audit.Report
	// Unread are generations in the place that cannot be read.
	Unread []Unread
}

// tries is how often the files are listed again when one was packed or moved meanwhile.
const tries = 8

// Take copies the table, while it may deal. When it fails, the generations that were there are as they were. A journal
// in which the audit finds faults is copied as it is; then no older generation is removed.
func (p *Place) Take(ctx context.Context, s Source, o Options) (t Taken, err error) {
	if err := p.next(&t.Generation); err != nil {
		return t, err
	}
	t.Format, t.At, t.Program, t.Site, t.Table = format, s.Now.UTC(), s.Program, s.Config.Site, s.Config.Table
	if s.Heard.ID != "" {
		t.Heard = &Head{
			ID: s.Heard.ID, Record: s.Heard.Record, Hash: hex.EncodeToString(s.Heard.Hash[:]),
			Event: s.Heard.Event,
		}
	}
	w := writer{ctx: ctx, place: p, taken: &t}
	if w.codes, err = read(s.codes()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return t, err
	}
	if err := w.journal(s.Config.Journal.Path); err != nil {
		return t, err
	}
	if err := w.files(&s, o.Recipients); err != nil {
		return t, err
	}
	return t, p.finish(ctx, &s, &o, &t)
}

// next is the number after the highest that the place has, readable or not.
func (p *Place) next(g *Generation) error {
	names, err := p.List()
	if err != nil {
		return err
	}
	g.Number = 1
	for _, name := range names {
		if number, ok := numberOf(name); ok {
			g.Number = max(g.Number, number+1)
		}
	}
	if g.Number > mostNumber {
		return fmt.Errorf("%s has a generation with the highest number that there is: move its files elsewhere", p.Name)
	}
	return nil
}

// finish audits what was written, makes it count, and removes what is too old.
func (p *Place) finish(ctx context.Context, s *Source, o *Options, t *Taken) (err error) {
	key, err := s.Config.Journal.Key()
	if err != nil {
		return err
	}
	if t.Audit, err = p.audit(ctx, &t.Generation,
		audit.Options{Book: s.Houses, Heard: s.Heard, Progress: o.Progress}); err != nil {
		return err
	}
	text, err := t.text(key)
	if err != nil {
		return err
	}
	if _, err := parse(text); err != nil {
		return fmt.Errorf("the backup was not finished: what it would list cannot be read back: %w", err)
	}
	if err := p.commit(fileOf(t.Number), text); err != nil {
		return err
	}
	if !t.Audit.Well() {
		return nil
	}
	t.Unread, err = p.bound(max(o.Keep, 1))
	if err != nil {
		return &keptError{err}
	}
	return nil
}

// keptError is what went wrong after a backup was finished.
type keptError struct{ error }

func (e *keptError) Error() string {
	return "the backup is whole, but older ones could not be removed: " + e.error.Error()
}

// Finished reports whether a backup came about, by what Take or Explain has returned.
func Finished(err error) bool {
	_, kept := errors.AsType[*keptError](err)
	return err == nil || kept
}

func (e *keptError) Unwrap() error { return e.error }

// audit checks the journal of a generation where it lies, and fills in its head.
func (p *Place) audit(ctx context.Context, g *Generation, o audit.Options) (*audit.Report, error) {
	r, err := p.Journal(g)
	if err != nil {
		return nil, err
	}
	report, err := audit.Run(ctx, r, o)
	if err == nil {
		var seq uint64
		var hash [32]byte
		if seq, hash, err = r.Head(); err == nil {
			g.Journal = Head{ID: r.ID(), Record: seq, Hash: hex.EncodeToString(hash[:])}
		}
	}
	return report, errors.Join(err, r.Close())
}

// writer copies the files of one generation.
type writer struct {
	ctx   context.Context
	place *Place
	taken *Taken
	// codes is what the file of that name had before the journal was copied, nil for nothing.
	codes []byte
}

// journal copies the journal's files, the newest part first.
func (w *writer) journal(folder string) (err error) {
	for range tries {
		w.taken.Parts = nil
		if err = w.parts(folder); !changed(err) {
			return err
		}
	}
	return fmt.Errorf("the journal's files changed again and again while they were copied: %w", err)
}

// changed reports whether the files of the source are to be listed again.
func changed(err error) bool {
	source, ok := errors.AsType[*sourceError](err)
	return ok && (errors.Is(source, fs.ErrNotExist) || errors.Is(source, errChanged))
}

func (w *writer) parts(folder string) error {
	r, err := journal.OpenReadOnly(folder)
	if err != nil {
		return err
	}
	list, err := r.Extents()
	if err = errors.Join(err, r.Close()); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return &sourceError{err}
		}
		return err
	}
	for _, e := range list {
		if err := w.part(r.Path(), e.Name, e.Size); err != nil {
			return err
		}
	}
	aside, err := journal.Aside(folder)
	if err != nil {
		return err
	}
	for _, name := range aside {
		info, err := os.Lstat(filepath.Join(folder, name))
		if err != nil {
			return &sourceError{err}
		}
		if info.Mode().IsRegular() {
			if err := w.part(folder, name, info.Size()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *writer) part(folder, name string, size int64) error {
	return w.putFile(&w.taken.Parts, name, func() (io.ReadCloser,
		error,
	) {
		return securefile.Open(filepath.Join(folder, name))
	}, size)
}

// putFile stores a file, and notes it in a list.
func (w *writer) putFile(list *[]Stored, name string, open opener, size int64) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	s, wrote, err := w.place.putFile(name, open, size)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	*list = append(*list, s)
	if wrote {
		w.taken.Files++
		w.taken.Bytes += size
	}
	return nil
}

func (w *writer) text(list *[]Stored, name string, text []byte) error {
	return w.putFile(list, name, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil },
		int64(len(text)))
}

// files copies everything but the journal: what is secret sealed, or not at all.
func (w *writer) files(s *Source, to []age.Recipient) error {
	var sealed []secretFile
	for _, n := range s.files() {
		text, err := w.read(s, n)
		unmade := n.Kind == securefile.OwnKey && s.Config.Journal.KeyUnmade()
		if errors.Is(err, fs.ErrNotExist) && (n.Kind == securefile.Kept || unmade) {
			continue // there may be none yet
		}
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", n.Role, err)
		case !n.Kind.Secret():
			err = w.text(&w.taken.Generation.Files, n.Role, text)
		case len(to) > 0:
			sealed = append(sealed, secretFile{n.Role, text})
		default:
			w.taken.LeftOut = append(w.taken.LeftOut, n.Role)
		}
		if err != nil {
			return err
		}
	}
	return w.sealed(sealed, to)
}

func (w *writer) sealed(files []secretFile, to []age.Recipient) error {
	if len(files) == 0 {
		return nil
	}
	text, err := seal(files, to)
	if err != nil {
		return err
	}
	var list []Stored
	if err := w.text(&list, "secrets", text); err != nil {
		return err
	}
	w.taken.Sealed = &Sealed{Stored: list[0]}
	for _, f := range files {
		w.taken.Sealed.Roles = append(w.taken.Sealed.Roles, f.Role)
	}
	return nil
}

// files are what is to be copied besides the journal. What the pit has heard is not: it is in the generation itself.
func (s *Source) files() []configfile.Named {
	list := append([]configfile.Named{{Role: ConfigRole, Kind: s.Config.Kind(), Path: s.File}}, s.Config.Files()...)
	for _, end := range config.Kept {
		if end != heardEnd {
			list = append(list, configfile.Named{
				Role: keptRole + end, Kind: securefile.Kept,
				Path: s.Config.Journal.Path + end,
			})
		}
	}
	return slices.CompactFunc(list, func(a, b configfile.Named) bool { return cmp.Compare(a.Role, b.Role) == 0 })
}

// read reads a file, and gives of the codes' key what it was before the journal was copied.
func (w *writer) read(s *Source, n configfile.Named) ([]byte, error) {
	switch {
	case n != s.codes():
		return read(n)
	case w.codes == nil:
		return nil, fs.ErrNotExist
	}
	return w.codes, nil
}

// codes is the file with the key of the journal's codes. It is read before the parts are copied: a start takes a key
// that is newer than the journal for a sign that the journal's end was cut off.
func (s *Source) codes() configfile.Named {
	path := s.Config.Journal.Path + journal.CodesEnd
	return configfile.Named{Role: keptRole + journal.CodesEnd, Kind: securefile.Kept, Path: path}
}

// heardEnd ends the name of the file in which the table keeps what the pit has heard of its journal.
const heardEnd = ".heard"

// read reads a file of the table, and refuses one that is too long for what it should be.
func read(n configfile.Named) ([]byte, error) {
	return securefile.Item{Kind: n.Kind, Path: n.Path}.Read(mostFile)
}

// Explain says what is left of earlier backups after one has failed, and what to do.
func (p *Place) Explain(err error) error {
	if err == nil {
		return nil
	}
	if _, done := errors.AsType[*keptError](err); done {
		return err
	}
	hint := ""
	switch {
	case errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT):
		hint = "; make space there, or keep fewer generations with --keep"
	case errors.Is(err, syscall.EROFS):
		hint = "; it is read-only: look at the stick's switch, or at dmesg"
	case errors.Is(err, syscall.EIO):
		hint = "; the disk does not read or write: take another one"
	}
	left := "there is no earlier backup"
	if list, _, wrong := p.Generations(); wrong != nil {
		left = "whether an earlier backup is there cannot be read"
	} else if n := len(list); n > 0 {
		left = fmt.Sprintf("the backup before is untouched: generation %d of %s", list[n-1].Number,
			list[n-1].At.Format(time.RFC3339))
	}
	return fmt.Errorf("nothing was backed up to %s: %w%s; %s", p.Name, err, hint, left)
}
