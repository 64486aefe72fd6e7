package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	classifier "github.com/google/licenseclassifier/v2"
	"github.com/google/licenseclassifier/v2/assets"
)

// Licence is a file with terms.
type Licence struct {
	// File is its path in the part.
	File string
	// Names are the licences that were recognised in it, by their SPDX names; none for a list
	// of authors or a notice.
	Names []string
	// Holders are its lines that say who has the copyright.
	Holders []string
	Text    string
}

// reader recognises licences.
type reader struct{ known *classifier.Classifier }

// newReader reads the licences that there are once for all: it takes a second.
var newReader = sync.OnceValues(func() (*reader, error) {
	known, err := assets.DefaultClassifier()
	return &reader{known}, err
})

// terms matches the names of files with terms, or with what the terms want to be passed on.
var terms = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|authors)([-._].*)?$`)

// errNoLicence: nobody may pass on a part without a licence.
var errNoLicence = errors.New("no licence was found: nothing that links it may be passed on")

// of reads the licences of a part: those at its root, and those in the folders that are
// linked and above them. They are in order of their names.
func (r *reader) of(src source) (found []Licence, _ error) {
	for _, folder := range upwards(src) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if e.IsDir() || !terms.MatchString(e.Name()) || filepath.Ext(e.Name()) == ".go" {
				continue
			}
			licence, err := r.read(src.root, filepath.Join(folder, e.Name()))
			if err != nil {
				return nil, err
			}
			found = append(found, licence)
		}
	}
	if !slices.ContainsFunc(found, func(l Licence) bool { return len(l.Names) > 0 }) {
		return nil, errNoLicence
	}
	return found, nil
}

// upwards lists the folders of a part in which terms may be, each once.
func upwards(src source) []string {
	folders := []string{src.root}
	for _, folder := range src.folders {
		for ; strings.HasPrefix(folder, src.root+string(filepath.Separator)); folder = filepath.Dir(folder) {
			folders = append(folders, folder)
		}
	}
	slices.Sort(folders)
	return slices.Compact(folders)
}

// holder matches a line that says who has the copyright, and not a clause about it.
var holder = regexp.MustCompile(
	`(?im)^[^\n]*?((?:original work |portions |modified work )?(?:copyright|©)\s*(?:\(c\)|©|[0-9])[^\n]*)$`)

func (r *reader) read(root, path string) (Licence, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Licence{}, err
	}
	file, err := filepath.Rel(root, path)
	if err != nil {
		return Licence{}, err
	}
	l := Licence{File: file, Text: string(text)}
	for _, match := range r.known.Match(text).Matches {
		if match.MatchType == "License" && !slices.Contains(l.Names, match.Name) {
			l.Names = append(l.Names, match.Name)
		}
	}
	for _, found := range holder.FindAllStringSubmatch(l.Text, -1) {
		if line := strings.Join(strings.Fields(found[1]), " "); !slices.Contains(l.Holders, line) {
			l.Holders = append(l.Holders, line)
		}
	}
	return l, nil
}
