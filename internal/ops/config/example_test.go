package config_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/table/profile"
)

const exampleFile = "../../../deploy/sabot.example.yaml"

func readExample(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(exampleFile)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// switchedOn removes the '#' from every setting that the example leaves out, and makes it
// use a house's own file that exists, and the proof that uses every setting.
func switchedOn(t *testing.T, example string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "house.yaml")
	writeFile(t, file, "extends: baden\nhouse: my-house\n")
	on := regexp.MustCompile(`(?m)^( *)#([a-z_0-9]+:( |$))`).ReplaceAllString(example, "$1$2")
	on = regexp.MustCompile(`(?ms)^(supervisors:\n.*?)^  proof: .*?$`).ReplaceAllString(on, "$1  proof: pin-or-key")
	language := filepath.Join(t.TempDir(), "nl.properties")
	writeFile(t, language, "language.code = nl\nlanguage.tag = nl\nlanguage.name = Nederlands\n")
	on = regexp.MustCompile(`(?m)^languages: .*$`).ReplaceAllString(on, "languages: ["+language+"]")
	on = regexp.MustCompile(`(?m)^house: .*$`).ReplaceAllString(on, "house: my-house")
	on = regexp.MustCompile(`(?m)^boxes: .*$`).ReplaceAllString(on, "boxes: 9") // all have their keys
	return regexp.MustCompile(`(?m)^house_file: .*$`).ReplaceAllString(on, "house_file: "+file)
}

func TestExampleIsValid(t *testing.T) {
	text := readExample(t)
	named := strings.ReplaceAll(text, config.Nobody, "anna")
	on := strings.Replace(switchedOn(t, text), "- {name: "+config.Nobody, "- {name: anna", 1)
	for name, text := range map[string]string{"with a supervisor": named, "with everything switched on": on} {
		if _, err := config.Parse(exampleFile, []byte(text), profile.Built()); err != nil {
			t.Errorf("%s:\n%v", name, err)
		}
	}
}

// TestExampleHasNoSupervisor: as it is, nobody could put an irregularity right, and a check says so with what to do,
// and nothing else.
func TestExampleHasNoSupervisor(t *testing.T) {
	_, err := config.Parse(exampleFile, []byte(readExample(t)), profile.Built())
	var faults strictyaml.Faults
	const remedy = "put the line that sabot key pin NAME prints in its place"
	if !errors.As(err, &faults) || len(faults) != 1 || faults[0].Path != "supervisors.names" ||
		!strings.Contains(err.Error(), remedy) {
		t.Errorf("the example as it is: %v", err)
	}
}

func TestExampleNamesEveryKey(t *testing.T) {
	var c config.Config
	doc := strictyaml.Decode(exampleFile, []byte(switchedOn(t, readExample(t))), &c)
	paths := keyPaths(reflect.TypeFor[config.Config](), "")
	for _, key := range (config.PerKey{}).Keys() {
		paths = append(paths, "keys."+key)
	}
	for _, path := range paths {
		if !doc.Has(path) {
			t.Errorf("%s is not in the example", path)
		}
	}
}

// Each setting's comment ends with "Required." or with "Default: " and the value
// that Default has; where that is none, with the words for it.
func TestExampleTellsTheDefaults(t *testing.T) {
	told := defaults(readExample(t))
	for _, s := range settings(reflect.ValueOf(config.Default()), "") {
		got, is := told[s.path]
		delete(told, s.path)
		switch {
		case s.one && !is:
		case s.required:
			if got != "Required" {
				t.Errorf("%s is required, but the example says %q", s.path, got)
			}
		case s.value != "":
			if got != "Default: "+s.value {
				t.Errorf("the default of %s is %s, but the example says %q", s.path, s.value, got)
			}
		case !regexp.MustCompile(`^Default: (none\b|the house's|made of )`).MatchString(got):
			t.Errorf("%s has no default value, but the example says %q", s.path, got)
		}
	}
	for path, text := range told {
		t.Errorf("the example says %q of %s, which is not a setting", text, path)
	}
}

// defaults returns the end of each setting's comment. Settings on lines that follow
// each other share one.
func defaults(example string) map[string]string {
	setting := regexp.MustCompile(`^( *)#?([a-z_0-9]+):( .*)?$`)
	ending := regexp.MustCompile(`(Required|Default: .*)\.$`)
	told := make(map[string]string)
	group, inner, comment, used := "", "", "", false
	for line := range strings.Lines(example) {
		line = strings.TrimSuffix(line, "\n")
		switch m := setting.FindStringSubmatch(line); {
		case m == nil && (line == "" || used):
			comment, used = strings.TrimLeft(line, "# "), false
		case m == nil:
			comment += " " + strings.TrimLeft(line, "# ")
		case m[3] == "" && m[1] == "":
			group, inner = m[2]+".", ""
		case m[3] == "" && !ending.MatchString(comment):
			inner = m[2] + "."
		default:
			switch len(m[1]) {
			case 0:
				group, inner = "", ""
			case 2:
				inner = ""
			}
			told[group+inner+m[2]] = strings.TrimSuffix(ending.FindString(comment), ".")
			used = true
		}
	}
	return told
}

// setting is a key that has a value of its own, and its default as text.
type setting struct {
	path, value string
	required    bool
	one         bool // one of several alike: the example may leave it out
}

func settings(v reflect.Value, above string) []setting {
	var found []setting
	for i := range v.NumField() {
		if !v.Type().Field(i).IsExported() {
			continue
		}
		key, option, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
		field := v.Field(i)
		if each, is := field.Interface().(strictyaml.Keyed); is {
			for _, key := range each.Keys() {
				found = append(found, setting{path: above + key, one: true})
			}
			continue
		}
		level, isLevel := field.Interface().(configfile.Level)
		switch {
		case isLevel:
			found = append(found, setting{path: above + key, value: strings.ToLower(level.String())})
		case field.Kind() == reflect.Struct:
			found = append(found, settings(field, above+key+".")...)
		default:
			found = append(found, setting{path: above + key, value: text(field), required: option == "required"})
		}
	}
	return found
}

// text writes a value; a zero value is not a default.
func text(v reflect.Value) string {
	if v.IsZero() {
		return ""
	}
	return fmt.Sprint(v.Interface())
}

// The configuration in docs/panel.md is valid.
func TestPanelPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/panel.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllSubmatch(page, -1)
	if len(shown) == 0 {
		t.Error("the page shows no configuration")
	}
	for _, block := range shown {
		before := least
		if strings.HasPrefix(string(block[1]), "shoe:") {
			before, _, _ = strings.Cut(least, "shoe:")
		}
		if _, err := config.Parse("panel.md", []byte(before+string(block[1])+proven), houses); err != nil {
			t.Errorf("%s\n%v", block[1], err)
		}
	}
}

// The configuration of a page on a network in docs/operations.md is valid, once the hashes
// that it leaves out are filled in.
func TestScreensInOperations(t *testing.T) {
	page, err := os.ReadFile("../../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)   ```yaml\n(   web:.*?)   ```").FindSubmatch(page)
	if shown == nil {
		t.Fatal("the page shows no configuration of screens")
	}
	text := regexp.MustCompile("(?m)^   ").ReplaceAllString(string(shown[1]), "")
	for strings.Contains(text, "sha256:…") {
		text = strings.Replace(text, "sha256:…", web.NewKey().Hash().String(), 1)
	}
	if _, err := config.Parse("operations.md", []byte(least+text+proven), houses); err != nil {
		t.Errorf("%s\n%v", text, err)
	}
}
