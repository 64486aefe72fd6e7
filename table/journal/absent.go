package journal

import (
	"bytes"
	"context"
	"fmt"
	"strings"
)

// absent says which parts are not in the folder although nothing says that they were moved away, and which files have a
// second name, by which they can be changed. A start finds these by names alone, but for parts that begin behind a gap.
func (j *Journal) absent(numbers []uint64) (found []string) {
	before := uint64(0)
	for _, number := range numbers {
		if number > before+1 {
			if what := j.gapBefore(numbers, number, before); what != "" {
				found = append(found, what)
			}
		}
		before = number
	}
	for _, number := range numbers {
		if name := j.shelf.name(number); j.watch.known[name].Links > 1 {
			found = append(found, name+" has a second name: somebody has linked it")
		}
	}
	return found
}

// gapBefore says what is missing between two parts that are there, "" for nothing.
func (j *Journal) gapBefore(numbers []uint64, number, before uint64) string {
	p, err := j.shelf.get(number)
	if err != nil {
		return fmt.Sprintf("part %d cannot be read", number)
	}
	if p.Before <= before {
		return "" // those between were abandoned
	}
	if _, moved := j.awayNote(numbers, p.Before); moved {
		return ""
	}
	return fmt.Sprintf("part %d is missing, and nothing says that it was moved away", p.Before)
}

// Inspect looks at the files of all finished parts, and has Found tell which are not as the headers behind them say: it
// reads each header, and is meant for the time after a start, beside the dealing.
func (j *Journal) Inspect(ctx context.Context) error {
	numbers, err := j.numbers()
	if err != nil {
		return fault("look at the parts", j.path, err)
	}
	var found []string
	for i := range numbers {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if what := j.unlike(numbers, i); what != "" {
			found = append(found, what)
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.found = append(j.found, found...)
	return nil
}

// unlike says what is wrong with the file of a part, "" for nothing.
func (j *Journal) unlike(numbers []uint64, i int) string {
	name := j.shelf.name(numbers[i])
	p, err := j.shelf.get(numbers[i])
	if err != nil {
		return fmt.Sprintf("%s cannot be read: %v", name, err)
	}
	if counts, err := j.shelf.counts(numbers, i); err != nil || !counts {
		return ""
	}
	next, err := j.shelf.next(numbers, i)
	if err != nil || next == nil || next.Before != p.Part || next.Lost != "" {
		return ""
	}
	if strings.HasSuffix(name, packedEnd) {
		return ""
	}
	info, err := j.disk.Stat(name)
	switch {
	case notThere(err):
		return "" // it was packed or moved just now
	case err != nil:
		return fmt.Sprintf("%s cannot be looked at: %v", name, err)
	case info.Size < next.Ends, info.Size > next.Ends+next.Over:
		return fmt.Sprintf("%s has %d bytes, and part %d says that it ends at byte %d", name, info.Size, next.Part, next.Ends)
	}
	return j.doubled(name)
}

// doubled says whether a compressed part lies beside the part with another content: a start that was interrupted while it
// packed leaves the same.
func (j *Journal) doubled(name string) string {
	packed := strings.TrimSuffix(name, partEnd) + packedEnd
	text, err := readFile(j.disk, packed)
	if notThere(err) {
		return ""
	}
	if err == nil {
		text, err = unpack(bytes.NewReader(text))
	}
	plain, failed := readFile(j.disk, name)
	if err != nil || failed != nil || !bytes.Equal(text, plain) {
		return packed + " lies beside " + name + ", and holds something else"
	}
	return ""
}
