// Package wording checks what houses add to the displays' languages: language files of
// their own, and the words in their profiles.
package wording

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/lcd"
	"github.com/sabot-table/sabot/display/words"
	"github.com/sabot-table/sabot/internal/faults"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// Read reads a language file and closes it. Check says what is wrong with it.
func Read(file string, from io.ReadCloser) (words.File, error) {
	// One byte more shows that a file is too large.
	data, err := io.ReadAll(io.LimitReader(from, words.MaxSize+1))
	if err := errors.Join(err, from.Close()); err != nil {
		return words.File{}, fmt.Errorf("read the language: %w", err)
	}
	return words.Parse(file, data), nil
}

// Check returns what is wrong with a language file on all displays.
func Check(f words.File, among *display.Library) faults.List {
	wrong := among.Check(f)
	code := f.Text(words.Code)
	if len(wrong) > 0 || code == "" {
		return wrong
	}
	l, _ := among.Add(f).Speak(code)
	said, at := map[string]string{}, map[string]words.Entry{}
	for _, e := range f.Entries {
		said[e.Key], at[e.Key] = e.Text, e
	}
	for _, m := range lcd.Check(l, said) {
		e := at[m.Key]
		wrong = append(wrong, faults.Fault{File: f.Name, Line: e.Line, Column: e.At, Path: m.Key, What: m.What, Hint: m.Hint})
	}
	wrong.Sort()
	return wrong
}

// Add reads a house's own language file and returns the languages with it. Faults of
// the file are a faults.List.
func Add(among *display.Library, file string) (*display.Library, error) {
	open, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("read the language: %w", err)
	}
	f, err := Read(file, open)
	if err != nil {
		return nil, err
	}
	wrong := Check(f, among)
	code, tag := f.Text(words.Code), f.Text(words.Tag)
	_, taken := among.Speak(code)
	switch at := (faults.Fault{File: file, Line: 1, Column: 1}); {
	case strings.HasSuffix(tag, words.Swiss):
		at.Path, at.What, at.Hint = words.Tag, fmt.Sprintf("%q is how Switzerland writes a language", tag), "leave "+words.Swiss+" away: a Swiss table writes the numbers so by itself"
		wrong = append(wrong, at)
	case taken:
		at.Path, at.What, at.Hint = words.Code, fmt.Sprintf("%q is a language already", code), "give the file another code; single words of a house are better in its profile, see docs/houses.md"
		wrong = append(wrong, at)
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	return among.Add(f), nil
}

// InProfile checks the words in a house's profile, for a table that speaks some
// languages.
func InProfile(among *display.Library) profile.WordCheck {
	return func(own map[string]map[string]string) rules.Complaints {
		var wrong rules.Complaints
		for _, f := range among.CheckHouse(own) {
			wrong = append(wrong, rules.Complaint{Path: f.Path, What: f.What, Hint: f.Hint})
		}
		if len(wrong) > 0 {
			return wrong
		}
		const house = "own"
		for _, code := range slices.Sorted(maps.Keys(own)) {
			l, _ := among.With(display.Houses{house: own}).Speak(code)
			for _, m := range lcd.Check(l.In(house), own[code]) {
				wrong = append(wrong, rules.Complaint{Path: code + "." + strconv.Quote(m.Key), What: m.What, Hint: m.Hint})
			}
		}
		return wrong
	}
}
