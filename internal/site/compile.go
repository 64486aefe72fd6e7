package site

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"text/template/parse"

	"github.com/sabot-table/sabot/display"
)

// fill appends a part of a template in a language; dot is what {{.}} stands for.
type fill func(b []byte, l display.Language, dot reflect.Value) []byte

// compiler makes templates ready, each once for a type that it is filled from. What is ready holds no node of a
// template: each node holds all others.
type compiler struct {
	trees trees
	ready map[use]fill
}

type use struct {
	name  string
	model reflect.Type
}

func (c compiler) template(name string, model reflect.Type) fill {
	tree, here := c.trees[name], use{name, model}
	if tree == nil {
		panic("markup: there is no template " + name)
	}
	if c.ready[here] == nil {
		c.ready[here] = c.list(tree.Root, model)
	}
	return c.ready[here]
}

func (c compiler) list(n *parse.ListNode, dot reflect.Type) fill {
	var parts []fill
	if n != nil {
		for _, one := range n.Nodes {
			parts = append(parts, c.node(one, dot))
		}
	}
	return func(b []byte, l display.Language, dot reflect.Value) []byte {
		for _, part := range parts {
			b = part(b, l, dot)
		}
		return b
	}
}

func (c compiler) node(n parse.Node, dot reflect.Type) fill {
	switch n := n.(type) {
	case *parse.TextNode:
		text := n.Text
		return func(b []byte, _ display.Language, _ reflect.Value) []byte { return append(b, text...) }
	case *parse.ActionNode:
		return action(n.Pipe, dot)
	case *parse.TemplateNode:
		v := find(n.Pipe, dot)
		return v.inside(c.template(n.Name, v.of))
	case *parse.IfNode:
		return either(find(n.Pipe, dot), c.list(n.List, dot), c.list(n.ElseList, dot))
	case *parse.WithNode:
		v := find(n.Pipe, dot)
		return either(v, v.inside(c.list(n.List, v.of)), c.list(n.ElseList, dot))
	case *parse.RangeNode:
		v := find(n.Pipe, dot)
		return either(v, v.inside(each(c.list(n.List, v.of.Elem()))), c.list(n.ElseList, dot))
	}
	panic(misfit(n, dot))
}

// either fills one part where a value is there, else another.
func either(v value, then, other fill) fill {
	return func(b []byte, l display.Language, dot reflect.Value) []byte {
		if v.there(dot) {
			return then(b, l, dot)
		}
		return other(b, l, dot)
	}
}

// each fills from all that are in a list.
func each(one fill) fill {
	return func(b []byte, l display.Language, list reflect.Value) []byte {
		for i := range list.Len() {
			b = one(b, l, list.Index(i))
		}
		return b
	}
}

// action writes a text of the language, or a value: markup as it is, all else escaped.
func action(n *parse.PipeNode, dot reflect.Type) fill {
	switch args := n.Cmds[0].Args; args[0].String() {
	case "cut":
		return func(b []byte, _ display.Language, _ reflect.Value) []byte { return append(b, Cut) }
	case "text":
		say := display.Message{Key: strings.Clone(args[1].(*parse.StringNode).Text)}
		return func(b []byte, l display.Language, _ reflect.Value) []byte { return escape(b, l.Say(say)) }
	}
	v := find(n, dot)
	if reflect.PointerTo(v.of).Implements(reflect.TypeFor[Markup]()) {
		return func(b []byte, _ display.Language, dot reflect.Value) []byte {
			return v.in(dot).Addr().Interface().(Markup).AppendMarkup(b)
		}
	}
	write(nil, display.Language{}, reflect.Zero(v.of))
	return v.inside(write)
}

// write writes what is no markup.
func write(b []byte, _ display.Language, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.String:
		return escape(b, v.String())
	case reflect.Int, reflect.Int64:
		return strconv.AppendInt(b, v.Int(), 10)
	case reflect.Uint64:
		return strconv.AppendUint(b, v.Uint(), 10)
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool())
	}
	panic("markup: a page cannot show a " + v.Type().String())
}

// value is {{.}} or one of its fields, and has the type of what is there.
type value struct {
	of    reflect.Type
	index []int
}

func find(n *parse.PipeNode, dot reflect.Type) value {
	v := value{of: dot}
	if len(n.Cmds) != 1 || len(n.Cmds[0].Args) != 1 {
		panic(misfit(n, dot))
	}
	switch n := n.Cmds[0].Args[0].(type) {
	case *parse.DotNode:
	case *parse.FieldNode:
		for _, name := range n.Ident {
			f, ok := v.of.FieldByName(name)
			if !ok {
				panic(misfit(n, dot))
			}
			v.of, v.index = f.Type, append(v.index, f.Index...)
			if f.Type.Kind() == reflect.Pointer {
				v.of = f.Type.Elem()
			}
		}
	default:
		panic(misfit(n, dot))
	}
	return v
}

// in returns the value itself, none for a nil pointer.
func (v value) in(dot reflect.Value) reflect.Value {
	if v.index != nil {
		dot = dot.FieldByIndex(v.index)
	}
	return reflect.Indirect(dot)
}

// there says whether something is: a number but 0, a text, one in a list.
func (v value) there(dot reflect.Value) bool {
	switch x := v.in(dot); x.Kind() {
	case reflect.Slice:
		return x.Len() > 0
	case reflect.Struct:
		return true
	default:
		return x.IsValid() && !x.IsZero()
	}
}

// inside fills from the value.
func (v value) inside(f fill) fill {
	return func(b []byte, l display.Language, dot reflect.Value) []byte { return f(b, l, v.in(dot)) }
}

func misfit(n parse.Node, dot reflect.Type) string {
	return fmt.Sprintf("markup: %s does not fit %s", n, dot)
}
