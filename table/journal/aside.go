package journal

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/table/journal/disk"
)

// SetAside is what was set aside, so that nobody can remove or replace it unnoticed. Each header names it.
type SetAside struct {
	// Folder is where it lies, and Journal the id of the journal, "" where nothing of it could be read.
	Folder  string `json:"folder"`
	Journal string `json:"journal,omitempty"`
	// Record is the highest number in it.
	Record uint64 `json:"record"`
	// Files counts its files, and Content is a SHA-256 of what they were: see README.md.
	Files   int    `json:"files"`
	Content string `json:"content"`
}

// mostAside limits how many of them headers name: those that were set aside last.
const mostAside = 64

// possible says whether a header can name it.
func (a *SetAside) possible() bool {
	return isAside(a.Folder) && (a.Journal == "" || isID(a.Journal)) && a.Record <= mostNumber && a.Files >= 0 &&
		len(a.Content) == hexHash
}

// headParts is how many of the newest parts of what is set aside are read: they have its head, and so the hashes of all
// before them.
const headParts = 2

// contentOf describes files by their names and sizes, and the newest parts by what they hold. at is the name of a file
// on the disk. Where the disk fails it describes what it can, and the error says why it is no more.
func contentOf(on disk.Disk, names []string, at func(string) string) (content string, err error) {
	heads := newest(names)
	sum := sha256.New()
	for _, name := range slices.Sorted(slices.Values(names)) {
		info, unseen := on.Stat(at(name))
		size := info.Size
		if unseen != nil {
			size = -1
		}
		fmt.Fprintf(sum, "%s %d", name, size)
		err = cmp.Or(err, unseen)
		if slices.Contains(heads, name) {
			text, unread := readFile(on, at(name))
			if unread == nil {
				fmt.Fprintf(sum, " %x", sha256.Sum256(text))
			}
			err = cmp.Or(err, unread)
		}
		sum.Write(newline)
	}
	return hex.EncodeToString(sum.Sum(nil)), err
}

// newest are the files with the head of a journal among some names.
func newest(names []string) []string {
	number := func(name string) uint64 { n, _, _ := partNumber(name); return n }
	parts := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return number(name) == 0 })
	slices.SortFunc(parts, func(a, b string) int {
		return cmp.Or(cmp.Compare(number(a), number(b)), cmp.Compare(a, b))
	})
	return parts[max(0, len(parts)-headParts):]
}

// movable are the files that are set aside: all parts, whole or not, but for that of a name.
func movable(on disk.Disk, but string) ([]string, error) {
	names, err := on.List()
	return slices.DeleteFunc(names, func(name string) bool {
		return !strings.HasPrefix(name, partBegin) || strings.TrimSuffix(name, draftEnd) == but
	}), err
}

// asideNow describes what is about to be set aside. What was last written to it may not be durable yet.
func (j *Journal) asideNow(f *Former, but string) (SetAside, error) {
	names, err := movable(j.disk, but)
	if err != nil {
		return SetAside{}, err
	}
	for _, name := range newest(names) {
		if file, err := j.disk.Open(name); err == nil {
			_ = file.Sync() // where it fails the disk has what is read below, or loses it: that is a finding then
			_ = file.Close()
		}
	}
	// A start goes on where the disk fails: what cannot be read now is described without what it holds.
	content, _ := contentOf(j.disk, names, func(name string) string { return name })
	return SetAside{Folder: f.Folder, Journal: f.Journal, Record: f.Record, Files: len(names), Content: content}, nil
}

// AsideDiffers says in what that which was set aside is not what it was, "" for nothing. Where Content is empty it must
// only be there.
func (r *Reader) AsideDiffers(a *SetAside) string {
	on := r.shelf.disk
	names, err := on.Names(a.Folder)
	switch {
	case notThere(err), err == nil && a.Content == "" && len(newest(names)) == 0:
		return fmt.Sprintf("%s with a journal that was set aside is not there: it was removed", a.Folder)
	case err != nil:
		return fmt.Sprintf("%s with a journal that was set aside cannot be read: %v", a.Folder, err)
	}
	content, err := contentOf(on, names, func(name string) string { return a.Folder + "/" + name })
	switch {
	case content == a.Content, a.Content == "":
		return ""
	case diskFails(err):
		return fmt.Sprintf("%s, content %.16s, with a journal that was set aside cannot be read: %v; it has %d files, "+
			"and had %d", a.Folder, content, err, len(names), a.Files)
	}
	return fmt.Sprintf("%s, content %.16s, is not what was set aside there: it has %d files, and had %d", a.Folder,
		content, len(names), a.Files)
}

// withoutAside says which folders of what was set aside are not there: so much a start looks at.
func (j *Journal) withoutAside(all []SetAside) (found []string) {
	for i := range all {
		if _, err := j.disk.Stat(all[i].Folder); notThere(err) {
			found = append(found, j.AsideDiffers(&all[i]))
		}
	}
	return found
}

// asideDiffers says what is wrong with what was set aside.
func (j *Journal) asideDiffers(all []SetAside) (found []string) {
	for i := range all {
		if what := j.AsideDiffers(&all[i]); what != "" {
			found = append(found, what)
		}
	}
	return found
}
