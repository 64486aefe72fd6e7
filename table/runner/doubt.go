package runner

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/vocab"
)

// DiffersError is something on record that cannot be played again as it was recorded.
type DiffersError struct {
	// Seq is the record's number.
	Seq uint64
	// Found says in a few words what differs, for those who stand at the table.
	Found string
	// Recorded is what was answered, and Now what this program answers; both are empty
	// where it has no answer, and Err says why.
	Recorded, Now string
	Err           error
}

// Error says which record it is, and all that differs.
func (e *DiffersError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("record %d of the journal cannot be played again: %v", e.Seq, e.Err)
	}
	return fmt.Sprintf("record %d of the journal cannot be played again: recorded was\n%sbut the rules and the engine of this version answer\n%s", e.Seq, e.Recorded, e.Now)
}

// Unwrap returns Err.
func (e *DiffersError) Unwrap() error { return e.Err }

func otherAnswer(rec *journal.Record, now []byte) *DiffersError {
	return &DiffersError{
		Seq: rec.Seq, Found: fmt.Sprintf("record %d is answered otherwise than it was", rec.Seq),
		Recorded: string(rec.Outputs), Now: string(now),
	}
}

func unknownInput(seq uint64, why error) *DiffersError {
	return &DiffersError{
		Seq: seq, Found: fmt.Sprintf("record %d is no input that this version knows", seq),
		Err: fmt.Errorf("it is no input that this version knows: %w", why),
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

// Doubts are what the runner has to put in first: see Options.
func (r *Restored) Doubts() []vocab.Input {
	if r.Differs == nil {
		return nil
	}
	return []vocab.Input{Doubt(vocab.StorageDiffers, r.Differs.Found)}
}

// mostFound bounds what a doubt says, in bytes: a text of a transcript, between its
// quotation marks.
const mostFound = 98

// Doubt is the input that holds the table for a supervisor, since its record is in doubt:
// event is one that Holds. found says what was found, for people, and may be empty; what
// no line of a transcript could say of it is left out.
func Doubt(event vocab.StorageEvent, found string) vocab.Input {
	found = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(found, ""), notSaid), " ")
	for len(found) > mostFound {
		_, last := utf8.DecodeLastRuneInString(found)
		found = found[:len(found)-last]
	}
	return vocab.Input{Kind: vocab.InStorage, Storage: event, Code: strings.TrimSpace(found)}
}

// notSaid is what JSON would write in more bytes than it has, and what is no sign.
func notSaid(r rune) bool {
	return r == '"' || r == '\\' || r == ' ' || !unicode.IsPrint(r)
}
