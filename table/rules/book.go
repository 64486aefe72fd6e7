package rules

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/sabot-table/sabot/internal/strictyaml"
)

//go:embed houses/*.yaml
var houses embed.FS

// Built is the book of the houses that come with Sabot. The profiles are part of
// the program and are read once; one that could not be read is a fault of the
// build, and Built then panics.
var Built = sync.OnceValue(func() Book {
	files, err := fs.Glob(houses, "houses/*.yaml")
	if err != nil {
		panic(err)
	}
	book := Book{}
	for _, file := range files {
		data, err := houses.ReadFile(file)
		if err != nil {
			panic(err)
		}
		r, err := Parse(path.Base(file), data)
		if err != nil {
			panic(err)
		}
		book[r.House] = r
	}
	return book
})

// Parse reads a house profile. The error holds all faults at once, each with
// line, column and what to write instead.
func Parse(file string, data []byte) (*Rules, error) {
	var r Rules
	doc := strictyaml.Decode(file, data, &r)
	for _, c := range r.Check() {
		doc.Refuse(c.Path, c.What, c.Hint)
	}
	if err := doc.Err(); err != nil {
		return nil, err
	}
	return &r, nil
}

// Names lists the houses of the book in alphabetical order.
func (b Book) Names() []string { return slices.Sorted(maps.Keys(b)) }

func (b Book) names() string { return strings.Join(b.Names(), ", ") }

func joined(complaints []Complaint) error {
	errs := make([]error, len(complaints))
	for i, c := range complaints {
		errs[i] = c
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("the table cannot be set up so: %w", err)
	}
	return nil
}
