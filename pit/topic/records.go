package topic

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// MostRecords is about how many bytes an answer to a fetch has at most: it has more if one
// record is longer.
const MostRecords = 128 << 10

// Stream stands in the place of a reader's name for everybody who hears: there the table says its records by itself, as
// they become durable.
const Stream = "stream"

// The reasons of a Gap.
const (
	// GapUnused are numbers that no record of the journal has: it replaced another one, or an
	// earlier state of it was restored.
	GapUnused = "unused"
	// GapAway are records that were moved to an archive.
	GapAway = "away"
	// GapDamaged are records that cannot be read, or are not what was written.
	GapDamaged = "damaged"
)

// Fetch is what a reader sends that keeps a copy of the table's journal: the table answers with
// Records.
type Fetch struct {
	Reader  string `json:"reader" kind:"name" doc:"Who fetches: the answer comes under records/<reader>."`
	Journal string `json:"journal" kind:"id-or-none" doc:"The journal that the reader has records of; empty if it has none."`
	After   uint64 `json:"after" doc:"The last record of it that the reader has; 0 for none."`
}

// Records are records of a table's journal as they are there, in answer to a Fetch. All are of
// one start of the daemon.
type Records struct {
	Site    string              `json:"site" kind:"name" doc:"The house or hall."`
	Table   string              `json:"table" kind:"name" doc:"The table's name within its site."`
	Boot    uint64              `json:"boot" doc:"Number of the daemon's start that recorded these records; without any, of the present one."`
	Program string              `json:"program,omitempty" doc:"The program that recorded them, with its version."`
	Journal string              `json:"journal" kind:"id" doc:"The table's journal: 32 hexadecimal digits. If it is not the one that was asked for, the answer begins with its first record."`
	After   uint64              `json:"after" doc:"The record after which the answer begins."`
	Former  *Former             `json:"former,omitempty" doc:"The journal that this one replaces; only with the first records."`
	Gap     *Gap                `json:"gap,omitempty" doc:"Which records are missing between after and the first one here, and why; missing where none are."`
	Head    Head                `json:"head" doc:"The journal's last record. If it is lower than after, the journal was rolled back."`
	SetUp   *SetUp              `json:"setup,omitempty" doc:"The set-up in force before the first record; missing where that sets the table up, and on records/stream."`
	InForce string              `json:"in_force,omitempty" doc:"Fingerprint of the rules in force before the first record; missing before the first rules."`
	Rules   map[string]string   `json:"rules,omitempty" doc:"The text of those rules, and of those that come into force in these records, by their fingerprints."`
	Records [][]json.RawMessage `json:"records" kind:"frames" doc:"The records, in order: each is the lines of its frame, byte for byte."`
	Seals   []Seal              `json:"seals,omitempty" doc:"The seals after the record after, up to the last one here and right after it."`
}

// Former is a journal that another one replaces.
type Former struct {
	Journal string `json:"journal,omitempty" doc:"Its name; missing if that cannot be read."`
	Record  uint64 `json:"record" doc:"Its last record that could be read."`
	Event   uint64 `json:"event" doc:"Its last event that could be read."`
	Hash    string `json:"hash,omitempty" doc:"The hash of that record."`
	Why     string `json:"why" doc:"Why it was not continued."`
}

// Gap is records that an answer leaves out, both ends included.
type Gap struct {
	First uint64 `json:"first" kind:"positive" doc:"The first of them."`
	Last  uint64 `json:"last" kind:"positive" doc:"The last of them: ask for those after it."`
	Why   string `json:"why" enum:"unused,away,damaged" doc:"unused: no record of this journal has these numbers; away: they are in the table's archive; damaged: they cannot be read, or are not what was written."`
	Text  string `json:"text" doc:"What is wrong, where, and what to do."`
}

// SetUp is an input that set the table up.
type SetUp struct {
	Record uint64          `json:"record" doc:"The number of its record."`
	Input  json.RawMessage `json:"input" kind:"object" doc:"The input, as transcripts have it."`
}

// Seal is a signature under everything before it, as table/journal/README.md defines it.
type Seal struct {
	Seal      uint64 `json:"seal" doc:"The last record before the seal."`
	Under     string `json:"under" kind:"hash" doc:"The hash of the frame right before the seal."`
	At        int64  `json:"at" doc:"When it was signed, in Unix nanoseconds, by the table's clock."`
	Key       string `json:"key" doc:"The public half of the key that signed: ed25519: and 64 hexadecimal digits."`
	Signature string `json:"signature" doc:"The signature, in hexadecimal digits."`
}

// AppendFetch appends the message to dst and returns it.
func AppendFetch(dst []byte, f Fetch) []byte { return appendMessage(dst, &f) }

// AppendRecords appends the message to dst and returns it.
func AppendRecords(dst []byte, r Records) []byte { return appendMessage(dst, &r) }

// ParseFetch reads a fetch, and checks its names.
func ParseFetch(payload []byte) (Fetch, error) {
	var f Fetch
	if err := json.Unmarshal(payload, &f); err != nil {
		return Fetch{}, err
	}
	if err := validName("reader", f.Reader); err != nil {
		return Fetch{}, err
	}
	if f.Reader == Stream {
		return Fetch{}, fmt.Errorf("a reader is called %s, as what the table says to all", Stream)
	}
	if f.Journal != "" && !isHex(f.Journal, 16) {
		return Fetch{}, fmt.Errorf("journal %q is not 32 hexadecimal digits", f.Journal)
	}
	return f, nil
}

// ParseRecords reads an answer, and checks that its records are whole and follow each other, and
// that rules have their fingerprint. It cannot check the hashes: they also cover what comes
// between records.
func ParseRecords(payload []byte) (Records, error) {
	var r Records
	if err := json.Unmarshal(payload, &r); err != nil {
		return Records{}, err
	}
	if err := r.check(); err != nil {
		return Records{}, fmt.Errorf("the records of %s/%s after %d: %w", r.Site, r.Table, r.After, err)
	}
	return r, nil
}

func (r *Records) check() error {
	if _, err := NewTable(r.Site, r.Table); err != nil {
		return err
	}
	if !isHex(r.Journal, 16) || r.Head.ID != r.Journal || !isHex(r.Head.Hash, sha256.Size) {
		return errors.New("the journal, or its head, has no name or no hash")
	}
	if err := r.bounded(); err != nil {
		return err
	}
	next := r.After + 1
	if g := r.Gap; g != nil {
		if g.First != next || g.Last < g.First {
			return fmt.Errorf("the gap from %d to %d does not begin there", g.First, g.Last)
		}
		next = g.Last + 1
	}
	for _, lines := range r.Records {
		number, err := checkFrame(lines)
		if err == nil && number != next {
			err = fmt.Errorf("it has the number %d", number)
		}
		if err == nil && number > r.Head.Record {
			err = fmt.Errorf("the journal ends with %d", r.Head.Record)
		}
		if err != nil {
			return fmt.Errorf("record %d: %w", next, err)
		}
		next++
	}
	for fingerprint, text := range r.Rules {
		if sum := sha256.Sum256([]byte(text)); hex.EncodeToString(sum[:]) != fingerprint {
			return fmt.Errorf("the text of the rules %s does not fit their fingerprint", fingerprint)
		}
	}
	return nil
}

// MostNumber is the highest number that a record, an event or a start has: all who count with JSON know it exactly.
const MostNumber = 1 << 53

// Check refuses a head that names no journal, no hash, or a record that cannot be.
func (h Head) Check() error {
	if !isHex(h.ID, 16) || !isHex(h.Hash, sha256.Size) || h.Record > MostNumber {
		return fmt.Errorf("record %d of the journal %.40q with the hash %.80q is the end of none", h.Record,
			h.ID, h.Hash)
	}
	return nil
}

// Acknowledged is the last event that the broker has.
func (j *Journal) Acknowledged() uint64 {
	return j.LastSequence - min(j.LastSequence, j.Unacknowledged)
}

// CheckJournal refuses a head that cannot be, and numbers that no journal has.
func (h *Health) CheckJournal() error {
	j := &h.Journal
	most := max(h.Boot, j.LastSequence, j.Away)
	if b := j.Began; b != nil {
		most = max(most, b.Acknowledged, b.Away)
	}
	if most > MostNumber {
		return fmt.Errorf("the number %d is none of a journal", most)
	}
	if j.Head == nil {
		return nil
	}
	return j.Head.Check()
}

// bounded refuses numbers that no journal has, and texts that no database keeps.
func (r *Records) bounded() error {
	most, texts := max(r.After, r.Head.Record, r.Boot), []string{r.Program, r.InForce}
	if g := r.Gap; g != nil {
		most, texts = max(most, g.First, g.Last), append(texts, g.Why, g.Text)
	}
	if f := r.Former; f != nil {
		most, texts = max(most, f.Record, f.Event), append(texts, f.Journal, f.Hash, f.Why)
	}
	if s := r.SetUp; s != nil {
		most = max(most, s.Record)
	}
	for i := range r.Seals {
		most = max(most, r.Seals[i].Seal)
	}
	for fingerprint, text := range r.Rules {
		texts = append(texts, fingerprint, text)
	}
	if most > MostNumber {
		return fmt.Errorf("the number %d is none of a journal", most)
	}
	if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, "\x00") }) {
		return errors.New("a text has a NUL")
	}
	return nil
}

// Last is the last record here, or the one after which nothing is here.
func (r *Records) Last() uint64 {
	last := r.After
	if r.Gap != nil {
		last = r.Gap.Last
	}
	return last + uint64(len(r.Records))
}

// Frame is the text of the i-th record as the journal has it: lines, each with its newline.
func (r *Records) Frame(i int) []byte {
	var text []byte
	for _, line := range r.Records[i] {
		text = append(append(text, line...), '\n')
	}
	return text
}

// SplitFrame takes the text of a record, as the journal has it, apart into its lines.
func SplitFrame(text []byte) (lines []json.RawMessage) {
	for line := range bytes.Lines(text) {
		lines = append(lines, json.RawMessage(bytes.TrimSuffix(line, newline)))
	}
	return lines
}

var newline = []byte{'\n'}

// checkFrame checks that lines are those of a record, and returns its number.
func checkFrame(lines []json.RawMessage) (number uint64, err error) {
	for i, line := range lines {
		begin := `{"out":`
		switch i {
		case 0:
			begin = `{"in":`
		case len(lines) - 1:
			begin = `{"record":`
		}
		if !bytes.HasPrefix(line, []byte(begin)) || bytes.Contains(line, newline) {
			return 0, fmt.Errorf("line %d does not begin with %s, or is not one line", i+1, begin)
		}
	}
	if len(lines) < 2 {
		return 0, errors.New("it has fewer than two lines")
	}
	closing := lines[len(lines)-1][len(`{"record":`):]
	digits, _, _ := bytes.Cut(closing, []byte{','})
	if number, err = strconv.ParseUint(string(digits), 10, 64); err != nil {
		return 0, errors.New("its last line has no number")
	}
	_, hash, found := bytes.Cut(closing[max(0, len(closing)-len(`,"hash":""}`)-2*sha256.Size):], []byte(`,"hash":"`))
	if !found || !isHex(string(bytes.TrimSuffix(hash, []byte(`"}`))), sha256.Size) {
		return 0, errors.New("its last line does not end with a hash")
	}
	return number, nil
}

// isHex reports whether a text is so many bytes in lower-case hexadecimal digits.
func isHex(text string, size int) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && len(raw) == size && hex.EncodeToString(raw) == text
}
