package alike

import (
	"cmp"
	_ "embed"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

//go:embed forms.txt
var formsText string

// forms is what forms.txt says.
type forms struct {
	apart, folded lines
	marks         []marks
}

// lines say what a character becomes: one line for each, in the order of the characters. They stay as they are written,
// since most of them are never needed.
type lines struct {
	text   string
	begins []int32
}

// marks are characters of one class: those of a lower class come first.
type marks struct {
	from, to rune
	class    uint64
}

// form reads forms.txt, whose parts have an empty line between them.
var form = sync.OnceValue(func() forms {
	parts := strings.SplitN(formsText, "\n\n", 4)
	f := forms{apart: newLines(parts[1]), folded: newLines(parts[3])}
	for line := range strings.Lines(parts[2]) {
		fields := strings.Fields(line)
		class, err := strconv.ParseUint(fields[2], 10, 8)
		if err != nil {
			panic("alike: forms.txt cannot be read: " + err.Error())
		}
		f.marks = append(f.marks, marks{point(fields[0]), point(fields[1]), class})
	}
	return f
})

func newLines(text string) lines {
	l := lines{text, make([]int32, 0, strings.Count(text, "\n")+1)}
	at := 0
	for line := range strings.Lines(text) {
		l.begins = append(l.begins, int32(at))
		at += len(line)
	}
	return l
}

// of is what a character becomes; false if it stays.
func (l lines) of(r rune) (to string, is bool) {
	if r < plain {
		return "", false
	}
	at := sort.Search(len(l.begins), func(n int) bool { return point(l.line(n)[0]) >= r })
	if at == len(l.begins) || point(l.line(at)[0]) != r {
		return "", false
	}
	var b strings.Builder
	for _, code := range l.line(at)[1:] {
		b.WriteRune(point(code))
	}
	return b.String(), true
}

func (l lines) line(n int) []string {
	line, _, _ := strings.Cut(l.text[l.begins[n]:], "\n")
	return strings.Fields(line)
}

// plain is where the characters begin that are in a list: that may be composed, or are marks, or become something else
// than their small letter.
const plain = 0xa0

// takenApart is Unicode's form NFKD: what is composed or only looks otherwise, such as ﬁ or ａ, as its letters and
// marks.
func takenApart(name string) string {
	var all []rune
	for _, r := range name {
		if isSyllable(r) {
			all = appendSyllable(all, r)
		} else if to, is := form().apart.of(r); is {
			all = append(all, []rune(to)...)
		} else {
			all = append(all, r)
		}
	}
	inOrder(all)
	return string(all)
}

// inOrder sorts the marks after each letter by their class.
func inOrder(all []rune) {
	for begin := 0; begin < len(all); begin++ {
		end := begin
		for end < len(all) && classOf(all[end]) > 0 {
			end++
		}
		slices.SortStableFunc(all[begin:end], func(a, b rune) int { return cmp.Compare(classOf(a), classOf(b)) })
		begin = max(begin, end)
	}
}

func classOf(r rune) uint64 {
	if r < plain {
		return 0
	}
	all := form().marks
	at := sort.Search(len(all), func(n int) bool { return all[n].to >= r })
	if at == len(all) || r < all[at].from {
		return 0
	}
	return all[at].class
}

// The syllables of Hangul are composed by counting, and are in no list.
const (
	firstSyllable, leads, vowels, trails = '가', 19, 21, 28
	firstLead, firstVowel, firstTrail    = 0x1100, 0x1161, 0x11a7
)

func isSyllable(r rune) bool { return r >= firstSyllable && r < firstSyllable+leads*vowels*trails }

func appendSyllable(all []rune, r rune) []rune {
	n := r - firstSyllable
	all = append(all, firstLead+n/(vowels*trails), firstVowel+n/trails%vowels)
	if trail := n % trails; trail > 0 {
		all = append(all, firstTrail+trail)
	}
	return all
}

// withoutCapitals is Unicode's folding of case: ß as ss.
func withoutCapitals(name string) string {
	var b strings.Builder
	for _, r := range name {
		if to, is := form().folded.of(r); is {
			b.WriteString(to)
		} else {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}
