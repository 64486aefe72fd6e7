package configfile

import (
	"path/filepath"

	"github.com/sabot-table/sabot/internal/diag"
	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/strictyaml"
)

// JudgeKept judges what a program writes, as the value at a key says where, and does not refuse what the program puts
// right.
func JudgeKept(doc *strictyaml.Document, at string, items []securefile.Item, by securefile.User) {
	if !doc.Sound(at) {
		return
	}
	if _, f := securefile.ToMend(items, by); f != nil {
		doc.Refuse(at, f.What, f.Hint)
	}
}

// JudgeConfig judges a configuration's own file.
func JudgeConfig(file string, kind securefile.Kind, by securefile.User) strictyaml.Faults {
	f := securefile.Item{Kind: kind, Path: file}.Judge(by)
	if f == nil {
		return nil
	}
	return strictyaml.Faults{diag.Fault{File: file, Line: 1, Column: 1, What: f.What, Hint: f.Hint}}
}

// JudgeNamed judges a file that a configuration names at a key.
func JudgeNamed(doc *strictyaml.Document, at string, kind securefile.Kind, path string, by securefile.User) {
	if path == "" || !filepath.IsAbs(path) || !doc.Sound(at) {
		return
	}
	if f := (securefile.Item{Kind: kind, Path: path}).Judge(by); f != nil && !f.Mends {
		doc.Refuse(at, f.What, f.Hint)
	}
}
