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

// Named is a file that a configuration names.
type Named struct {
	// Role is the key that names it, such as web.cert_file or languages[0].
	Role string
	Kind securefile.Kind
	Path string
}

// NamedFiles are all that a configuration names.
type NamedFiles []Named

// Add adds the file that a key names.
func (all *NamedFiles) Add(role string, kind securefile.Kind, path string) {
	*all = append(*all, Named{role, kind, path})
}

// Judge judges it, as far as it is known where it is.
func (n Named) Judge(doc *strictyaml.Document, by securefile.User) {
	if n.Path == "" || !filepath.IsAbs(n.Path) || !doc.Sound(n.Role) {
		return
	}
	if f := (securefile.Item{Kind: n.Kind, Path: n.Path}).Judge(by); f != nil && !f.Mends {
		doc.Refuse(n.Role, f.What, f.Hint)
	}
}
