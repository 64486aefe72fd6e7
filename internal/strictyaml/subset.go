package strictyaml

import (
	"fmt"

	"go.yaml.in/yaml/v4"

	"github.com/sabot-table/sabot/table/plaintext"
)

// maxDepth is far deeper than any document made for people.
const maxDepth = 32

// reader is one reading of a document into a struct.
type reader struct {
	doc *Document
	// unit is that of Measured values.
	unit string
	// refused holds the keys and values that already have a fault.
	refused map[*yaml.Node]bool
	// keys holds the key that names a value.
	keys map[*yaml.Node]*yaml.Node
}

func (r *reader) refuse(n *yaml.Node, p *place, what string, hint ...string) {
	r.refused[n] = true
	r.doc.fault(n, p, what, hint...)
}

// plainOnly refuses, everywhere in n, what YAML allows and this package does not.
func (r *reader) plainOnly(n *yaml.Node, p *place, depth int) {
	switch {
	case n.Kind == yaml.AliasNode:
		r.refuse(n, p, "*"+excerpt(n.Value)+" is an alias, which this file may not have", "write the value out")
		return
	case n.Anchor != "":
		r.refuse(n, p, "&"+excerpt(n.Anchor)+" is an anchor, which this file may not have", "remove it")
	case n.Style&yaml.TaggedStyle != 0:
		r.refuse(n, p, excerpt(n.Tag)+" is a tag, which this file may not have", "remove it")
	case n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null":
		r.refuse(n, p, "has no value", "write one, or remove the key")
	case n.Kind == yaml.ScalarNode && hidden(n.Value) != "":
		r.refuse(n, p, "has "+hidden(n.Value)+", which cannot be seen", seenHint)
	case depth > maxDepth:
		r.refuse(n, p, fmt.Sprintf("lies more than %d levels deep", maxDepth))
		return
	}
	switch n.Kind {
	case yaml.SequenceNode:
		for i, item := range n.Content {
			r.plainOnly(item, p.item(i), depth+1)
		}
	case yaml.MappingNode:
		r.plainMapping(n, p, depth)
	}
}

func (r *reader) plainMapping(n *yaml.Node, p *place, depth int) {
	seen := make(map[string]*yaml.Node)
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if !r.plainKey(key, p) {
			continue
		}
		at := p.key(key.Value)
		if first, ok := seen[key.Value]; ok {
			r.refuse(key, at, fmt.Sprintf("is written twice, first on line %d", first.Line), "keep one of the two")
			continue
		}
		seen[key.Value] = key
		r.keys[value] = key
		r.plainOnly(value, at, depth+1)
	}
}

func (r *reader) plainKey(key *yaml.Node, p *place) bool {
	const hint = "write a plain word followed by ': '"
	switch {
	case key.Kind == yaml.AliasNode, key.Anchor != "":
		r.refuse(key, p, "a key may have neither anchor nor alias", hint)
	case key.Kind != yaml.ScalarNode:
		r.refuse(key, p, "a list or a group cannot be a key", hint)
	case hidden(key.Value) != "":
		r.refuse(key, p, "a key has "+hidden(key.Value)+", which cannot be seen", seenHint)
	case key.Style&yaml.TaggedStyle != 0:
		r.refuse(key, p, excerpt(key.Tag)+" is a tag, which this file may not have", hint)
	case key.ShortTag() == "!!merge":
		r.refuse(key, p, "<< is a merge key, which this file may not have", "write the keys out")
	case key.ShortTag() == "!!null":
		r.refuse(key, p, "a key is empty", hint)
	}
	return !r.refused[key]
}

const seenHint = "write on one line what can be seen"

// hidden names the first character of a text that shows nothing or steers what is beside it, ""
// if there is none. An escape of YAML can be any character.
func hidden(text string) string {
	for _, r := range text {
		if plaintext.Hidden(r) {
			return fmt.Sprintf("the character %U", r)
		}
	}
	return ""
}
