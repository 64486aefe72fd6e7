package profile_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
)

const (
	schemaFile = "../../docs/house.schema.json"
	pageFile   = "../../docs/houses.md"
)

var update = flag.Bool("update", false, "rewrite the schema of house profiles from the types")

// TestSchemaFollowsTheTypes compares the schema that editors use with the types of
// rules.go. With -update it writes the schema.
func TestSchemaFollowsTheTypes(t *testing.T) {
	want := schemaText(t)
	if *update {
		if err := os.WriteFile(schemaFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s does not follow the types: run go test ./table/profile -update\n%s", schemaFile, want)
	}
}

func schemaText(t *testing.T) []byte {
	t.Helper()
	profile := reflect.TypeFor[rules.Profile]()
	schema := objectSchema(t, profile)
	schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	schema["title"] = "House profile of Sabot"
	schema["description"] = "The rules and paytables of a house. What this schema cannot say, sabot rules check does."
	schema["required"] = []string{"house"}
	schema["if"] = object{"required": []string{"extends"}}
	schema["then"] = object{}
	schema["else"] = whole(profile, "")
	schema["else"].(object)["allOf"] = games(profile)
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(schema); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

// TestKeysFollowTheTypes compares the page's table of keys with the types. With
// -update it writes the table.
func TestKeysFollowTheTypes(t *testing.T) {
	const begin, end = "<!-- keys -->\n", "<!-- /keys -->\n"
	page, err := os.ReadFile(pageFile)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(page), begin)
	got, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no markers for the table of keys", pageFile)
	}
	want := "| key | what it means |\n|---|---|\n" + keyRows(reflect.TypeFor[rules.Profile](), "")
	if *update {
		if err := os.WriteFile(pageFile, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if got != want {
		t.Errorf("the keys in %s do not follow the types: run go test ./table/profile -update\n%s", pageFile, want)
	}
}

// keyRows describes the keys of a group, and of the groups in it.
func keyRows(of reflect.Type, above string) string {
	var rows strings.Builder
	for i := range of.NumField() {
		field := of.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		if name == "-" {
			continue
		}
		inner := field.Type
		if inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
			inner = inner.Elem()
		}
		fmt.Fprintf(&rows, "| `%s` | %s%s%s |\n", above+name, field.Tag.Get("doc"), choices(field, inner),
			ofGame(field))
		if inner.Kind() == reflect.Struct && textSchema(inner) == nil {
			rows.WriteString(keyRows(inner, above+name+"."))
		}
	}
	return rows.String()
}

// ofGame says which game alone has a key.
func ofGame(field reflect.StructField) string {
	game, _, _ := strings.Cut(field.Tag.Get("game"), ",")
	if game == "" {
		return ""
	}
	return " Only in `" + game + "`."
}

// choices lists the words that may be written, if there are only a few and they are not
// listed elsewhere.
func choices(field reflect.StructField, of reflect.Type) string {
	words := strings.Split(field.Tag.Get("enum"), ",")
	if schema := textSchema(of); schema != nil {
		words, _ = schema["enum"].([]string)
	}
	if len(words) < 2 || len(words) > 4 || strings.Contains(field.Tag.Get("doc"), words[0]) {
		return ""
	}
	return " `" + strings.Join(words, "`, `") + "`"
}

type object = map[string]any

// objectSchema describes a group of keys, all of them optional.
func objectSchema(t *testing.T, of reflect.Type) object {
	t.Helper()
	properties := object{}
	for i := range of.NumField() {
		field := of.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		if name == "-" {
			continue
		}
		property := fieldSchema(t, field)
		if field.Tag.Get("doc") == "" {
			t.Errorf("%s.%s has no doc tag", of, field.Name)
		}
		property["description"] = field.Tag.Get("doc")
		properties[name] = property
	}
	return object{"type": "object", "properties": properties, "additionalProperties": false}
}

// games require what a profile of each game needs beside what every profile does.
func games(profile reflect.Type) (list []object) {
	for _, game := range rules.GameNames {
		list = append(list, object{
			"if":   object{"properties": object{"game": object{"const": game}}},
			"then": whole(profile, game),
		})
	}
	return list
}

// whole requires the required keys of a group and of the groups in it: what a profile
// that does not extend another needs, in every game or, where one is named, in that game
// beside them.
func whole(of reflect.Type, game string) object {
	properties, required := object{}, []string{}
	for i := range of.NumField() {
		field := of.Field(i)
		name, option, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		only, needed, _ := strings.Cut(field.Tag.Get("game"), ",")
		if game == "" && option == "required" || game != "" && only == game && needed == "required" {
			required = append(required, name)
		}
		inner := field.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		switch {
		case inner.Kind() != reflect.Struct || textSchema(inner) != nil || name == "-":
		case game != "" && only == game:
			properties[name] = object{"required": keys(inner)}
		default:
			properties[name] = whole(inner, game)
		}
	}
	if len(properties) == 0 {
		return object{"required": required}
	}
	return object{"required": required, "properties": properties}
}

// keys are all keys of a group but those that may be left out.
func keys(of reflect.Type) (list []string) {
	for i := range of.NumField() {
		name, _, _ := strings.Cut(of.Field(i).Tag.Get("yaml"), ",")
		if of.Field(i).Type.Kind() != reflect.Pointer {
			list = append(list, name)
		}
	}
	return list
}

func fieldSchema(t *testing.T, field reflect.StructField) object {
	t.Helper()
	if values := field.Tag.Get("enum"); values != "" {
		return object{"type": "string", "enum": strings.Split(values, ",")}
	}
	if pattern := field.Tag.Get("pattern"); pattern != "" {
		return object{"type": "string", "pattern": pattern}
	}
	if field.Name == "House" {
		return object{"type": "string", "pattern": houseName}
	}
	schema := typeSchema(t, field.Type)
	numbers, list := schema["items"].(object)
	if !list {
		numbers = schema
	}
	for tag, keyword := range map[string]string{"min": "minimum", "max": "maximum"} {
		if text := field.Tag.Get(tag); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			numbers[keyword] = n
		}
	}
	return schema
}

func typeSchema(t *testing.T, of reflect.Type) object {
	t.Helper()
	if schema := textSchema(of); schema != nil {
		return schema
	}
	switch of.Kind() {
	case reflect.Pointer:
		return typeSchema(t, of.Elem())
	case reflect.Slice:
		return object{"type": "array", "items": itemSchema(t, of.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": typeSchema(t, of.Elem())}
	case reflect.Struct:
		return objectSchema(t, of)
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int:
		return object{"type": "integer"}
	}
	t.Fatalf("no schema for the type %s", of)
	return nil
}

// itemSchema describes an item of a list, which is always complete.
func itemSchema(t *testing.T, of reflect.Type) object {
	t.Helper()
	schema := typeSchema(t, of)
	if of.Kind() == reflect.Struct {
		schema["required"] = whole(of, "")["required"]
	}
	if of == reflect.TypeFor[rules.SideBet]() {
		schema["allOf"] = paytables()
	}
	return schema
}

// paytables requires each bet's own lines.
func paytables() []object {
	var each []object
	for bet := range sidebet.EveryBet {
		def := profile.KnownBets()[bet].Def
		lines := names(def.Lines())
		each = append(each, object{
			"if": object{"properties": object{"bet": object{"const": bet.String()}}},
			"then": object{"properties": object{"pays": object{
				"minItems": len(lines) - jokers(def), "maxItems": len(lines),
				"items": object{"properties": object{"line": object{"enum": lines}}},
			}}},
		})
	}
	return each
}

// jokers is how many lines of a bet are won with a Joker alone, and need not be there.
func jokers(bet *sidebet.Def) (n int) {
	for _, line := range bet.Lines() {
		if bet.Joker(line) {
			n++
		}
	}
	return n
}

const (
	amountPattern = `[0-9]+(\.[0-9]{1,3})?`
	ratioPattern  = `[1-9][0-9]*:[1-9][0-9]*`
	betName       = `^[a-z0-9][a-z0-9-]{0,31}$`
	placeName     = "(box|bank|first|up|hand|bank-hand)"
	houseName     = `^[a-z][a-z0-9-]{0,31}$`
	limitPattern  = `([1-9][0-9]*(/[1-9][0-9]*)? )?(min|box_max|unit)`
)

// textSchema describes a type that reads itself from text, or returns nil.
func textSchema(of reflect.Type) object {
	number := func(patterns ...string) object {
		return object{"type": []string{"number", "string"}, "exclusiveMinimum": 0, "pattern": "^(" +
			strings.Join(patterns, "|") + ")$"}
	}
	choice := func(names []string) object { return object{"type": "string", "enum": names} }
	switch of {
	case reflect.TypeFor[rules.Money]():
		return number(amountPattern)
	case reflect.TypeFor[rules.Limit]():
		return number(amountPattern, limitPattern)
	case reflect.TypeFor[rules.Prize]():
		return number(amountPattern, ratioPattern, "([1-9][0-9]*/[1-9][0-9]* )?jackpot")
	case reflect.TypeFor[rules.Claims]():
		claim := "(" + strings.Join(rules.ClaimNames[1:], "|") + ")"
		return object{"type": "string", "pattern": "^" + claim + "(, *" + claim + ")*$"}
	case reflect.TypeFor[rules.Burn]():
		return object{
			"type": []string{"integer", "string"}, "minimum": 1, "maximum": rules.MaxBurn,
			"pattern": "^(by-value|[1-9][0-9]?)$",
		}
	case reflect.TypeFor[money.Ratio]():
		return object{"type": "string", "pattern": "^" + ratioPattern + "$"}
	case reflect.TypeFor[money.Rounding]():
		return choice(money.RoundingNames)
	case reflect.TypeFor[rules.Game]():
		return choice(rules.GameNames)
	case reflect.TypeFor[rules.Colour]():
		return choice(rules.ColourNames[1:])
	case reflect.TypeFor[rules.Viewer]():
		return choice(rules.ViewerNames)
	case reflect.TypeFor[rules.Source]():
		return choice(rules.SourceNames)
	case reflect.TypeFor[rules.Loader]():
		return choice(rules.LoaderNames)
	case reflect.TypeFor[rules.CallMode]():
		return choice(rules.CallModeNames)
	case reflect.TypeFor[rules.BankDraws]():
		return choice(rules.BankDrawsNames)
	case reflect.TypeFor[rules.Soft17]():
		return choice(rules.Soft17Names)
	case reflect.TypeFor[rules.HoleCard]():
		return choice(rules.HoleCardNames)
	case reflect.TypeFor[rules.BankTakes]():
		return choice(rules.BankTakesNames)
	case reflect.TypeFor[rules.Totals]():
		const total = "(1[7-9]|2[01])"
		return object{
			"type": []string{"integer", "string"}, "minimum": 17, "maximum": 21,
			"pattern": "^" + total + "(, *" + total + ")*$",
		}
	case reflect.TypeFor[rules.SplitBy]():
		return choice(rules.SplitByNames)
	case reflect.TypeFor[rules.Values]():
		value := "(A|[2-9]|10)"
		return object{
			"type": []string{"integer", "string"}, "minimum": 2, "maximum": 10,
			"pattern": "^" + value + "(, *" + value + ")*$",
		}
	case reflect.TypeFor[rules.Bettors]():
		return choice(rules.BettorsNames)
	case reflect.TypeFor[rules.WhenAlone]():
		return choice(rules.WhenAloneNames)
	case reflect.TypeFor[irregularity.Ways]():
		way := "(" + strings.Join(names(slices.Collect(takenByPeople)), "|") + `)( \(dealer\))?`
		return object{"type": "string", "pattern": "^" + way + "(, *" + way + ")*$"}
	case reflect.TypeFor[sidebet.Bet]():
		return object{"type": "string", "pattern": betName}
	case reflect.TypeFor[sidebet.Line]():
		return object{"type": "string", "pattern": betName}
	case reflect.TypeFor[sidebet.Places]():
		return object{"type": "string", "pattern": "^" + placeName + `(\+` + placeName + ")*$"}
	case reflect.TypeFor[sidebet.When]():
		return object{"type": "string"}
	}
	return nil
}

// takenByPeople yields the choices that a person can make.
func takenByPeople(yield func(irregularity.Choice) bool) {
	for c := range irregularity.EveryChoice {
		if _, ok := irregularity.ParseChoice(c.String()); ok && !yield(c) {
			return
		}
	}
}

func names[T fmt.Stringer](values []T) []string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = v.String()
	}
	return list
}
