// Package profile reads the houses' rule sheets: those that come with Sabot, and a
// house's own files. It makes rules from them, and knows where each value comes from.
// Package rules knows what they mean and whether they can be played.
package profile

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/rules"
)

//go:embed houses/*.yaml
var houses embed.FS

// House is a house's rules, and the places that they were read from.
type House struct {
	*rules.Rules
	// origins returns where each value of the profile comes from, by its path. The first
	// call reads the profile once more; a table never calls it.
	origins func() map[string]Origin
	// words are what the house calls by another name, by language and key.
	words map[string]map[string]string
}

// Book is the houses as which a table can be set up, by name.
type Book map[string]*House

// Built is the book of the houses that come with Sabot. The profiles are part of the
// program and are read once; Built panics if one cannot be read, which is a fault in the
// build. Do not change the book: With makes another.
var Built = sync.OnceValue(func() Book {
	files, err := fs.Glob(houses, "houses/*.yaml")
	if err != nil {
		panic(err)
	}
	book := Book{}
	// A house that extends another is read after it.
	for _, extending := range []bool{false, true} {
		for _, file := range files {
			data, err := houses.ReadFile(file)
			if err != nil {
				panic(err)
			}
			if _, extends := extended(data); extends != extending {
				continue
			}
			h, err := book.Parse(path.Base(file), data)
			if err != nil {
				panic(err)
			}
			book[h.House] = h
		}
	}
	return book
})

// Open finds a house by its name in the book. A name that contains a slash or ends in
// .yaml or .yml is a house's own file, which Open loads. It returns a book that has the
// house, and the house's name. The error for a name that the book does not have is an
// *UnknownError.
func (b Book) Open(house string, checks ...WordCheck) (Book, string, error) {
	if _, known := b[house]; known {
		return b, house, nil
	}
	ending := filepath.Ext(house)
	if strings.ContainsRune(house, filepath.Separator) || ending == ".yaml" || ending == ".yml" {
		return b.Load(house, checks...)
	}
	return nil, "", fmt.Errorf("%w; the name of a house's own file ends in .yaml", b.unknown(house))
}

// Load reads a house's own file, and returns the book with that house and the house's
// name. Faults in the file are strictyaml.Faults.
func (b Book) Load(file string, checks ...WordCheck) (Book, string, error) {
	data, err := strictyaml.ReadFile(os.Open(file))
	if err != nil {
		return nil, "", fmt.Errorf("read the house's rules: %w", err)
	}
	h, err := b.Parse(file, data, checks...)
	if err != nil {
		return nil, "", err
	}
	return b.With(h), h.House, nil
}

// With returns the book with one more house.
func (b Book) With(h *House) Book {
	with := maps.Clone(b)
	with[h.House] = h
	return with
}

// WordCheck says what is wrong with the words of a house, by language and key; the path
// of a complaint begins with the language. This package does not know the words, so a
// caller that does passes it in; without one the words are not checked.
type WordCheck func(words map[string]map[string]string) rules.Complaints

// Parse reads a house profile, which may extend a house of the book and must have a name
// that is not in the book. The error holds all faults at once, each with line, column and
// what to write instead, as strictyaml.Faults.
func (b Book) Parse(file string, data []byte, checks ...WordCheck) (*House, error) {
	p, base, doc := b.read(file, data)
	if base == nil {
		return nil, doc.Err()
	}
	if _, taken := b[p.House]; taken {
		doc.Refuse("house", fmt.Sprintf("the name %q is another house's", p.House), "give the house a name of its own")
	}
	words := overWords(base.words, p.Words)
	p.Words = nil
	refuseIdle(&p, base, doc)
	p.FillIdle()
	h := houseOf(p, jsonOf(p))
	h.words = words
	for _, c := range h.Check() {
		doc.Refuse(c.Path, c.What, c.Hint)
	}
	for _, check := range checks {
		for _, c := range check(h.words) {
			doc.Refuse("words."+c.Path, c.What, c.Hint)
		}
	}
	refuseNever(h, doc)
	refuseStrangers(h, doc)
	if err := doc.Err(); err != nil {
		return nil, err
	}
	h.words = withTitles(h.words, h.Offers())
	h.origins = sync.OnceValue(func() map[string]Origin {
		_, base, doc := b.read(file, data)
		return h.originsIn(doc, base)
	})
	return h, nil
}

// read reads a profile, over that of the house that it extends. base is that house, empty
// if it extends none, and nil if there is no such house: then the profile cannot be
// checked.
func (b Book) read(file string, data []byte) (p rules.Profile, base *House, doc *strictyaml.Document) {
	name, extending := extended(data)
	if !extending {
		return p, &House{}, strictyaml.DecodeIn(currencyOf(data), file, data, &p)
	}
	currency := currencyOf(data)
	base, known := b[name]
	if known {
		p, currency = base.Profile, cmp.Or(currency, base.Table.Currency)
	}
	doc = strictyaml.OverlayIn(currency, file, data, &p)
	if known && money.Digits(p.Table.Currency) != base.Digits() {
		doc.Refuse("table.currency", fmt.Sprintf("the amounts of %s are in %s, which has other decimals than %s", name,
			base.Table.Currency, p.Table.Currency),
			"write a house without extends, or have sabot rules new ask for one")
	}
	p.Extends = ""
	if !known {
		doc.Refuse("extends", fmt.Sprintf("%q is not a house", name), "write one of "+b.names())
	}
	if !doc.Has("house") {
		doc.Refuse("house", "is missing", "give the house a name of its own")
	}
	return p, base, doc
}

// overWords are the words of a house over those of the house that it extends.
func overWords(base, own map[string]map[string]string) map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, words := range []map[string]map[string]string{base, own} {
		for language, texts := range words {
			if all[language] == nil {
				all[language] = map[string]string{}
			}
			maps.Copy(all[language], texts)
		}
	}
	return all
}

// extended finds the house that a profile extends. read reports what is wrong with the
// profile.
func extended(data []byte) (house string, extending bool) {
	if !bytes.Contains(data, []byte("extends")) {
		return "", false // most need not be read for it
	}
	var top struct {
		Extends string `yaml:"extends"`
	}
	doc := strictyaml.Decode("", data, &top)
	return top.Extends, doc.Has("extends")
}

// currencyOf finds the currency in which the amounts of a profile are written, wherever in it that is said; "" where it
// is not.
func currencyOf(data []byte) string {
	if !bytes.Contains(data, []byte("currency")) {
		return ""
	}
	var top struct {
		Table struct {
			Currency string `yaml:"currency"`
		} `yaml:"table"`
	}
	strictyaml.Decode("", data, &top)
	return top.Table.Currency
}

// Words are what the houses call by another name than the others of a language, by
// house, language and key.
func (b Book) Words() map[string]map[string]map[string]string {
	all := map[string]map[string]map[string]string{}
	for house, h := range b {
		if len(h.words) > 0 {
			all[house] = h.words
		}
	}
	return all
}

// Shufflers are the houses that deal from a shuffler, in alphabetical order.
func (b Book) Shufflers() []string {
	var names []string
	for house, h := range b {
		if h.Cards.Source == rules.Shuffler {
			names = append(names, house)
		}
	}
	slices.Sort(names)
	return names
}

// UnknownError is a house that a book does not have.
type UnknownError struct{ House, Known string }

// Error names the house, and the known ones.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("house %q is not known; known are %s", e.House, e.Known)
}

func (b Book) unknown(house string) error { return &UnknownError{house, b.names()} }

// Names lists the houses of the book in alphabetical order.
func (b Book) Names() []string { return slices.Sorted(maps.Keys(b)) }

func (b Book) names() string { return strings.Join(b.Names(), ", ") }
