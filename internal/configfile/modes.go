package configfile

import (
	"path/filepath"

	"github.com/sabot-table/sabot/internal/faults"
	"github.com/sabot-table/sabot/internal/modes"
	"github.com/sabot-table/sabot/internal/strictyaml"
)

// JudgeKept judges what a program writes, as the value at a key says where, and does not refuse what the program puts right.
func JudgeKept(doc *strictyaml.Document, at string, items []modes.Item, by modes.User) {
	if !doc.Sound(at) {
		return
	}
	if _, f := modes.ToMend(items, by); f != nil {
		doc.Refuse(at, f.What, f.Hint)
	}
}

// JudgeConfig judges a configuration's own file.
func JudgeConfig(file string, kind modes.Kind, by modes.User) strictyaml.Faults {
	f := modes.Item{Kind: kind, Path: file}.Judge(by)
	if f == nil {
		return nil
	}
	return strictyaml.Faults{faults.Fault{File: file, Line: 1, Column: 1, What: f.What, Hint: f.Hint}}
}

// JudgeNamed judges a file that a configuration names at a key.
func JudgeNamed(doc *strictyaml.Document, at string, kind modes.Kind, path string, by modes.User) {
	if path == "" || !filepath.IsAbs(path) || !doc.Sound(at) {
		return
	}
	if f := (modes.Item{Kind: kind, Path: path}).Judge(by); f != nil && !f.Mends {
		doc.Refuse(at, f.What, f.Hint)
	}
}
