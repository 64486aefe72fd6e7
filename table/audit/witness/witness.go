// Package witness has the form in which a pit tells an auditor what it knows of a table's journals: docs/pit.md
// describes the file.
package witness

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// Format is the version of the form that this program writes. It reads no other.
const Format = 1

// Export is what a pit knows of a table.
type Export struct {
	Format int       `json:"witness"`
	Site   string    `json:"site"`
	Table  string    `json:"table"`
	At     time.Time `json:"at"`
	// Program wrote it.
	Program  string    `json:"program"`
	Journals []Journal `json:"journals"`
}

// Journal is what a pit knows of one journal of a table.
type Journal struct {
	ID string `json:"journal"`
	// Current says that the table wrote this one last.
	Current bool `json:"current,omitempty"`
	// Former is the journal that this one replaced, by its own word, and Why.
	Former string `json:"former,omitempty"`
	Why    string `json:"why,omitempty"`
	// Kept is the last record that the pit keeps, and Pruned the last one that it has removed since, by its retention.
	Kept   *Head  `json:"kept,omitempty"`
	Pruned uint64 `json:"pruned,omitempty"`
	// Gaps are records that the table could not give.
	Gaps []Gap `json:"gaps,omitempty"`
	// Heads are last records that the table told, in order.
	Heads []Head `json:"heads"`
	// Starts are what each start of the table's program said last, in order.
	Starts   []Start   `json:"starts"`
	Findings []Finding `json:"findings,omitempty"`
}

// Head is a record and its hash, and when it was heard by the table's clock.
type Head struct {
	Record uint64    `json:"record"`
	Hash   string    `json:"hash,omitempty"`
	At     time.Time `json:"at"`
}

// Gap is records that the table could not give, both ends included.
type Gap struct {
	First uint64 `json:"first"`
	Last  uint64 `json:"last"`
	Why   string `json:"why"`
}

// Start is what a start of the table's program said last.
type Start struct {
	Boot   uint64    `json:"boot"`
	At     time.Time `json:"at"`
	Record uint64    `json:"record"`
	// Acknowledged is the last event that the broker had, by the table's word, and Heard the last that the pit heard
	// itself.
	Acknowledged uint64 `json:"acknowledged"`
	Heard        uint64 `json:"heard"`
	// Away is the record after which the journal's folder began.
	Away uint64 `json:"away"`
	// Began is what the journal said when the program started, nil where it did not tell.
	Began *Began `json:"began,omitempty"`
	// Watched says that the pit was connected from then on until the next start was heard.
	Watched bool `json:"watched"`
}

// Sent is the last event of which the pit knows that it was sent.
func (s *Start) Sent() uint64 { return max(s.Acknowledged, s.Heard) }

// Began is what a journal said when a start of the program began.
type Began struct {
	Acknowledged uint64 `json:"acknowledged"`
	Away         uint64 `json:"away"`
}

// Finding is what the pit found to be wrong, or that a person accepted it.
type Finding struct {
	Kind   string    `json:"kind"`
	Record uint64    `json:"record"`
	What   string    `json:"what"`
	At     time.Time `json:"at"`
}

// Write writes an export.
func Write(w io.Writer, e *Export) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(e)
}

// most limits a file, in bytes: one with a head of each hour of ten years has 15 MiB.
const most = 64 << 20

// ReadFile reads an export.
func ReadFile(path string) (*Export, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	if len(text) > most {
		return nil,
			fmt.Errorf("%s: it has more than %d bytes, and is no witness of a table; write it anew with sabot-pit "+
				"witness", path, most)
	}
	e, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; write it anew with sabot-pit witness", path, err)
	}
	return e, nil
}

// Parse reads an export.
func Parse(text []byte) (*Export, error) {
	var e Export
	dec := json.NewDecoder(bytes.NewReader(text))
	if err := dec.Decode(&e); err != nil {
		return nil, fmt.Errorf("it is no witness of a table: %w", err)
	}
	switch {
	case e.Format != Format:
		return nil,
			fmt.Errorf("it is no witness of a table, or another version's: the form is %d, and this program knows %d",
				e.Format, Format)
	case dec.More():
		return nil, errors.New("it goes on after its end")
	}
	for i := range e.Journals {
		if err := e.Journals[i].check(); err != nil {
			return nil, err
		}
	}
	return &e, nil
}

func (j *Journal) check() error {
	for _, h := range j.Heads {
		if _, err := h.Sum(); err != nil || h.Record == 0 {
			return fmt.Errorf("the head %d of the journal %s is none", h.Record, j.ID)
		}
	}
	for i := 1; i < len(j.Starts); i++ {
		if j.Starts[i].Boot <= j.Starts[i-1].Boot {
			return fmt.Errorf("the starts of the journal %s are not in order", j.ID)
		}
	}
	return nil
}

// Sum is the head's hash.
func (h *Head) Sum() (sum [32]byte, err error) {
	if len(h.Hash) != 2*len(sum) {
		return sum, errors.New("it has no hash")
	}
	_, err = hex.Decode(sum[:], []byte(h.Hash))
	return sum, err
}

// Of finds a journal, nil if the pit does not know it.
func (e *Export) Of(id string) *Journal {
	for i := range e.Journals {
		if e.Journals[i].ID == id {
			return &e.Journals[i]
		}
	}
	return nil
}
