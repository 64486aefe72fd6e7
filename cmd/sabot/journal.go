package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/sabot-table/sabot/table/journal"
)

// printTranscript prints the inputs of a journal: replayed, they give its events.
func printTranscript(_ context.Context, set *flag.FlagSet, args []string, e env) error {
	return eachLine(set, args, e, func(out *bufio.Writer, r journal.Record) {
		out.Write(r.Input)
		out.WriteByte('\n')
	})
}

// printEvents prints the outputs of a journal as they were recorded.
func printEvents(_ context.Context, set *flag.FlagSet, args []string, e env) error {
	return eachLine(set, args, e, func(out *bufio.Writer, r journal.Record) { out.Write(r.Outputs) })
}

// eachLine prints lines of a journal as JSON.
func eachLine(set *flag.FlagSet, args []string, e env, print func(*bufio.Writer, journal.Record)) error {
	raw := rawFlag(set)
	path, err := one(set, args, "journal", e)
	if err != nil {
		return err
	}
	return jsonTo(e, *raw, func(w io.Writer) error {
		return readRecords(path, w, print, func(*bufio.Writer) error { return nil })
	})
}

// readRecords calls print for each record of a journal, and end after the last.
func readRecords(path string, w io.Writer, print func(*bufio.Writer, journal.Record),
	end func(*bufio.Writer) error,
) error {
	return withJournal(path, func(j *journal.Reader) error {
		out := bufio.NewWriter(w) // keeps its first error for Flush
		for record, err := range j.Records(1) {
			if err != nil {
				return errors.Join(err, out.Flush())
			}
			print(out, record)
		}
		return errors.Join(end(out), out.Flush())
	})
}

// withJournal opens a journal to be read, and closes it after that.
func withJournal(path string, read func(*journal.Reader) error) error {
	j, err := journal.OpenReadOnly(path)
	if err != nil {
		return err
	}
	err = read(j)
	if closing := j.Close(); closing != nil {
		return errors.Join(err, closing)
	}
	return err
}

// verify checks a journal's numbers and hashes from the first record on, and prints the
// last one: noted where nobody can change it, it proves later that nothing was cut off.
func verify(ctx context.Context, set *flag.FlagSet, args []string, e env) error {
	path, err := one(set, args, "journal", e)
	if err != nil {
		return err
	}
	var last uint64
	var hash [32]byte
	err = withJournal(path, func(j *journal.Reader) (err error) {
		wrong := j.Verify(ctx, nil)
		last, hash, err = j.Head()
		return errors.Join(wrong, err)
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.out,
		"%s: every record is in its place, and the chain of hashes is intact\nlast record %d, hash %x\n", path,
		last, hash)
	return err
}
