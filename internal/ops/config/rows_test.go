package config

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/deploy"
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/table/profile"
)

// TestRows: what a setting's row allows is taken, and what is just outside of it is refused at its key.
func TestRows(t *testing.T) {
	ranges := 0
	rows(reflect.TypeFor[Config](), "", nil, func(key string, f reflect.StructField) {
		var low, high int
		_, err := fmt.Sscan(f.Tag.Get("range"), &low, &high)
		if is := f.Tag.Get("range") != ""; is != (err == nil) || is && (f.Type.Kind() != reflect.Int || low > high) {
			t.Errorf("%s has the range %q, %v", key, f.Tag.Get("range"), err)
		}
		if err == nil {
			ranges++
			for value, want := range map[int]bool{low - 1: false, low: true, high: true, high + 1: false} {
				if takes(t, key, fmt.Sprint(value)) != want {
					t.Errorf("%s: %d is taken: %t", key, value, !want)
				}
			}
		}
		known := strings.Fields(f.Tag.Get("one"))
		for _, value := range known {
			if !takes(t, key, value) {
				t.Errorf("%s does not take %s", key, value)
			}
		}
		if len(known) > 0 && takes(t, key, "neither") {
			t.Errorf("%s takes anything", key)
		}
	})
	if ranges == 0 {
		t.Error("no setting has a range")
	}
}

// takes says whether the example with another value of a key has nothing wrong there.
func takes(t *testing.T, key, value string) bool {
	t.Helper()
	text, err := strictyaml.Change(deploy.Example, key, value)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Parse("sabot.yaml", text, profile.Built())
	return err == nil || !strings.Contains(err.Error(), " "+key+": ")
}

// TestAsked: what is asked for is a setting, has a name for people, and is there once.
func TestAsked(t *testing.T) {
	seen := map[string]bool{}
	for _, one := range EveryAsked() {
		_, named := display.English.Lookup(one.Label)
		if seen[one.Key] || one.Question == "" || !named && one.Question != "keys" {
			t.Errorf("%+v is not whole", one)
		}
		if was := one.Is(Default()); was != "" && one.Question == "keys" {
			t.Errorf("a key that has no line has %q", was)
		}
		seen[one.Key] = true
	}
	if !seen["keys.card"] || !seen["mqtt.password_file"] {
		t.Errorf("%v are asked for", seen)
	}
}
