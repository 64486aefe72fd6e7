package rules

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/sabot-table/sabot/internal/strictyaml"
)

//go:embed houses/*.yaml
var houses embed.FS

// Book is the houses that a table can be set up as, by name.
type Book map[string]*Rules

// Built is the book of the houses that come with Sabot. The profiles are part of
// the program and are read once; one that could not be read is a fault of the
// build, and Built then panics. Nobody may change it: With makes another.
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
			if (extends(data) != "") != extending {
				continue
			}
			r, err := book.Parse(path.Base(file), data)
			if err != nil {
				panic(err)
			}
			book[r.House] = r
		}
	}
	return book
})

// SourceOf returns the profile of a built-in house as it is written.
func SourceOf(house string) ([]byte, error) { return houses.ReadFile("houses/" + house + ".yaml") }

// Load reads a house's own file and returns the book with it, and its name.
func (b Book) Load(file string) (Book, string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, "", fmt.Errorf("read the house's rules: %w", err)
	}
	r, err := b.Parse(file, data)
	if err != nil {
		return nil, "", err
	}
	if _, taken := b[r.House]; taken {
		return nil, "", fmt.Errorf("%s: the name %q is a built-in house's; give the house a name of its own", file, r.House)
	}
	with := maps.Clone(b)
	with[r.House] = r
	return with, r.House, nil
}

// Parse reads a house profile, which may extend a house of the book. The error
// holds all faults at once, each with line, column and what to write instead.
func (b Book) Parse(file string, data []byte) (*Rules, error) {
	var p Profile
	var doc *strictyaml.Document
	if name := extends(data); name == "" {
		doc = strictyaml.Decode(file, data, &p)
	} else {
		base, known := b[name]
		if known {
			p = base.Profile
		}
		doc = strictyaml.Overlay(file, data, &p)
		if !known {
			doc.Refuse("extends", fmt.Sprintf("%q is no house", name), "write one of "+b.names())
		}
		if !doc.Has("house") {
			doc.Refuse("house", "is missing", "give the house a name of its own")
		}
	}
	p.Extends = ""
	r := newRules(p)
	for _, c := range r.Check() {
		doc.Refuse(c.Path, c.What, c.Hint)
	}
	if err := doc.Err(); err != nil {
		return nil, err
	}
	return r, nil
}

// extends looks for the house that a profile extends. What is wrong with the
// profile is for the reading proper to say.
func extends(data []byte) string {
	var p struct{ Extends string }
	if yaml.Unmarshal(data, &p) != nil {
		return ""
	}
	return p.Extends
}

// Names lists the houses of the book in alphabetical order.
func (b Book) Names() []string { return slices.Sorted(maps.Keys(b)) }

func (b Book) names() string { return strings.Join(b.Names(), ", ") }
