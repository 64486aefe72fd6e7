package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// replayFolder puts the inputs of a journal through the engine.
func replayFolder(ctx context.Context, path string, parser *transcript.Parser, w io.Writer) error {
	return withJournal(path, func(j *journal.Reader) error {
		p := newReplaying(parser, w)
		err := j.Walk(ctx, func(s *journal.Step) error {
			switch {
			case s.Fault != nil:
				return fmt.Errorf("%w; `sabot journal audit` lists everything that is wrong", s.Fault)
			case s.Rules != nil:
				p.learn(s.Rules)
			case s.Record != nil:
				return p.putLine(s.Record.Input, s.Record.Seq)
			}
			return nil
		})
		return errors.Join(err, p.out.Flush())
	})
}

// isPart reports whether the input begins as a part of a journal does. Standard input may
// be a part, too.
func isPart(from *bufio.Reader) (is bool, err error) {
	const header = `{"part":`
	begin, err := from.Peek(len(header))
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return string(begin) == header, nil
}

// replayPart puts the inputs of one part through the engine.
func replayPart(path string, from *bufio.Reader, parser *transcript.Parser, w io.Writer) error {
	line, err := from.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("the part's header is incomplete: %w", err)
	}
	var header journal.Header
	if err := json.Unmarshal(line, &header); err != nil {
		return fmt.Errorf("the part's header cannot be read: %w", err)
	}
	p := newReplaying(parser, w)
	var carry []byte
	if header.Before != 0 {
		if carry, err = carriedInto(path, &header); err != nil {
			return err
		}
	}
	err = p.part(from, &header, carry)
	return errors.Join(err, p.out.Flush())
}

// carriedInto returns what the table carried into a part that begins between two rounds.
// It is in the lines that the part's header repeats, or in the parts before it.
func carriedInto(path string, h *journal.Header) ([]byte, error) {
	if h.Setup == nil || h.Checkpoint != h.Record {
		return nil, fmt.Errorf("part %d begins in the middle of round %d: begin with part %d, or give the whole folder",
			h.Part, h.Round, h.Before)
	}
	for line := range bytes.Lines([]byte(h.Again)) {
		var closing struct {
			Record uint64
			Carry  json.RawMessage
		}
		if json.Unmarshal(line, &closing) == nil && closing.Record == h.Checkpoint {
			return closing.Carry, nil
		}
	}
	j, err := journal.OpenReadOnly(filepath.Dir(path))
	if err == nil {
		defer j.Close()
		for rec, failed := range j.Records(h.Checkpoint) {
			if failed == nil && j.ID() == h.Journal {
				return rec.Carry, nil
			}
			err = failed
			break
		}
	}
	return nil,
		errors.Join(fmt.Errorf("what the table carried into part %d is in part %d: begin with that, or give the "+
			"whole folder", h.Part, h.Before), err)
}

// replaying is a replay under way.
type replaying struct {
	parser *transcript.Parser
	book   profile.Book
	tab    *table.Table
	out    *bufio.Writer // keeps its first error for Flush
	line   []byte
}

func newReplaying(parser *transcript.Parser, w io.Writer) *replaying {
	return &replaying{parser: parser, book: parser.Book, tab: &table.Table{}, out: bufio.NewWriter(w)}
}

// learn adds rules whose text is in the journal. Where this program has the same house
// with other rules, a set-up says by the fingerprint which it means.
func (p *replaying) learn(text []byte) {
	if own, err := profile.FromText(text); err == nil {
		p.book = p.book.With(own)
	}
}

// parse reads an input, by the rules in the journal where it needs them.
func (p *replaying) parse(line []byte, number uint64) (vocab.Input, error) {
	in, err := p.parser.Parse(line, number)
	if err == nil || p.parser.House != "" {
		return in, err
	}
	known := p.parser.Book
	p.parser.Book = p.book
	defer func() { p.parser.Book = known }()
	if in, err := p.parser.Parse(line, number); err == nil {
		return in, nil
	}
	return in, err
}

// putLine puts an input into the engine, and writes what follows.
func (p *replaying) putLine(line []byte, number uint64) error {
	in, err := p.parse(line, number)
	if err != nil {
		return fmt.Errorf("record %d: %w", number, err)
	}
	outs := p.tab.Step(&in)
	for i := range outs {
		p.line = append(transcript.AppendOutput(p.line[:0], &outs[i]), '\n')
		p.out.Write(p.line)
	}
	return nil
}

// resume makes the table from what it carried into a part.
func (p *replaying) resume(h *journal.Header, carry []byte) error {
	in, err := p.parse(h.Setup.Input, h.Setup.Record)
	if err != nil {
		return fmt.Errorf("the set-up in the header of part %d: %w", h.Part, err)
	}
	var carried table.Carry
	if err := json.Unmarshal(carry, &carried); err != nil || in.Rules == nil {
		return errors.Join(fmt.Errorf("what the table carried into part %d cannot be read: begin with part %d", h.Part,
			h.Before), err)
	}
	p.tab = table.Resume(in.Rules, carried)
	return nil
}

// mostLine limits the length of a part's line in bytes, as the journal does.
const mostLine = 4 << 20

// part puts the inputs of a part into the engine, and skips everything else. An input
// counts only if the line that closes its record is there.
func (p *replaying) part(from io.Reader, h *journal.Header, carry []byte) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, mostLine)
	var input []byte
	resumed := carry == nil
	number := h.Record
	for lines.Scan() {
		line := lines.Bytes()
		switch {
		case bytes.HasPrefix(line, []byte(`{"rules":`)):
			var text struct{ Text json.RawMessage }
			if json.Unmarshal(line, &text) == nil {
				p.learn(text.Text)
			}
		case bytes.HasPrefix(line, []byte(`{"in":`)):
			input = append(input[:0], line...)
		case bytes.HasPrefix(line, []byte(`{"record":`)) && len(input) > 0 && bytes.HasSuffix(line, []byte(`"}`)):
			if !resumed { // the rules that it may need come after the header
				if err := p.resume(h, carry); err != nil {
					return err
				}
				resumed = true
			}
			number++
			if err := p.putLine(input, number); err != nil {
				return err
			}
			input = input[:0]
		}
	}
	return lines.Err()
}

// isFolder reports whether a path is a folder.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
