package config

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

const (
	// secretShown is in the place of what nobody else is to know.
	secretShown = "(secret, left out)"
	// unknownShown is in the place of what may be anything.
	unknownShown = "(left out: no key of a configuration)"
)

// secretTypes are the values that a configuration has of PINs, badges and keys of screens.
var secretTypes = []reflect.Type{reflect.TypeFor[PINHash](), reflect.TypeFor[ScreenKeyHash]()}

// Shown is a configuration as somebody else may see it: without its comments, without what it has of PINs, badges and
// screens' keys, and without the names and values of keys that no configuration has, such as one in a wrong place. What
// was left out is returned besides, since others may have repeated it. The text need not be fit for use.
func Shown(text []byte) (shown []byte, left []string, err error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		// yaml's own words may repeat some of it
		return nil, nil, errors.New("the configuration is no YAML: sabot config check says where")
	}
	if len(doc.Content) == 0 {
		return nil, nil, nil
	}
	v := &viewer{}
	shown, err = yaml.Marshal(v.shown(doc.Content[0], reflect.TypeFor[Config]()))
	return shown, v.left, err
}

// viewer copies what may be seen.
type viewer struct{ left []string }

// leave has a text in the place of a node, and notes all that the node has.
func (v *viewer) leave(n *yaml.Node, text string) *yaml.Node {
	var all func(n *yaml.Node)
	all = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode {
			v.left = append(v.left, n.Value)
		}
		for _, one := range n.Content {
			all(one)
		}
	}
	all(n)
	return scalar(text)
}

// shown is a copy of a node that is to be read into a type; nil for one that may be anything.
func (v *viewer) shown(n *yaml.Node, as reflect.Type) *yaml.Node {
	switch {
	case as == nil:
		return v.leave(n, unknownShown)
	case slices.Contains(secretTypes, as):
		return v.leave(n, secretShown)
	case n.Kind == yaml.MappingNode:
		return v.group(n, as)
	case n.Kind == yaml.SequenceNode:
		list := &yaml.Node{Kind: yaml.SequenceNode}
		var of reflect.Type
		if as.Kind() == reflect.Slice {
			of = as.Elem()
		}
		for _, one := range n.Content {
			list.Content = append(list.Content, v.shown(one, of))
		}
		return list
	case n.Kind == yaml.ScalarNode && as.Kind() != reflect.Struct && as.Kind() != reflect.Slice &&
		as.Kind() != reflect.Map:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: n.Tag, Value: n.Value}
	}
	return v.leave(n, unknownShown)
}

func (v *viewer) group(n *yaml.Node, as reflect.Type) *yaml.Node {
	group, keys := &yaml.Node{Kind: yaml.MappingNode}, keysOf(as)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, of := n.Content[i].Value, reflect.Type(nil)
		if known, is := keys[key]; is && n.Content[i].Kind == yaml.ScalarNode {
			of = known
		} else {
			v.leave(n.Content[i], "")
			key = fmt.Sprintf("unknown-%d", i/2+1)
		}
		group.Content = append(group.Content, scalar(key), v.shown(n.Content[i+1], of))
	}
	return group
}

func scalar(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
}

// keysOf are the keys of a group in the file, with what their values are read into.
func keysOf(as reflect.Type) map[string]reflect.Type {
	keys := map[string]reflect.Type{}
	if as.Kind() != reflect.Struct {
		return keys
	}
	for i := range as.NumField() {
		field := as.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		switch {
		case name == "*":
			if named, is := reflect.Zero(field.Type).Interface().(interface{ Keys() []string }); is {
				for _, key := range named.Keys() {
					keys[key] = field.Type.Elem()
				}
			}
		case name != "":
			keys[name] = field.Type
		}
	}
	return keys
}
