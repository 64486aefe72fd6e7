package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/audit/witness"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
)

// errNotWell ends a command that found faults and printed them: run prints nothing more.
var errNotWell = errors.New("the journal is not well")

// auditFlags are the flags of sabot journal audit.
type auditFlags struct {
	key, codes  string
	houses      []string
	noted       string
	witness     string
	round       uint64
	json, quiet bool
	everySeal   bool
}

// auditJournal checks a journal from its first input on.
func auditJournal(ctx context.Context, set *flag.FlagSet, args []string, e env) error {
	var f auditFlags
	set.StringVar(&f.key, "key", "", "the `file` with the line that sabot key journal printed for this table")
	set.StringVar(&f.codes, "audit-key", "",
		"the `file` with what sabot key audit printed for this table: checks the code of every line")
	several(set, &f.houses, "house", "a house's own `file` whose rules were played; may be given several times")
	set.StringVar(&f.noted, "noted", "", "`number:hash` of a record, noted elsewhere while it was the last one")
	set.StringVar(&f.witness, "witness", "",
		"the `file` that sabot-pit witness wrote of this table: compares the journal with what the pit heard")
	set.Uint64Var(&f.round, "round",
		0, "check nothing: print all records of this `round`, and mark what does not follow")
	set.BoolVar(&f.everySeal, "every-seal", false,
		"check the signature of every seal, not just of one in 256, which vouches for those before it")
	set.BoolVar(&f.json, "json", false, "print the report as JSON")
	set.BoolVar(&f.quiet, "quiet", false, "print nothing but faults")
	path, err := one(set, args, "journal", e)
	if err != nil {
		return err
	}
	o, err := f.options()
	if err != nil {
		return err
	}
	return withJournal(path, func(j *journal.Reader) error { return f.run(ctx, j, o, path, e) })
}

func (f *auditFlags) run(ctx context.Context, j *journal.Reader, o audit.Options, path string, e env) error {
	if f.round > 0 {
		return audit.Dump(ctx, j, o, f.round, e.out)
	}
	var err error
	if o.Heard, err = heardOf(j.Path()); err != nil {
		return err
	}
	progress := terminal.NewBar(terminal.Raw(e.err), f.quiet)
	o.Progress = progress.Show
	report, err := audit.Run(ctx, j, o)
	progress.Clear()
	if err != nil {
		return err
	}
	if f.json {
		err = writeJSON(e, report)
	} else {
		err = report.WriteText(e.out, path, f.quiet)
	}
	if err == nil && !report.Well() {
		return errNotWell
	}
	return err
}

func writeJSON(e env, report *audit.Report) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(report); err != nil {
		return err
	}
	return jsonTo(e, false, func(w io.Writer) error {
		_, err := text.WriteTo(w)
		return err
	})
}

func (f *auditFlags) options() (o audit.Options, err error) {
	o.EverySeal = f.everySeal
	o.Book, o.Version = profile.Built(), "sabotd "+terminal.Version()
	if f.key != "" {
		if o.Key, err = journal.ReadPublicFile(f.key); err != nil {
			return o, err
		}
	}
	if f.codes != "" {
		if o.AuditKeys, err = journal.ReadAuditFile(f.codes); err != nil {
			return o, err
		}
	}
	for _, file := range f.houses {
		book, name, err := o.Book.Load(file)
		if err != nil {
			return o, unusable(err)
		}
		o.Houses = append(o.Houses, book[name])
	}
	if f.witness != "" {
		if o.Witness, err = witness.ReadFile(f.witness); err != nil {
			return o, err
		}
	}
	if f.noted != "" {
		o.Noted, err = parseNote(f.noted)
	}
	return o, err
}

// parseNote reads a record's number and hash, as verify, audit and the pit show them.
func parseNote(text string) (note audit.Note, err error) {
	number, digits, _ := strings.Cut(text, ":")
	seq, errNumber := strconv.ParseUint(number, 10, 63)
	hash, errHash := hex.DecodeString(digits)
	if errNumber != nil || errHash != nil || seq == 0 || len(hash) != len(note.Hash) {
		return note,
			errUsage("--noted takes a record's number and its hash, such as 1042:9f86…, with 64 hexadecimal digits")
	}
	return audit.Note{Seq: seq, Hash: [32]byte(hash)}, nil
}
