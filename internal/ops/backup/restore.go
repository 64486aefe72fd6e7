package backup

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"filippo.io/age"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
)

// Ask asks the pit's broker what it remembers of a table.
type Ask func(ctx context.Context, table config.Config, password, caFile string) (publish.Remembered, error)

// Request says what is restored, and how.
type Request struct {
	// Number is the generation's, 0 for the newest.
	Number uint64
	// File is where the configuration goes.
	File string
	// Identities open what is sealed.
	Identities []age.Identity
	// Folders are the table's own, besides that of File: nothing is written outside of them.
	Folders []string
	// Key is the public half of the table's key, as the auditor has it; nil is refused, unless Anyones takes what the
	// backup says.
	Key     ed25519.PublicKey
	Anyones bool
	Houses  profile.Book
	Ask     Ask
	// Noted is the last record of the table as the pit shows it; zero for none.
	Noted audit.Note
	// Although restores a journal although the pit may have heard of more.
	Although bool
	// Despite restores a journal in which the audit finds faults.
	Despite bool
	// CheckOnly writes nothing, and asks nobody.
	CheckOnly bool
	Progress  func(done, total uint64)
}

// Restored is what was restored, or would be.
type Restored struct {
	Generation
	Audit *audit.Report
	// Written are the files that were written, and Missing the roles of those that the backup does not have.
	Written, Missing []string
	// Before is where the configuration that was there was moved to, "" for none.
	Before string
	// Pit says how the backup compares with what the pit has heard.
	Pit string
	// Behind says that the pit has, or may have, heard of more.
	Behind bool
	// Folder is the journal's.
	Folder string
	// Here is what would keep it from being restored onto this computer, when it is only checked.
	Here error
}

// restore is one under way.
type restore struct {
	Request
	place *Place
	done  Restored
	// texts are the files besides the journal, by role.
	texts  map[string][]byte
	config config.Config
	// heard is the last head that the pit is known to have.
	heard journal.Heard
	plan  []planned
}

// planned is a file that is to be written.
type planned struct {
	role, path string
	kind       securefile.Kind
	text       []byte
}

// Restore puts a table back, or only checks that it could. Everything is read and judged before anything is written;
// what is there is never overwritten, but for the configuration, which is moved aside. Interrupted, it can be done
// again.
func (p *Place) Restore(ctx context.Context, q Request) (Restored, error) {
	r := restore{Request: q, place: p}
	var err error
	if r.File, err = filepath.Abs(q.File); err == nil {
		err = r.read()
	}
	if err == nil {
		err = r.arrange()
	}
	if err == nil {
		err = r.judge(ctx)
	}
	if err == nil && !q.CheckOnly {
		err = r.write(ctx)
	}
	return r.done, err
}

// read reads and checks everything but the journal's content.
func (r *restore) read() error {
	g, err := r.choose()
	if err != nil {
		return err
	}
	r.done.Generation = g
	if r.Key == nil && !r.Anyones {
		return errors.New("anybody may have made this backup, and its configuration would say who may do what at " +
			"the table: give --key and the file with the table's line, as the auditor has it; if there is none, say " +
			"--although-anybody-may-have-made-it")
	}
	if r.Key != nil && !g.Key.Equal(r.Key) {
		by := "it is not signed"
		if g.Key != nil {
			by = "it is signed by " + journal.PublicLine(g.Key)
		}
		return fmt.Errorf("generation %d was not made by the table with the key that was given: %s", g.Number, by)
	}
	for _, s := range g.stored() {
		if err := r.place.holds(s); err != nil {
			return fmt.Errorf("generation %d is damaged: %s: %w; take another generation", g.Number, s.Name, err)
		}
	}
	return r.readFiles()
}

// choose finds the generation.
func (r *restore) choose() (g Generation, err error) {
	list, unread, err := r.place.Generations()
	if err != nil {
		return g, err
	}
	for _, u := range unread {
		number, _ := numberOf(u.File)
		if number == r.Number || r.Number == 0 && (len(list) == 0 || number > list[len(list)-1].Number) {
			return g, fmt.Errorf("%s in %s cannot be used: %w; name another one with --generation", u.File,
				r.place.Name, u.Err)
		}
	}
	if r.Number == 0 && len(list) > 0 {
		return list[len(list)-1], nil
	}
	for _, g := range list {
		if g.Number == r.Number {
			return g, nil
		}
	}
	return g, fmt.Errorf("%s has no generation %d: sabot backup --list shows those that are there",
		r.place.Name, r.Number)
}

func (r *restore) readFiles() error {
	r.texts = map[string][]byte{}
	for _, s := range r.done.Files {
		text, err := r.place.text(s, mostFile)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		r.texts[s.Name] = text
	}
	sealed := r.done.Sealed
	if sealed == nil {
		return nil
	}
	if len(r.Identities) == 0 {
		return fmt.Errorf("the backup has %s, sealed: give --identity and the file with the identity that opens them",
			strings.Join(sealed.Roles, ", "))
	}
	text, err := r.place.text(sealed.Stored, 2*mostSecrets)
	if err != nil {
		return err
	}
	files, err := unseal(bytes.NewReader(text), r.Identities)
	if err != nil {
		return fmt.Errorf("the sealed files of the backup cannot be opened: %w: give the identity whose public line "+
			"was among the table's recipients", err)
	}
	for role, text := range files {
		if !slices.Contains(sealed.Roles, role) || r.texts[role] != nil {
			return fmt.Errorf("the sealed files of the backup have %q, which it does not list", role)
		}
		r.texts[role] = text
	}
	return nil
}

// text reads a small file of a generation.
func (p *Place) text(s Stored, most int64) ([]byte, error) {
	if s.Size > most {
		return nil, fmt.Errorf("it has %d bytes, and no such file has more than %d", s.Size, most)
	}
	f, err := p.Open(s.object())
	if err != nil {
		return nil, err
	}
	text := make([]byte, s.Size)
	_, err = io.ReadFull(io.NewSectionReader(f, 0, s.Size), text)
	return text, errors.Join(err, f.Close())
}
