// Package alike finds names that people take for each other: Anna and anna, one written in Cyrillic or full-width
// letters, one composed otherwise. A record names people; whoever could be called almost as another would be taken for
// them in it.
package alike

import (
	_ "embed"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

//go:embed confusables.txt
var data string

// taken is a character that is taken for others, and where in data the line begins that says what stands for all of
// them.
type taken struct {
	r  rune
	at int32
}

// prototypes are all such characters in their order. What stands for them stays as it is written, since most are never
// asked for: a table of all took five times the room.
var prototypes = sync.OnceValue(func() (all []taken) {
	at := 0
	for line := range strings.Lines(data) {
		if !strings.HasPrefix(line, "#") {
			for _, code := range strings.Fields(line)[1:] {
				all = append(all, taken{point(code), int32(at)})
			}
		}
		at += len(line)
	}
	sort.Slice(all, func(a, b int) bool { return all[a].r < all[b].r })
	return slices.Clip(all)
})

// prototype is what stands for a character and all that are taken for it; false if it is taken for none.
func prototype(r rune) (text string, is bool) {
	all := prototypes()
	n := sort.Search(len(all), func(n int) bool { return all[n].r >= r })
	if n == len(all) || all[n].r != r {
		return "", false
	}
	codes, _, _ := strings.Cut(data[all[n].at:], " ")
	for code := range strings.SplitSeq(codes, "+") {
		text += string(point(code))
	}
	return text, true
}

// point reads a code point of the embedded file.
func point(code string) rune {
	n, err := strconv.ParseUint(code, 16, 32)
	if err != nil {
		panic("alike: confusables.txt cannot be read: " + err.Error())
	}
	return rune(n)
}

// looks are what a name looks like, in two ways: with its capitals as they are written, of which I is taken for l, and
// without. Two names are alike if they are so in either.
type looks [2]string

func looksOf(name string) looks {
	name = takenApart(name)
	return looks{"written " + folded(skeleton(name)), "folded " + skeleton(folded(name))}
}

func folded(name string) string { return takenApart(withoutCapitals(name)) }

// skeleton is that of UTS #39: names that look the same have the same one. Spaces count as one, and what is not seen as
// none.
func skeleton(name string) string {
	var b strings.Builder
	for _, r := range takenApart(name) {
		switch stands, is := prototype(r); {
		case unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Cf, r) ||
			unicode.Is(unicode.Variation_Selector, r):
		case is:
			b.WriteString(stands)
		default:
			b.WriteRune(r)
		}
	}
	return strings.Join(strings.Fields(takenApart(b.String())), " ")
}

// Names are those that exist already.
type Names struct{ by map[string]string }

// Add adds a name. Of names that are alike the first stays.
func (n *Names) Add(name string) {
	if n.by == nil {
		n.by = map[string]string{}
	}
	for _, look := range looksOf(name) {
		if _, there := n.by[look]; !there {
			n.by[look] = name
		}
	}
}

// Like is the name that exists already and for which another one would be taken; "" if there is none, or if it is that
// name itself.
func (n *Names) Like(name string) string {
	var like string
	for _, look := range looksOf(name) {
		switch other, there := n.by[look]; {
		case there && other == name:
			return ""
		case there:
			like = other
		}
	}
	return like
}
