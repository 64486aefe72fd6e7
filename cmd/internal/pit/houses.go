package pit

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/sabot-table/sabot/cmd/internal/wording"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/table/profile"
)

// openHouses reads the houses' own files, as a table reads its own. The faults returned are those of the files.
func openHouses(doc *strictyaml.Document, c *Config) (faults strictyaml.Faults) {
	const path = "house_files"
	if !doc.Has(path) || !doc.Sound(path) {
		return nil
	}
	var names []string
	for _, file := range c.HouseFiles {
		if !filepath.IsAbs(file) {
			doc.Refuse(path, fmt.Sprintf("%q is not an absolute path", file), "begin it with /")
			return nil
		}
		book, name, err := profile.Built().Load(file, wording.InProfileAlone)
		var inFile strictyaml.Faults
		switch {
		case errors.As(err, &inFile):
			faults = append(faults, inFile...)
		case err != nil:
			doc.Refuse(path, err.Error(), "let the user that runs sabot-pit read it")
			return faults
		case slices.Contains(names, name):
			doc.Refuse(path, fmt.Sprintf("%s has the house %s, which another of the files has, too", file, name), "remove one of the two")
			return faults
		default:
			names, c.own = append(names, name), append(c.own, book[name])
		}
	}
	return faults
}

// Houses returns the book with the houses of HouseFiles.
func (c Config) Houses(book profile.Book) profile.Book {
	for _, h := range c.own {
		book = book.With(h)
	}
	return book
}
