package runner

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/vocab"
)

// DiffersError is a record that cannot be replayed as it was recorded.
type DiffersError struct {
	// Seq is the record's number.
	Seq uint64
	// Found says in a few words what differs, for the people at the table.
	Found string
	// Recorded is the recorded answer, and Now this program's; both are empty if it has
	// none, and then Err says why.
	Recorded, Now string
	Err           error
}

// Error names the record and everything that differs.
func (e *DiffersError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("record %d of the journal cannot be replayed: %v", e.Seq, e.Err)
	}
	return fmt.Sprintf("record %d of the journal cannot be replayed: the record has\n%sbut the rules and the engine "+
		"of this version answer\n%s", e.Seq, e.Recorded, e.Now)
}

// Unwrap returns Err.
func (e *DiffersError) Unwrap() error { return e.Err }

func otherAnswer(rec *journal.Record, now []byte) *DiffersError {
	return &DiffersError{
		Seq: rec.Seq, Found: fmt.Sprintf("record %d is answered differently than it was", rec.Seq),
		Recorded: string(rec.Outputs), Now: string(now),
	}
}

func unknownInput(seq uint64, why error) *DiffersError {
	return &DiffersError{
		Seq: seq, Found: fmt.Sprintf("record %d is not an input that this version knows", seq),
		Err: fmt.Errorf("it is not an input that this version knows: %w", why),
	}
}

func unknownRules(in *vocab.Input, why error) *DiffersError {
	return &DiffersError{
		Seq: in.Line, Found: fmt.Sprintf("the rules of %s %.12s are not known", in.Setup.House, in.Setup.Profile),
		Err: fmt.Errorf("a round was played by rules that cannot be used: %w", why),
	}
}

func unreadCarry(seq uint64, why error) *DiffersError {
	return &DiffersError{
		Seq: seq, Found: fmt.Sprintf("the checkpoint in record %d cannot be read", seq),
		Err: fmt.Errorf("its checkpoint cannot be read: %w; keep the journal for the auditor", why),
	}
}

// Doubts are the inputs that the runner must put in first: see Options.
func (r *Restored) Doubts() []vocab.Input {
	if r.Differs == nil {
		return nil
	}
	return []vocab.Input{Doubt(vocab.StorageDiffers, r.Differs.Found)}
}

// mostFound limits the text of a doubt, in bytes: a text of a transcript, between its
// quotation marks.
const mostFound = 98

// Doubt is the input that holds the table for a supervisor, since its record is in doubt:
// event is one that Holds. found says what was found, for the reader, and may be empty;
// characters that a line of a transcript cannot have are left out.
func Doubt(event vocab.StorageEvent, found string) vocab.Input {
	found = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(found, ""), separates), " ")
	for len(found) > mostFound {
		_, last := utf8.DecodeLastRuneInString(found)
		found = found[:len(found)-last]
	}
	return vocab.Input{Kind: vocab.InStorage, Storage: event, Code: strings.TrimSpace(found), Origin: byProgram}
}

// separates is true for spaces, for characters that cannot be printed, and for those that
// JSON must escape.
func separates(r rune) bool {
	return r == '"' || r == '\\' || r == ' ' || !unicode.IsPrint(r)
}
