package config

import (
	"errors"
	"fmt"

	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/table/profile"
)

// openHouse reads the house's own file, if the configuration names one, and takes the
// house's name from it. If the configuration has the name, too, it must be the same: a
// different one shows that the file is the wrong one. The faults returned are the file's.
func openHouse(doc *strictyaml.Document, c *Config, houses profile.Book) strictyaml.Faults {
	const path = "house_file"
	switch {
	case !doc.Has(path) && !doc.Has("house"):
		doc.Refuse("house", "is missing", "add it, or house_file")
		return nil
	case !doc.Has(path) || !doc.Sound(path):
		return nil
	case doc.Relative(path, c.HouseFile):
		return nil
	}
	book, name, err := houses.Load(c.HouseFile, configfile.ProfileWords(c.languages()))
	var faults strictyaml.Faults
	switch {
	case errors.As(err, &faults):
		return faults
	case err != nil:
		doc.Refuse(path, err.Error(), "let the user that runs the daemon read it")
	case doc.Has("house") && c.House != name:
		doc.Refuse("house", fmt.Sprintf("%q is not the house in house_file, which is %s", c.House, name), "write "+name+
			", or remove house")
	default:
		c.House, c.own = name, book[name]
	}
	return nil
}
