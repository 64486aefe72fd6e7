package display

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/sabot-table/sabot/display/words"
	"github.com/sabot-table/sabot/internal/diag"
)

// Check returns all that is wrong with a language file: with its form, and with what it
// says, which are keys that are not known, {names} that differ from those of the English, texts too long
// for their place, plural forms that do not belong together. Texts that are missing are
// no fault: see Gaps.
func (lib *Library) Check(f words.File) diag.List {
	c := checker{library: lib, file: f, faults: slices.Clone(f.Faults)}
	for _, e := range f.Entries {
		c.entry(e)
	}
	if len(f.Faults) == 0 { // else what is missing may only be written wrong
		c.header()
		c.plurals()
		c.namedKeys()
		if len(c.faults) == 0 { // else the pairs may be half, or the text wrong in any house
			c.atShuffler()
		}
	}
	c.faults.Sort()
	return c.faults
}

type checker struct {
	library *Library
	file    words.File
	faults  diag.List
}

func (c *checker) fault(e words.Entry, what, hint string) {
	c.faults = append(c.faults, diag.Fault{
		File: c.file.Name, Line: max(e.Line, 1), Column: max(e.Column, 1),
		Path: e.Key, What: what, Hint: hint,
	})
}

var (
	languageCode = regexp.MustCompile(`^[a-z]{2,3}$`)
	languageTag  = regexp.MustCompile(`^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)
)

// header checks what the language says of itself.
func (c *checker) header() {
	code, tag := c.file.Entry(words.Code), c.file.Entry(words.Tag)
	needed := []string{words.Code, words.Tag, words.Name}
	if strings.HasSuffix(tag.Text, words.Swiss) {
		needed = []string{words.Like}
	}
	for _, key := range needed {
		if e := c.file.Entry(key); e.Line == 0 {
			c.fault(e, "is missing", "add it, as docs/languages.md says")
		}
	}
	if code.Line > 0 && !languageCode.MatchString(code.Text) {
		c.fault(code, fmt.Sprintf("%q is no code of a language", code.Text),
			"write its two or three small letters of ISO 639, such as nl")
	}
	if tag.Line > 0 && (!languageTag.MatchString(tag.Text) || !strings.HasPrefix(tag.Text, code.Text)) {
		c.fault(tag, fmt.Sprintf("%q is no tag of the language", tag.Text),
			"write the code and what a browser may need to know, such as nl or nl-BE")
	}
	if like := c.file.Entry(words.Like); like.Line > 0 && !slices.Contains(c.library.codes, like.Text) {
		c.fault(like, fmt.Sprintf("%q is no language that Sabot has", like.Text), "write one of "+
			strings.Join(c.library.codes, ", "))
	}
	c.pairs(words.Spelling, "ß ss")
	c.pairs(words.Shuffler, "Schlitten Mischmaschine")
}

// pairs wants pairs of what is replaced, and by what.
func (c *checker) pairs(key, such string) {
	e := c.file.Entry(key)
	if what, hint := unpaired(e.Text, such); what != "" {
		c.fault(e, what, hint)
	}
}

func unpaired(pairs, such string) (what, hint string) {
	if len(strings.Fields(pairs))%2 != 0 {
		return "does not have pairs", "write what is replaced, and by what, all separated by spaces: " + such
	}
	return "", ""
}

// atShuffler wants that the texts fit in a house with a shuffler, too.
func (c *checker) atShuffler() {
	terms := terms(c.file.Text(words.Shuffler))
	for _, e := range c.file.Entries {
		there := terms.Replace(e.Text)
		if what, hint := misworded(e.Key, there); there != e.Text && e.Key != words.Shuffler && what != "" {
			c.fault(e, "at a shuffler "+what, hint)
		}
	}
}

// entry checks one text by itself, and against its English.
func (c *checker) entry(e words.Entry) {
	if e.Key == words.Like || e.Key == words.Spelling || e.Key == words.Shuffler {
		return
	}
	what, hint := misworded(e.Key, e.Text)
	english, known := englishOf(e.Key)
	if known {
		e.Column = e.At // it is the text that is wrong
	}
	switch {
	case what != "":
		c.fault(e, what, hint)
	case e.Noted && e.English != english:
		c.fault(e, fmt.Sprintf("was translated from %q, and the English says %q", e.English, english),
			"see whether it still says the same, then write the new English above it")
	case e.Kept && e.Text != english:
		c.fault(e, "is marked as kept, and is not as in English", "write en: without kept above it")
	}
}

// misworded says what is wrong with a text, and what to do about it; "" for nothing.
func misworded(key, text string) (what, hint string) {
	english, ok := englishOf(key)
	if !ok {
		return "is not a known key", nearest(key)
	}
	plain, at := placed(key)
	outer := strings.TrimSpace(text) != text && strings.TrimSpace(english) == english
	switch {
	case !slices.Equal(holes(text), holes(english)):
		return holesDiffer(holes(text), holes(english)), "fill in what the English does, in the language's order: " +
			strconv.Quote(english)
	case plain == numberSingular:
		if strings.Trim(text, "0123456789 ") != "" {
			return fmt.Sprintf("%q are no numbers", text), "write those that take the singular, such as 1, or nothing"
		}
	case plain == numberGroup: // a space, or nothing
	case text == "":
		return "says nothing", "write a text, or remove the line: it is then said in English"
	case outer:
		return "begins or ends with a space, which the English does not", "remove it"
	case key == timeDate && !isDate(text):
		return fmt.Sprintf("%q does not write a date", text),
			"write how 2 January 2006 is written, such as 02.01.2006 or 2 Jan 2006"
	}
	if most := roomFor(key); at == everywhere && Columns(placeholder.ReplaceAllString(text, "00")) > most {
		return fmt.Sprintf("takes %d columns, and its place has %d", Columns(placeholder.ReplaceAllString(text, "00")),
			most), "say it in fewer letters"
	}
	return "", ""
}

// timeDate is how the pages write a date.
const timeDate = "time.date"

func isDate(layout string) bool {
	day := time.Date(2031, 12, 25, 0, 0, 0, 0, time.UTC)
	read, err := time.Parse(layout, day.Format(layout))
	return err == nil && read.Equal(day)
}

// englishOf is the English of a file's key: on the character display, of the other
// displays where that has no form of its own.
func englishOf(fileKey string) (string, bool) {
	key, at := placed(fileKey)
	return Language{texts: english, place: at}.find(key)
}

func nearest(key string) string {
	var known []string
	for _, e := range words.BuiltIn(words.English).Entries {
		known = append(known, e.Key)
	}
	if meant, ok := diag.Meant(key, known); ok {
		return fmt.Sprintf("did you mean %q?", meant)
	}
	return "remove it, or take a key of the English file: sabot config words --print en"
}

var placeholder = regexp.MustCompile(`\{[^{}]*\}`)

// holes are the {names} in a text, sorted.
func holes(text string) []string {
	return slices.Sorted(slices.Values(placeholder.FindAllString(text, -1)))
}

func holesDiffer(got, want []string) string {
	for _, hole := range got {
		if !slices.Contains(want, hole) {
			return hole + " is nothing that is filled in here"
		}
	}
	for _, hole := range want {
		if !slices.Contains(got, hole) {
			return hole + " is missing"
		}
	}
	return "has " + strings.Join(got, " ") + ", and the English " + strings.Join(want, " ")
}

var room = sync.OnceValue(words.Room)

// roomFor is how many columns a text may take.
func roomFor(key string) int {
	if most, ok := room()[key]; ok {
		return most
	}
	kind, _, _ := strings.Cut(key, ".")
	return room()[kind]
}

// one ends the key of a singular; the plural has no ending, or many.
const (
	oneSuffix  = "-one"
	manySuffix = "-many"
)

// plurals wants singular and plural together: half of a pair in English reads wrong.
func (c *checker) plurals() {
	for _, e := range words.BuiltIn(words.English).Entries {
		base, ok := strings.CutSuffix(e.Key, oneSuffix)
		if !ok {
			continue
		}
		if _, many := englishOf(base + manySuffix); many {
			base += manySuffix
		}
		singular, plural := c.file.Entry(e.Key), c.file.Entry(base)
		if (singular.Line > 0) == (plural.Line > 0) {
			continue
		}
		if singular.Line > 0 {
			singular, plural = plural, singular
		}
		c.fault(plural, "has no "+singular.Key+" beside it", "singular and plural are translated together: add it")
	}
}

var quoted = regexp.MustCompile(`[„“«]\s*([^„“”«»]+?)\s*[“”»]`)

// namedKeys wants that what a text tells a dealer to press, in quotes, is on a key.
func (c *checker) namedKeys() {
	like, _ := c.library.Speak(c.file.Entry(words.Like).Text)
	own := map[string]string{}
	for _, e := range c.file.Entries {
		own[e.Key] = e.Text
	}
	wrong := misquoted(like, own)
	for _, key := range slices.Sorted(maps.Keys(wrong)) {
		hint := "name the key as it is called; the keys' names are the texts that begin with key."
		if own[key] == "" {
			hint = "add it to the file, with the name that the file gives the key"
		}
		c.fault(c.file.Entry(key), fmt.Sprintf("tells to press %q, which is on no key", wrong[key]), hint)
	}
}

// misquoted returns the texts of a language, with its own over it, which name a key that
// there is not, and that key.
func misquoted(l Language, own map[string]string) map[string]string {
	said, keys := map[string]string{}, map[string]bool{}
	for key := range english.says()[everywhere] {
		text, ok := own[key]
		if !ok {
			text = l.text(key)
		}
		said[key] = text
		if strings.HasPrefix(key, "key.") {
			keys[text] = true
		}
	}
	wrong := map[string]string{}
	for key, text := range said {
		for _, name := range quoted.FindAllStringSubmatch(text, -1) {
			if on := strings.TrimSpace(name[1]); key != "past.because" && !keys[on] {
				wrong[key] = on
			}
		}
	}
	return wrong
}

// Gap is a text that a language file leaves in English, or as the language says it that
// it is like.
type Gap struct {
	Key, English string
	// Line is where the text stands that is the same as in English; 0 for none.
	Line int
}

// Gaps returns what is not translated in a language file, in the order of the English
// file. A file without any text for the character display leaves that alone.
func Gaps(f words.File) []Gap {
	own := map[string]words.Entry{}
	characters := false
	for _, e := range f.Entries {
		own[e.Key] = e
		characters = characters || strings.HasPrefix(e.Key, charactersPrefix)
	}
	var gaps []Gap
	for _, want := range words.BuiltIn(words.English).Entries {
		_, at := placed(want.Key)
		e, has := own[want.Key]
		switch {
		case strings.HasPrefix(want.Key, "language."), at == onCharactersShort, at == onCharacters && !characters:
		case !has, at == everywhere && f.Text(words.Code) != words.English && e.Text == want.Text && !e.Kept &&
			hasLetters(e.Text):
			gaps = append(gaps, Gap{want.Key, want.Text, e.Line})
		}
	}
	return gaps
}

func hasLetters(text string) bool {
	return strings.ContainsFunc(placeholder.ReplaceAllString(text, ""), unicode.IsLetter)
}
