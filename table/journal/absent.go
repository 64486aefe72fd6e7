package journal

import (
	"bytes"
	"context"
	"fmt"
	"strings"
)

// What a start looks at before anybody deals, however many parts there are. The look at all parts after it has no
// limits.
const (
	// mostSuspects is how many parts are compared with the headers behind them.
	mostSuspects = 16
	// mostNotes is how many parts are read for the note of one that is missing.
	mostNotes = 4
)

// absent says which parts are not in the folder although nothing says that they were moved away, which files have a
// second name, by which they can be changed, and which have another size than they should. A start finds these by names
// and sizes alone: it reads the headers of parts that are not as the last look left them, and of those behind a gap.
func (j *Journal) absent(numbers []uint64) (found []string) {
	was := j.knownFile.read(j.id)
	j.noted.learn(was.notes)
	read := 0
	found = j.gaps(numbers, was, func() bool { read++; return read <= mostNotes })
	for _, number := range numbers {
		if name := j.shelf.name(number); j.watch.known[name].Links > 1 {
			found = append(found, linked(name, j.watch.known[name].Links))
		}
	}
	found = append(found, j.withoutAside(j.state().aside)...)
	looks := 0
	for i := len(numbers) - 2; i >= 0 && looks < mostSuspects; i-- {
		name := j.shelf.name(numbers[i])
		size, known := was.sizes[name]
		if known && size == j.watch.known[name].Size || !known && strings.HasSuffix(name, packedEnd) {
			continue
		}
		looks++
		if _, what := j.unlike(numbers, i); what != "" {
			found = append(found, what)
		}
	}
	return found
}

// linked says that a file has other names.
func linked(name string, names uint64) string {
	if names > 2 {
		return fmt.Sprintf("%s has %d names: somebody has linked it", name, names)
	}
	return name + " has a second name: somebody has linked it"
}

// unreadable says that a file cannot be read.
func (j *Journal) unreadable(name string, err error) string {
	return fmt.Sprintf("%s cannot be read: %v", j.with(name), err)
}

// with is the name of a file with a mark of what it holds, where that can be read.
func (j *Journal) with(name string) string {
	text, err := readFile(j.disk, name)
	if err != nil {
		return name
	}
	return name + ", content " + markOf(text) + ","
}

// gaps says which parts are missing, as far as that shows while more allows to read another part for their notes.
func (j *Journal) gaps(numbers []uint64, was *known, more func() bool) (found []string) {
	before := uint64(0)
	for _, number := range numbers {
		if number > before+1 {
			if what := j.gapBefore(numbers, number, before, was, more); what != "" {
				found = append(found, what)
			}
		}
		before = number
	}
	return found
}

// gapBefore says what is missing between two parts that are there, "" for nothing.
func (j *Journal) gapBefore(numbers []uint64, number, before uint64, was *known, more func() bool) string {
	p, err := j.shelf.get(number)
	if err != nil {
		return j.unreadable(j.shelf.name(number), err)
	}
	if p.Before <= before {
		return "" // those between were abandoned
	}
	_, moved, sure, err := j.noteWithin(numbers, p.Before, was.since(p.Before), more)
	switch {
	case err != nil:
		return fmt.Sprintf("part %d is missing, and whether it was moved away cannot be read: %v", p.Before, err)
	case moved || !sure:
		return ""
	}
	return fmt.Sprintf("part %d is missing, and nothing says that it was moved away", p.Before)
}

// Inspect looks at the files of all finished parts, and has Found tell which are not as the headers behind them say,
// which are missing, and which do not hold what was written: it reads everything, at its leisure, and is meant for the
// time after a start, beside the dealing. The next start needs less time for what is still as it was here.
func (j *Journal) Inspect(ctx context.Context) error {
	j.tidying.Lock()
	defer j.tidying.Unlock()
	err := j.look(ctx, newKnown())
	if err == nil {
		err = j.readThrough(ctx)
	}
	return fault("look at the parts", j.path, err)
}

// look looks at the parts that are not known yet if any is not, and keeps what it found for the next start.
func (j *Journal) look(ctx context.Context, before *known) error {
	numbers, err := j.numbers()
	if err != nil {
		return err
	}
	finished := max(0, len(numbers)-1)
	if before.all(&j.shelf, numbers[:finished]) {
		return nil
	}
	now := newKnown()
	found := j.gaps(numbers, before, func() bool { return j.mayTidy(ctx) == nil })
	found = append(found, j.asideDiffers(j.state().aside)...)
	now.notes = j.noted.behind(numbers)
	for i := range finished {
		if err := j.mayTidy(ctx); err != nil {
			return err
		}
		name := j.shelf.name(numbers[i])
		size, is := before.sizes[name]
		if !is {
			var what string
			if size, what = j.unlike(numbers, i); what != "" {
				found = append(found, what)
				continue
			}
		}
		if size >= 0 {
			now.sizes[name] = size
		}
	}
	j.tell(found)
	if err := j.knownFile.keep(now, j.id); err != nil {
		return fmt.Errorf("keeping what was found: %w", err)
	}
	j.known = now
	return nil
}

// unlike says what is wrong with the file of a part, "" for nothing, and its size, negative where that is not known.
func (j *Journal) unlike(numbers []uint64, i int) (size int64, what string) {
	name := j.shelf.name(numbers[i])
	info, err := j.disk.Stat(name)
	switch {
	case notThere(err):
		return -1, "" // it was packed or moved just now
	case err != nil:
		return -1, fmt.Sprintf("%s cannot be looked at: %v", name, err)
	}
	p, err := j.shelf.get(numbers[i])
	if err != nil {
		return -1, j.unreadable(name, err)
	}
	counts, err := j.shelf.counts(numbers, i)
	var next *part
	if err == nil && counts {
		next, err = j.shelf.next(numbers, i)
	}
	switch {
	case diskFails(err):
		return -1, fmt.Sprintf("%s cannot be compared with the part behind it: %v", name, err)
	case err != nil || next == nil || next.Before != p.Part || next.Lost != "":
		return info.Size, ""
	}
	return info.Size, j.unlikeNext(p, name, info.Size, &next.Header)
}

// unlikeNext says in what a part is not as the header behind it says, "" for nothing.
func (j *Journal) unlikeNext(p *part, name string, size int64, next *Header) string {
	packed := strings.HasSuffix(name, packedEnd)
	if packed {
		_, text, shut, err := j.shelf.openPart(p)
		if err != nil {
			return j.unreadable(name, err)
		}
		shut()
		size = text
	}
	switch {
	case size < next.Ends, size > next.Ends+next.Over:
		return fmt.Sprintf("%s has %d bytes, and part %d says that it ends at byte %d", j.with(name), size,
			next.Part, next.Ends)
	case packed:
		return ""
	}
	return j.doubled(name)
}

// doubled says whether a compressed part lies beside the part with another content: a start that was interrupted while
// it packed leaves the same.
func (j *Journal) doubled(name string) string {
	packed := strings.TrimSuffix(name, partEnd) + packedEnd
	text, err := readFile(j.disk, packed)
	if notThere(err) {
		return ""
	}
	if err != nil {
		return j.unreadable(packed, err)
	}
	plain, err := readFile(j.disk, name)
	if err != nil {
		return j.unreadable(name, err)
	}
	if text, err = unpack(bytes.NewReader(text)); err != nil || !bytes.Equal(text, plain) {
		return j.with(packed) + " lies beside " + name + ", and holds something else"
	}
	return ""
}
