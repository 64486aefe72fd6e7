package strictyaml

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v4"
)

// value reads n into target. In a fresh target required keys must be present; another document has already filled one
// that is not fresh.
func (r *reader) value(n *yaml.Node, p *place, target reflect.Value, fresh bool) {
	if r.refused[n] {
		return
	}
	t := target.Type()
	switch {
	case isScalar(t):
		r.scalar(n, p, target)
	case t.Kind() == reflect.Pointer:
		r.pointer(n, p, target, fresh)
	case t.Kind() == reflect.Struct:
		if r.want(n, p, yaml.MappingNode, "write its keys below it, indented by two spaces") {
			r.structure(n, p, target, fresh)
		}
	case t.Kind() == reflect.Map:
		if r.want(n, p, yaml.MappingNode, "write its keys below it, indented by two spaces") {
			r.dictionary(n, p, target)
		}
	case t.Kind() == reflect.Slice:
		if r.want(n, p, yaml.SequenceNode, "write a list: [a, b], or one '- a' per line") {
			r.list(n, p, target)
		}
	default:
		panic(fmt.Sprintf("strictyaml: %s: cannot fill a %s", p, t))
	}
}

func (r *reader) want(n *yaml.Node, p *place, kind yaml.Kind, hint string) bool {
	if n.Kind == kind {
		return true
	}
	if p == nil {
		r.refuse(n, p, "the file "+describe(n), "write 'key: value', one per line")
		return false
	}
	r.refuse(n, p, describe(n), hint)
	return false
}

// pointer reads into a copy of what the pointer points to, since defaults may be
// shared.
func (r *reader) pointer(n *yaml.Node, p *place, target reflect.Value, fresh bool) {
	to := reflect.New(target.Type().Elem())
	if target.IsNil() {
		fresh = true
	} else {
		to.Elem().Set(target.Elem())
	}
	r.value(n, p, to.Elem(), fresh)
	if !r.refused[n] {
		target.Set(to)
	}
}

func (r *reader) list(n *yaml.Node, p *place, target reflect.Value) {
	items := reflect.MakeSlice(target.Type(), len(n.Content), len(n.Content))
	for i, item := range n.Content {
		r.value(item, p.item(i), items.Index(i), true)
	}
	target.Set(items)
}

func (r *reader) dictionary(n *yaml.Node, p *place, target reflect.Value) {
	t := target.Type()
	entries := reflect.MakeMapWithSize(t, len(n.Content)/2)
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if r.refused[key] {
			continue
		}
		at := p.key(key.Value)
		k, v := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		r.mapKey(key, at, k)
		r.value(value, at, v, true)
		if !r.refused[key] {
			entries.SetMapIndex(k, v)
		}
	}
	target.Set(entries)
}

func (r *reader) structure(n *yaml.Node, p *place, target reflect.Value, fresh bool) {
	fields := fieldsOf(target.Type())
	written := make(map[string]bool)
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if r.refused[key] {
			continue
		}
		at := p.key(key.Value)
		f, known := fields.named(key.Value)
		if !known {
			r.refuse(key, at, "is not a known key", cmp.Or(r.doc.text.commented(key.Line), r.elsewhere(n, i, target),
				suggest(key.Value, fields.names())))
			continue
		}
		written[f.name] = true
		if f.entry {
			r.entry(key, value, at, target.Field(f.index))
			continue
		}
		r.value(value, at, target.Field(f.index), fresh)
	}
	if !fresh {
		return
	}
	line, column := (&entry{key: r.keys[n], value: n}).position()
	parent := &yaml.Node{Kind: yaml.MappingNode, Line: line, Column: column}
	for _, f := range fields {
		if !written[f.name] {
			r.absent(parent, p.key(f.name), target.Field(f.index), f.required)
		}
	}
}

// elsewhere is the hint for a key that the group above it would take, which is empty: "" if there is no such group.
func (r *reader) elsewhere(n *yaml.Node, i int, target reflect.Value) string {
	for i -= 2; i >= 0; i -= 2 {
		group, known := fieldsOf(target.Type()).named(n.Content[i].Value)
		if !known {
			continue // it is lost like this one
		}
		t := target.Type().Field(group.index).Type
		if n.Content[i+1].ShortTag() != "!!null" || group.entry || t.Kind() != reflect.Struct || isScalar(t) {
			return ""
		}
		return fmt.Sprintf("indent it by two spaces more if it belongs to %s:", group.name)
	}
	return ""
}

// entry reads one of a struct's keys that are not fields into the map that holds them. It
// is a copy of the map, since defaults may be shared.
func (r *reader) entry(key, n *yaml.Node, p *place, target reflect.Value) {
	entries := reflect.MakeMap(target.Type())
	for it := target.MapRange(); it.Next(); {
		entries.SetMapIndex(it.Key(), it.Value())
	}
	v := reflect.New(target.Type().Elem()).Elem()
	r.value(n, p, v, true)
	entries.SetMapIndex(reflect.ValueOf(key.Value), v)
	target.Set(entries)
}

// absent finds required keys where nothing is written. Those of a missing group are named one by one: these are what
// the writer must fill in.
func (r *reader) absent(parent *yaml.Node, p *place, target reflect.Value, required bool) {
	t := target.Type()
	group := t.Kind() == reflect.Struct && !isScalar(t)
	before := len(r.doc.faults)
	if group {
		for _, f := range fieldsOf(t) {
			r.absent(parent, p.key(f.name), target.Field(f.index), f.required)
		}
	}
	if required && len(r.doc.faults) == before {
		r.doc.fault(parent, p, "is missing", "add it")
	}
}

// field is a field of a struct that a key of the document fills.
type field struct {
	name     string
	index    int
	required bool
	entry    bool // it is one of a Keyed map
}

// Keyed is a map whose entries are keys of the struct that contains it, next to the fields'.
type Keyed interface{ Keys() []string }

type fields []field

// fieldsOf reads the struct tags of t. A tag that cannot be understood is a
// mistake of the program, not of the document.
func fieldsOf(t reflect.Type) fields {
	var fs fields
	for i := range t.NumField() {
		f := t.Field(i)
		name, option, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if name == "-" || !f.IsExported() {
			continue
		}
		if name == "*" {
			for _, key := range reflect.Zero(f.Type).Interface().(Keyed).Keys() {
				fs = append(fs, field{name: key, index: i, entry: true})
			}
			continue
		}
		if name == "" || option != "" && option != "required" {
			panic(fmt.Sprintf("strictyaml: %s.%s: the tag must be yaml:\"name\", yaml:\"name,required\", yaml:\"*\" "+
				"or yaml:\"-\"", t, f.Name))
		}
		fs = append(fs, field{name: name, index: i, required: option == "required"})
	}
	return fs
}

func (fs fields) named(name string) (field, bool) {
	for _, f := range fs {
		if f.name == name {
			return f, true
		}
	}
	return field{}, false
}

func (fs fields) names() []string {
	names := make([]string, len(fs))
	for i, f := range fs {
		names[i] = f.name
	}
	return names
}
