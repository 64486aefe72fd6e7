package profile

import (
	"encoding"
	"reflect"
	"strings"

	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/table/rules"
)

// This file is about the keys that mean something in one game alone. A key that would do nothing is refused: whoever
// has written it believes that it does something.

// gameKey is a key that one game alone has.
type gameKey struct {
	path string
	game rules.Game
	// needs are the keys that must be there in that game: itself, or those of the group that it is.
	needs []string
	// group is the group that may be left out with it, "" for none.
	group string
}

// gameKeys are the keys of a profile that one game alone has.
func gameKeys(yield func(gameKey) bool) { eachGameKey(reflect.TypeFor[rules.Profile](), "", "", yield) }

func eachGameKey(of reflect.Type, above, group string, yield func(gameKey) bool) bool {
	for i := range of.NumField() {
		field := of.Field(i)
		path, inner := above+keyOf(field), field.Type
		if game, required, only := gameOf(field); only {
			key := gameKey{path: path, game: game, group: group}
			if required {
				key.needs = neededIn(inner, path)
			}
			if !yield(key) {
				return false
			}
			continue
		}
		optional := group
		if inner.Kind() == reflect.Pointer {
			inner, optional = inner.Elem(), path
		}
		if inner.Kind() == reflect.Struct && !eachGameKey(inner, path+".", optional, yield) {
			return false
		}
	}
	return true
}

// neededIn is a key that must be there, or the keys of the group that it is, but for those that may be left out.
func neededIn(of reflect.Type, path string) (needs []string) {
	if of.Kind() != reflect.Struct || reflect.PointerTo(of).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return []string{path}
	}
	for i := range of.NumField() {
		if of.Field(i).Type.Kind() != reflect.Pointer {
			needs = append(needs, path+"."+keyOf(of.Field(i)))
		}
	}
	return needs
}

// keyOf is the name of a field's key.
func keyOf(field reflect.StructField) string {
	key, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
	return key
}

// gameOf returns the game that alone has a key, and whether the key must be there then; only is false for a key that
// every game has.
func gameOf(field reflect.StructField) (game rules.Game, required, only bool) {
	name, option, _ := strings.Cut(field.Tag.Get("game"), ",")
	game, only = rules.GameNames.Parse(name)
	return game, option == "required", only
}

// refuseIdle refuses the keys of a profile that do nothing in its game, and finds those that are missing there: a house
// of the same game that is extended has them.
func refuseIdle(p *rules.Profile, base *House, doc *strictyaml.Document) {
	if !doc.Sound("game") {
		return
	}
	for key := range gameKeys {
		switch {
		case key.game != p.Game && doc.Has(key.path):
			doc.Refuse(key.path, doesNothing(p.Game), "remove it")
		case key.game == p.Game && (base.Rules == nil || base.Game != p.Game) &&
			(key.group == "" || doc.Has(key.group)):
			for _, path := range key.needs {
				if !doc.Has(path) {
					doc.Refuse(path, "is missing", "add it")
				}
			}
		}
	}
}

func doesNothing(g rules.Game) string { return "does nothing in the game " + g.String() }

// idleKey says whether a key, or the group that it is in, does nothing in a profile's game.
func idleKey(p *rules.Profile, path string) bool {
	for key := range gameKeys {
		if key.game != p.Game && (path == key.path || strings.HasPrefix(path, key.path+".")) {
			return true
		}
	}
	return false
}
