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
func printTranscript(_ context.Context, args []string, e env) error {
	return eachLine("journal transcript", args, e, func(out *bufio.Writer, r journal.Record) {
		out.Write(r.Input)
		out.WriteByte('\n')
	})
}

// printEvents prints the outputs of a journal as they were recorded.
func printEvents(_ context.Context, args []string, e env) error {
	return eachLine("journal events", args, e, func(out *bufio.Writer, r journal.Record) { out.Write(r.Outputs) })
}

// eachLine prints lines of a journal as JSON.
func eachLine(name string, args []string, e env, print func(*bufio.Writer, journal.Record)) error {
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	raw := rawFlag(set)
	path, err := one(set, args, "journal", e)
	if err != nil {
		return err
	}
	return jsonTo(e, *raw, func(w io.Writer) error {
		return readRecords(path, w, print, func(*bufio.Writer) error { return nil })
	})
}

// eachRecord calls print for each record of the journal in args, and end after the last.
func eachRecord(name string, args []string, e env, print func(*bufio.Writer, journal.Record),
	end func(*bufio.Writer) error,
) error {
	path, err := one(flag.NewFlagSet(name, flag.ContinueOnError), args, "journal", e)
	if err != nil {
		return err
	}
	return readRecords(path, e.out, print, end)
}

func readRecords(path string, w io.Writer, print func(*bufio.Writer, journal.Record),
	end func(*bufio.Writer) error,
) error {
	j, err := journal.OpenReadOnly(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w) // keeps its first error for Flush
	for record, err := range j.Records(1) {
		if err != nil {
			return errors.Join(err, out.Flush(), j.Close())
		}
		print(out, record)
	}
	return errors.Join(end(out), out.Flush(), j.Close())
}

// verify checks a journal's numbers and hashes from the first record on, and prints the
// last one: noted where nobody can change it, it proves later that nothing was cut off.
func verify(ctx context.Context, args []string, e env) error {
	path, err := one(flag.NewFlagSet("journal verify", flag.ContinueOnError), args, "journal", e)
	if err != nil {
		return err
	}
	j, err := journal.OpenReadOnly(path)
	if err != nil {
		return err
	}
	err = j.Verify(ctx, nil)
	last, hash, headErr := j.Head()
	if err := errors.Join(err, headErr, j.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.out,
		"%s: every record is in its place, and the chain of hashes is intact\nlast record %d, hash %x\n", path,
		last, hash)
	return err
}
