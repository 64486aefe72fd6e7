package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"

	"github.com/sabot-table/sabot/cmd/internal/sqlitejournal"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
)

// importSink is the new journal that an import writes. Nothing in it counts before Close.
type importSink interface {
	// Boot begins an opening of the old journal. What follows is its first record or
	// another boot.
	Boot(number uint64, program string) error
	// Append adds entries of one boot, with the old seals that followed some of them.
	Append([]journal.Entry, []journal.Seal) error
	// Cursor records how far a publisher has got.
	Cursor(name string, event uint64) error
	// Close makes everything durable. It may be called again.
	Close() error
	// Records reads back what was written, after Close.
	Records() iter.Seq2[journal.Record, error]
}

// beginSink makes a new journal in a folder that does not exist yet, sealed with the key
// unless that is nil.
type beginSink func(folder string, former journal.Former, key ed25519.PrivateKey) (importSink, error)

// importing is an import under way.
type importing struct {
	old      *sqlitejournal.Journal
	taken    sqlitejournal.Checked
	sink     importSink
	progress func(done, total uint64)

	entries []journal.Entry
	rules   []byte // in force
	sealed  []journal.Seal
	seals   upcoming[sqlitejournal.Seal]
	boots   upcoming[sqlitejournal.Boot]
}

// upcoming is the next row of a sequence.
type upcoming[T any] struct {
	row  T
	more bool
	next func() (T, error, bool)
}

func (u *upcoming[T]) advance() (err error) {
	u.row, err, u.more = u.next()
	return err
}

// At least batchLeast records are written at once, and at most batchMost: a batch ends
// between two rounds where possible.
const (
	batchLeast = 256
	batchMost  = 4096
)

// run writes the new journal, and makes sure that nothing was lost.
func (i *importing) run(ctx context.Context) error {
	if i.taken.Boots == 0 {
		return errors.New("no table ever opened the old journal: there is nothing to import")
	}
	if err := errors.Join(i.write(ctx), i.sink.Close()); err != nil {
		return err
	}
	return i.check(ctx)
}

func (i *importing) write(ctx context.Context) error {
	var stop func()
	i.seals.next, stop = iter.Pull2(i.old.Seals(ctx))
	defer stop()
	i.boots.next, stop = iter.Pull2(i.old.Boots(ctx))
	defer stop()
	if err := errors.Join(i.seals.advance(), i.boots.advance()); err != nil {
		return err
	}
	for r, err := range i.old.Records(ctx) {
		if err != nil {
			return err
		}
		if err := i.record(&r); err != nil {
			return err
		}
	}
	return i.rest(ctx)
}

func (i *importing) record(r *sqlitejournal.Record) error {
	if err := i.begin(r.Seq); err != nil {
		return err
	}
	entry := r.Entry
	if !bytes.Equal(entry.Rules, i.rules) {
		i.rules = entry.Rules
		entry.RulesText = builtText(entry.Rules)
	}
	i.entries = append(i.entries, entry)
	if i.seals.more && i.seals.row.Seq == r.Seq {
		i.sealed = append(i.sealed, journal.Seal(i.seals.row))
		if err := i.seals.advance(); err != nil {
			return err
		}
	}
	if len(i.entries) >= batchLeast && len(r.Carry) > 0 || len(i.entries) == batchMost {
		i.progress(r.Seq, i.taken.Records)
		return i.flush()
	}
	return nil
}

// begin begins the boots whose first record is at or before seq.
func (i *importing) begin(seq uint64) error {
	for i.boots.more && i.boots.row.FirstRecord <= seq {
		if err := i.flush(); err != nil {
			return err
		}
		if err := i.sink.Boot(i.boots.row.Number, i.boots.row.Program); err != nil {
			return err
		}
		if err := i.boots.advance(); err != nil {
			return err
		}
	}
	return nil
}

func (i *importing) flush() error {
	if len(i.entries) == 0 {
		return nil
	}
	err := i.sink.Append(i.entries, i.sealed)
	i.entries, i.sealed = i.entries[:0], i.sealed[:0]
	return err
}

// rest writes what comes after the last record.
func (i *importing) rest(ctx context.Context) error {
	if err := i.begin(i.taken.Records + 1); err != nil {
		return err
	}
	if err := i.flush(); err != nil {
		return err
	}
	for c, err := range i.old.Cursors(ctx) {
		if err != nil {
			return err
		}
		if err := i.sink.Cursor(c.Name, c.Event); err != nil {
			return err
		}
	}
	return nil
}

// check reads the new journal from disk, rebuilds the old records from it, and compares
// the two chains at every record. As a hash covers everything in a record, nothing can be
// missing where they agree.
func (i *importing) check(ctx context.Context) error {
	chain := sqlitejournal.NewChain(i.old.ID())
	next, stop := iter.Pull2(i.old.Records(ctx))
	defer stop()
	var inForce []byte
	for r, err := range i.sink.Records() {
		if err != nil {
			return fmt.Errorf("the new journal cannot be read back: %w", err)
		}
		if len(r.Rules) > 0 {
			inForce = bytes.Clone(r.Rules) // a journal names them where they take effect
		}
		r.Rules = inForce
		was, err, more := next()
		if err != nil {
			return err
		}
		if again := chain.Add(&r.Entry, r.Boot); !more || again.Hash != was.Hash || r.Seq != was.Seq || r.FirstEvent != was.FirstEvent {
			return fmt.Errorf("record %d would not be the same in the new journal as in the old one: report this, and keep the old file", r.Seq)
		}
	}
	if chain.Hash() != i.taken.Hash {
		return errors.New("the new journal would lack the last records: report this, and keep the old file")
	}
	return nil
}

// builtText returns the text of built-in rules, which the old format did not keep; nil for
// a house's own.
func builtText(fingerprint []byte) []byte {
	for _, house := range profile.Built() {
		if house.Fingerprint == hex.EncodeToString(fingerprint) {
			return house.Text()
		}
	}
	return nil
}
