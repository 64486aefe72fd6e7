// Package words is what the displays say, in text files that translators edit: one a
// language, and a small one for each language as Switzerland writes it; what is said of a
// Topic stands in one file for all of them. It reads their form; what a text means, and
// whether it fits, package display knows.
//
// The files are .properties files in UTF-8, which translators' tools know, of their
// simplest kind: "key = text" on a line of its own, remarks on lines that begin with #,
// and \uXXXX for characters that an editor does not show. A remark "# en: text" above a
// text holds the English that it was translated from; "# en, kept: text" says that the
// text is the same on purpose.
package words

import (
	_ "embed"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/internal/diag"
)

// The files are texts, and no embed.FS: a key or a text that is read is then a piece of the program itself, but for
// those of topics, whose lines are put together. No language that is spoken has its whole file once more in memory.
var (
	//go:embed de.properties
	german string
	//go:embed de-CH.properties
	swissGerman string
	//go:embed en.properties
	englishText string
	//go:embed en-CH.properties
	swissEnglish string
	//go:embed fr.properties
	french string
	//go:embed fr-CH.properties
	swissFrench string
	//go:embed it.properties
	italian string
	//go:embed it-CH.properties
	swissItalian string
	//go:embed zh.properties
	chinese string
	//go:embed zh-CH.properties
	swissChinese string
	//go:embed room.properties
	rooms string
)

// files are the language files, by their names.
var files = map[string]string{
	"de": german, "de-CH": swissGerman, English: englishText, "en-CH": swissEnglish, "fr": french, "fr-CH": swissFrench,
	"it": italian, "it-CH": swissItalian, "zh": chinese, "zh-CH": swissChinese,
}

// Menu is the languages that come with Sabot, by their codes, in the order of a menu.
var Menu = []string{"de", "it", "fr", "en", "zh"}

// English is the code of the language that has every text.
const English = "en"

// Swiss ends the name of a language as it is written in Switzerland.
const Swiss = "-CH"

// What a language says of itself.
const (
	// Code is its name in configurations, such as de.
	Code = "language.code"
	// Tag is its name for browsers, by BCP 47, such as de-CH.
	Tag = "language.tag"
	// Name is what it calls itself.
	Name = "language.name"
	// Like is the language whose texts it takes where it has none, English if that is not said.
	Like = "language.like"
	// Spelling has pairs of what is replaced, and by what, in the texts that it takes so.
	Spelling = "language.spelling"
	// Shuffler has pairs of what a house with a shuffler calls otherwise than one with a
	// shoe, and how: Schlitten Mischmaschine.
	Shuffler = "language.shuffler"
	// House has, in the words of a house, pairs of what it calls otherwise in every text.
	House = "language.house"
)

// File is a language file that has been read.
type File struct {
	Name string
	// Entries are its texts, as they stand in it.
	Entries []Entry
	// Faults are what is wrong with its form.
	Faults diag.List
}

// Entry is a text of a file.
type Entry struct {
	Key, Text string
	// Line, Column and At are where its key and its text begin.
	Line, Column, At int
	// English is what it was translated from, if Noted; Kept says that the text is
	// the same on purpose.
	English     string
	Noted, Kept bool
}

// Entry returns the text of a key, and where it stands; without a Line if it does not.
func (f File) Entry(key string) Entry {
	for _, e := range f.Entries {
		if e.Key == key {
			return e
		}
	}
	return Entry{Key: key}
}

// Text returns the text of a key, "" for none.
func (f File) Text(key string) string { return f.Entry(key).Text }

// Source returns a language file that comes with Sabot, as it is written: of a code in
// Menu or, with Swiss after it, as Switzerland writes that.
func Source(name string) ([]byte, error) {
	if _, is := files[name]; !is {
		return nil, fmt.Errorf("no language that comes with Sabot is called %q", name)
	}
	source := make([]byte, 0, len(files[name])*5/4)
	for line := range withTopics(name) {
		source = append(source, line...)
	}
	return source, nil
}

// BuiltIn returns the language file of Source. One that could not be read is a fault of
// the build, and BuiltIn then panics.
func BuiltIn(name string) File {
	about := strings.Count(files[name], " = ")
	for t := range topics {
		about += t.about(name)
	}
	return sound(name, withTopics(name), about)
}

// sound reads lines that come with Sabot, which have about so many texts.
func sound(name string, lines iter.Seq[string], about int) File {
	f := read(name+".properties", lines, about)
	if err := f.Faults.Err(); err != nil {
		panic(err)
	}
	return f
}

// Self returns what a language file that comes with Sabot says of itself: its texts whose keys begin with language,
// which stand before all others. A menu of languages asks no more of each, and need not read the thousands of texts
// behind.
func Self(name string) map[string]string {
	file, is := files[name]
	if !is {
		panic("no language that comes with Sabot is called " + name)
	}
	self := map[string]string{}
	for line := range strings.Lines(file) {
		key, text, is := strings.Cut(strings.TrimSuffix(line, "\n"), " = ")
		switch {
		case !is || key[0] == '#':
		case strings.HasPrefix(key, "language."):
			self[key] = text
		default:
			return self
		}
	}
	return self
}

// Names are the language files that come with Sabot, in the order in which a folder lists them.
func Names() []string {
	return slices.SortedFunc(maps.Keys(files), func(a, b string) int {
		return strings.Compare(a+".properties", b+".properties")
	})
}

// Room says how many columns a text may take, by its key or by its kind, which is the
// key up to the first dot.
func Room() map[string]int {
	most := map[string]int{}
	for _, e := range sound("room", strings.Lines(rooms), strings.Count(rooms, " = ")).Entries {
		n, err := strconv.Atoi(e.Text)
		if err != nil {
			panic(err)
		}
		most[e.Key] = n
	}
	return most
}
