package journal

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/table/journal/disk"
)

// PartsEnd is the end of the name of the file beside the journal that says what the last look at the parts found.
const PartsEnd = ".parts"

// known is what a look at the finished parts found, so that the next start sees by names and sizes alone which of them
// are not as they were. It may be thrown away at any time, and proves nothing: where it differs from the folder, the
// headers say what is so, and where somebody has changed it, the look at all parts after the start does.
type known struct {
	// sizes are those of the files that were as the headers behind them say.
	sizes map[string]int64
	// notes are the parts that have the notes of parts that were moved away.
	notes map[uint64]uint64
}

func newKnown() *known { return &known{map[string]int64{}, map[uint64]uint64{}} }

// all reports whether these parts are what is known, and nothing else is.
func (k *known) all(s *shelf, numbers []uint64) bool {
	missing := func(number uint64) bool { _, is := k.sizes[s.name(number)]; return !is }
	return len(k.sizes) > 0 && len(k.sizes) == len(numbers) && !slices.ContainsFunc(numbers, missing)
}

// since is the part after which a note must be that says that a part was moved away: the part itself, or the newest of
// those among which it was seen.
func (k *known) since(number uint64) uint64 {
	plain := partName(number)
	_, there := k.sizes[plain]
	_, packed := k.sizes[strings.TrimSuffix(plain, partEnd)+packedEnd]
	if !there && !packed {
		return number
	}
	for name := range k.sizes {
		if seen, _, part := partNumber(name); part {
			number = max(number, seen)
		}
	}
	return number
}

// knownBegin and knownAway begin its first line, and those of notes. The others begin with the name of a part.
const (
	knownBegin = "sabot journal parts "
	knownAway  = "away "
)

// text is what its file has.
func (k *known) text(id string) []byte {
	b := append([]byte(knownBegin), id...)
	for _, name := range slices.Sorted(maps.Keys(k.sizes)) {
		b = strconv.AppendInt(append(append(append(b, '\n'), name...), ' '), k.sizes[name], 10)
	}
	for _, number := range slices.Sorted(maps.Keys(k.notes)) {
		b = fmt.Appendf(b, "\n%s%d %d", knownAway, number, k.notes[number])
	}
	return append(b, '\n')
}

// parseKnown reads such a text as far as it can be read: what it lacks is looked at.
func parseKnown(text []byte, id string) *known {
	k := newKnown()
	begin, rest, _ := bytes.Cut(text, newline)
	if string(begin) != knownBegin+id {
		return k
	}
	for line := range bytes.Lines(rest) {
		words, note := strings.CutPrefix(strings.TrimSuffix(string(line), "\n"), knownAway)
		name, number, _ := strings.Cut(words, " ")
		value, err := strconv.ParseInt(number, 10, 64)
		part, wrong := strconv.ParseUint(name, 10, 63)
		switch {
		case err != nil || value < 0 || note && wrong != nil:
		case note:
			k.notes[part] = uint64(value)
		default:
			k.sizes[name] = value
		}
	}
	return k
}

// knownFile is the file beside the journal.
type knownFile struct {
	on   disk.Disk
	name string
}

func newKnownFile(on disk.Disk, path string) knownFile {
	return knownFile{on, filepath.Base(path) + PartsEnd}
}

// read is what the last look found; nothing where that cannot be read.
func (f knownFile) read(id string) *known {
	text, err := readFile(f.on, f.name)
	if err != nil {
		return newKnown()
	}
	return parseKnown(text, id)
}

// keep replaces it. A power cut may leave it empty or cut off, which costs the next start a few headers.
func (f knownFile) keep(k *known, id string) error {
	file, err := draft(f.on, f.name, k.text(id), false)
	if err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return f.on.Rename(f.name+draftEnd, f.name)
}

// owns reports whether a file is this one, whole or not.
func (f knownFile) owns(name string) bool { return strings.TrimSuffix(name, draftEnd) == f.name }
