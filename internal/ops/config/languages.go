package config

import (
	"errors"
	"fmt"

	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/strictyaml"
)

// openLanguages reads the files of the house's own languages. The faults returned are
// those files'.
func openLanguages(doc *strictyaml.Document, c *Config) (inFiles strictyaml.Faults) {
	for i, file := range c.Languages {
		path := fmt.Sprintf("languages[%d]", i)
		if !doc.Sound(path) {
			continue
		}
		if doc.Relative(path, file) {
			continue
		}
		all, err := configfile.AddLanguage(c.languages(), file)
		c.spoken = all
		var faults strictyaml.Faults
		switch {
		case errors.As(err, &faults):
			inFiles = append(inFiles, faults...)
		case err != nil:
			doc.Refuse(path, err.Error(), "let the user that runs the daemon read it")
		}
	}
	return inFiles
}
