package profile_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/sabot-table/sabot/table/profile"
)

// TestSchemaInUse checks profiles against the schema, as an editor does.
func TestSchemaInUse(t *testing.T) {
	schema := readSchema(t)
	for _, house := range profile.Built().Names() {
		text, err := os.ReadFile("houses/" + house + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range against(t, schema, string(text)) {
			t.Errorf("%s: %s", house, fault)
		}
	}
	for text, want := range map[string]string{
		"extends: wiesbaden\nhouse: mine\npays: {black_jack: \"6:5\"}":    "",
		"extends: wiesbaden\npays: {win: 1:1}":                            "lacks house",
		"extends: wiesbaden\nhouse: Mine":                                 "house does not match",
		"house: mine":                                                     "lacks pays",
		"house: mine\ntable: {min: 5}":                                    "table lacks unit",
		"house: mine\njackpot: {seed: 5}":                                 "jackpot lacks envy",
		"extends: wiesbaden\nhouse: mine\npays: {blackjack: \"6:5\"}":     "pays.blackjack is not known",
		"extends: wiesbaden\nhouse: mine\ntable: {currency: usd}":         "table.currency does not match",
		"extends: wiesbaden\nhouse: mine\ntable: {boxes: 10}":             "table.boxes is too large",
		"extends: wiesbaden\nhouse: mine\ntable: {boxes: seven}":          "table.boxes is no integer",
		"extends: wiesbaden\nhouse: mine\ntable: {min: 0}":                "table.min is too small",
		"extends: wiesbaden\nhouse: mine\ntable: {min: ten}":              "table.min does not match",
		"extends: wiesbaden\nhouse: mine\nwords: {de: {call.rest: Halt}}": "",
		"extends: wiesbaden\nhouse: mine\nwords: {de: [Halt]}":            "words.de is no object",
		"extends: wiesbaden\nhouse: mine\ndouble: {on: [3]}":              "double.on[0] is too small",
		"extends: wiesbaden\nhouse: mine\nside_bets: [{bet: bust, pays: [{line: mix}]}]": "side_bets[0] lacks " +
			"bettors, " +
			"side_bets[0] lacks least, side_bets[0] lacks most, side_bets[0] lacks one_per_bettor, side_bets[0] " +
			"lacks step, " +
			"side_bets[0].pays[0] lacks pays, side_bets[0].pays[0].line is none of [bank-bust]",
		"extends: wiesbaden\nhouse: mine\nside_bets: [{bet: twins, pays: []}]": "" +
			"side_bets[0].pays is too short",
		"extends: wiesbaden\nhouse: mine\nside_bets: [{bet: twins, least: 1/10 box, most: 2 min}]": "" +
			"side_bets[0].least does not match",
	} {
		faults := strings.Join(against(t, schema, text), ", ")
		if !strings.Contains(faults, want) || want == "" && faults != "" {
			t.Errorf("%q: the schema says %q, want %q", text, faults, want)
		}
	}
}

func readSchema(t *testing.T) object {
	t.Helper()
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	var schema object
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	return schema
}

// against returns a schema's faults in a profile, in alphabetical order.
func against(t *testing.T, schema object, profile string) []string {
	t.Helper()
	var document any
	if err := yaml.Unmarshal([]byte(profile), &document); err != nil {
		t.Fatal(err)
	}
	v := validator{t: t}
	v.check(schema, document, "")
	slices.Sort(v.faults)
	return v.faults
}

// validator knows the keywords of JSON Schema that the schema of profiles uses.
type validator struct {
	t      *testing.T
	faults []string
}

func (v *validator) fault(path, format string, args ...any) {
	v.faults = append(v.faults, strings.TrimSpace(strings.TrimPrefix(path, ".")+" "+fmt.Sprintf(format, args...)))
}

func (v *validator) check(schema object, value any, path string) {
	for _, keyword := range slices.Sorted(maps.Keys(schema)) {
		with := schema[keyword]
		switch keyword {
		case "$schema", "title", "description", "then", "else":
		case "type":
			v.kind(with, value, path)
		case "enum":
			if !slices.Contains(with.([]any), value) {
				v.fault(path, "is none of %v", with)
			}
		case "const":
			if with != value {
				v.fault(path, "is not %v", with)
			}
		case "if":
			v.branch(schema, value, path)
		case "allOf":
			for _, one := range with.([]any) {
				v.check(one.(object), value, path)
			}
		default:
			v.byKind(keyword, schema, value, path)
		}
	}
}

// byKind checks the keywords for one kind of value.
func (v *validator) byKind(keyword string, schema object, value any, path string) {
	with := schema[keyword]
	switch keyword {
	case "pattern":
		if text, ok := value.(string); ok && !regexp.MustCompile(with.(string)).MatchString(text) {
			v.fault(path, "does not match")
		}
	case "minimum", "exclusiveMinimum", "maximum":
		v.bound(keyword, with.(float64), value, path)
	case "minItems", "maxItems":
		v.length(keyword, int(with.(float64)), value, path)
	case "items":
		list, _ := value.([]any)
		for i, item := range list {
			v.check(with.(object), item, fmt.Sprintf("%s[%d]", path, i))
		}
	case "required", "properties", "additionalProperties":
		if keys, ok := value.(object); ok {
			v.keys(keyword, schema, keys, path)
		}
	default:
		v.t.Fatalf("the schema uses %q, which this test does not know", keyword)
	}
}

func (v *validator) kind(want, value any, path string) {
	kinds := map[string]bool{}
	switch value.(type) {
	case string:
		kinds["string"] = true
	case bool:
		kinds["boolean"] = true
	case int:
		kinds["integer"], kinds["number"] = true, true
	case float64:
		kinds["number"] = true
	case []any:
		kinds["array"] = true
	case object:
		kinds["object"] = true
	}
	list, several := want.([]any)
	if !several {
		list = []any{want}
	}
	if !slices.ContainsFunc(list, func(one any) bool { return kinds[one.(string)] }) {
		v.fault(path, "is no %v", want)
	}
}

func (v *validator) bound(keyword string, bound float64, value any, path string) {
	number := reflect.ValueOf(value)
	var n float64
	switch {
	case number.CanInt():
		n = float64(number.Int())
	case number.CanFloat():
		n = number.Float()
	default:
		return
	}
	switch {
	case keyword == "maximum" && n > bound:
		v.fault(path, "is too large")
	case keyword == "minimum" && n < bound, keyword == "exclusiveMinimum" && n <= bound:
		v.fault(path, "is too small")
	}
}

func (v *validator) length(keyword string, bound int, value any, path string) {
	list, ok := value.([]any)
	switch {
	case !ok:
	case keyword == "minItems" && len(list) < bound:
		v.fault(path, "is too short")
	case keyword == "maxItems" && len(list) > bound:
		v.fault(path, "is too long")
	}
}

func (v *validator) keys(keyword string, schema, value object, path string) {
	properties, _ := schema["properties"].(object)
	switch keyword {
	case "required":
		for _, name := range schema["required"].([]any) {
			if _, there := value[name.(string)]; !there {
				v.fault(path, "lacks %s", name)
			}
		}
	case "properties":
		for name, inner := range value {
			if known, ok := properties[name].(object); ok {
				v.check(known, inner, path+"."+name)
			}
		}
	case "additionalProperties":
		others, open := schema["additionalProperties"].(object)
		for name, inner := range value {
			switch {
			case properties[name] != nil:
			case open:
				v.check(others, inner, path+"."+name)
			default:
				v.fault(path+"."+name, "is not known")
			}
		}
	}
}

// branch tries the if of a schema without keeping its faults.
func (v *validator) branch(schema object, value any, path string) {
	try := validator{t: v.t}
	try.check(schema["if"].(object), value, path)
	next := "then"
	if len(try.faults) > 0 {
		next = "else"
	}
	if branch, ok := schema[next].(object); ok {
		v.check(branch, value, path)
	}
}
