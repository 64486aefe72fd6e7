package pit

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sabot-table/sabot/internal/configfile"
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
	for i, file := range c.HouseFiles {
		at := fmt.Sprintf("%s[%d]", path, i)
		if doc.Relative(at, file) {
			continue
		}
		book, name, err := profile.Built().Load(file, configfile.ProfileWordsAlone)
		var inFile strictyaml.Faults
		switch {
		case errors.As(err, &inFile):
			faults = append(faults, inFile...)
		case err != nil:
			doc.Refuse(at, err.Error(), "let the user that runs sabot-pit read it")
		case slices.Contains(names, name):
			doc.Refuse(at, fmt.Sprintf("%s has the house %s, which another of the files has, too", file, name),
				"remove one of the two")
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
