package strictyaml

import (
	"strconv"
	"strings"
)

// place is the path from the document's root to a value. Its text is written only when a fault needs it.
type place struct {
	above *place
	step  string
}

func (p *place) key(name string) *place { return &place{p, keyStep(name)} }
func (p *place) item(i int) *place      { return &place{p, itemStep(i)} }

// String returns the path; the root's is empty.
func (p *place) String() string {
	if p == nil {
		return ""
	}
	return join(p.above.String(), p.step)
}

func join(path, step string) string {
	if path == "" || strings.HasPrefix(step, "[") {
		return path + step
	}
	return path + "." + step
}

func itemStep(i int) string { return "[" + strconv.Itoa(i) + "]" }

// keyStep quotes a key that would be misread in a path.
func keyStep(name string) string {
	plain := name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
	if plain {
		return excerpt(name)
	}
	return strconv.Quote(excerpt(name))
}

// within says whether path is outer, or inside it.
func within(path, outer string) bool {
	rest, ok := strings.CutPrefix(path, outer)
	return ok && (outer == "" || rest == "" || rest[0] == '.' || rest[0] == '[')
}

const excerptLength = 40

// excerpt shortens text for a message.
func excerpt(s string) string {
	if runes := []rune(s); len(runes) > excerptLength {
		return string(runes[:excerptLength]) + "…"
	}
	return s
}
