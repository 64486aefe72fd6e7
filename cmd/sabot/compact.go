package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/sabot-table/sabot/cmd/internal/bar"
	"github.com/sabot-table/sabot/cmd/internal/visible"
	"github.com/sabot-table/sabot/table/transcript"
)

// compact writes a transcript compressed with zstd.
func compact(_ context.Context, args []string, e env) error {
	path, err := one(flag.NewFlagSet("compact", flag.ContinueOnError), args, "transcript", e)
	if err != nil {
		return err
	}
	if bar.ToTerminal(visible.Raw(e.out)) {
		return errUsage("compact writes bytes that a terminal cannot show: send them to a file, with > FILE")
	}
	return convert(path, transcript.Compact, visible.Raw(e.out), e)
}

// expand writes a transcript as JSON lines.
func expand(_ context.Context, args []string, e env) error {
	set := flag.NewFlagSet("expand", flag.ContinueOnError)
	raw := rawFlag(set)
	most := set.Int64("most", transcript.MostExpanded, "the `number` of bytes at which it stops")
	path, err := one(set, args, "transcript", e)
	if err != nil {
		return err
	}
	to := func(r io.Reader, w io.Writer) error { return transcript.Expand(r, w, *most) }
	return jsonTo(e, *raw, func(w io.Writer) error { return convert(path, to, w, e) })
}

// convert reads a transcript, packed or not, and writes it packed or unpacked.
func convert(path string, to func(io.Reader, io.Writer) error, w io.Writer, e env) error {
	file, err := open(path, e)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := to(file, w); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
