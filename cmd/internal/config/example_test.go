package config_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/cmd/internal/config"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/table/rules"
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

// switchedOn takes the '#' away from every setting that the example leaves out, and
// has it play a house's own file that is there.
func switchedOn(t *testing.T, example string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "house.yaml")
	writeFile(t, file, "extends: baden\nhouse: my-house\n")
	on := regexp.MustCompile(`(?m)^( *)#([a-z_]+:( |$))`).ReplaceAllString(example, "$1$2")
	on = regexp.MustCompile(`(?m)^house: .*$`).ReplaceAllString(on, "house: my-house")
	return regexp.MustCompile(`(?m)^house_file: .*$`).ReplaceAllString(on, "house_file: "+file)
}

func TestExampleIsValid(t *testing.T) {
	text := readExample(t)
	for name, text := range map[string]string{"as it is": text, "with everything switched on": switchedOn(t, text)} {
		if _, err := config.Parse(exampleFile, []byte(text), rules.Built()); err != nil {
			t.Errorf("%s:\n%v", name, err)
		}
	}
}

func TestExampleNamesEveryKey(t *testing.T) {
	var c config.Config
	doc := strictyaml.Decode(exampleFile, []byte(switchedOn(t, readExample(t))), &c)
	for _, path := range keyPaths(reflect.TypeFor[config.Config](), "") {
		if !doc.Has(path) {
			t.Errorf("%s is not in the example", path)
		}
	}
}

// Each setting's comment ends with "Required." or with "Default: " and the value
// that Default has; where that is none, with the words for it.
func TestExampleTellsTheDefaults(t *testing.T) {
	told := toldDefaults(readExample(t))
	for _, s := range settings(reflect.ValueOf(config.Default()), "") {
		got := told[s.path]
		delete(told, s.path)
		switch {
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
		t.Errorf("the example says %q of %s, which is no setting", text, path)
	}
}

// toldDefaults returns the end of each setting's comment.
func toldDefaults(example string) map[string]string {
	setting := regexp.MustCompile(`^( *)#?([a-z_]+):( .*)?$`)
	ending := regexp.MustCompile(`(Required|Default: .*)\.$`)
	told := make(map[string]string)
	group, comment := "", ""
	for line := range strings.Lines(example) {
		line = strings.TrimSuffix(line, "\n")
		switch m := setting.FindStringSubmatch(line); {
		case m == nil && line == "":
			comment = ""
		case m == nil:
			comment += " " + strings.TrimLeft(line, "# ")
		case m[3] == "":
			group = m[2] + "."
		default:
			if m[1] == "" {
				group = ""
			}
			told[group+m[2]] = ending.FindString(comment)
			told[group+m[2]] = strings.TrimSuffix(told[group+m[2]], ".")
			comment = ""
		}
	}
	return told
}

// setting is a key that has a value of its own, and its default as text.
type setting struct {
	path, value string
	required    bool
}

func settings(v reflect.Value, above string) []setting {
	var found []setting
	for i := range v.NumField() {
		if !v.Type().Field(i).IsExported() {
			continue
		}
		key, option, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
		field := v.Field(i)
		level, isLevel := field.Interface().(config.Level)
		switch {
		case isLevel:
			found = append(found, setting{path: above + key, value: strings.ToLower(level.String())})
		case field.Kind() == reflect.Struct:
			found = append(found, settings(field, above+key+".")...)
		default:
			found = append(found, setting{above + key, text(field), option == "required"})
		}
	}
	return found
}

// text writes a value; one that is zero is no default.
func text(v reflect.Value) string {
	if v.IsZero() {
		return ""
	}
	return fmt.Sprint(v.Interface())
}
